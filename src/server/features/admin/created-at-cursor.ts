import { z } from 'zod'
import * as cursor from '#server/http/cursor.ts'

/** The last user of a page: creation in whole microseconds since 1970, as the database keeps it, and id. */
export type UserPosition = { createdAtMicros: string; id: string }

const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

export const encodeCursor = ({ createdAtMicros, id }: UserPosition): string =>
  cursor.encodeCursor([createdAtMicros, id])

/** @throws AppError validation_failed for anything that `encodeCursor` did not write */
export function decodeCursor(text: string): UserPosition {
  const [createdAtMicros, id] = cursor.decodeCursor(text, positionSchema)
  return { createdAtMicros, id }
}
