import { z } from 'zod'
import * as cursor from '#server/http/cursor.ts'

/** Last row of a page: its creation time in microseconds since 1970, which is the precision of the database, and its id. */
export type CreatedAtPosition = { createdAtMicros: string; id: string }

const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

/** @throws AppError validation_failed for an invalid cursor */
export function decodeCursor(text: string): CreatedAtPosition {
  const [createdAtMicros, id] = cursor.decodeCursor(text, positionSchema)
  return { createdAtMicros, id }
}
