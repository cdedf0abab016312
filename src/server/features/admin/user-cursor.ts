import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

/** The last user of a page: creation in whole microseconds since 1970, as the database keeps it, and id. */
export type UserPosition = { createdAtMicros: string; id: string }

const positionSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

export const encodeCursor = ({ createdAtMicros, id }: UserPosition): string =>
  Buffer.from(JSON.stringify([createdAtMicros, id])).toString('base64url')

/** @throws AppError validation_failed for anything that `encodeCursor` did not write */
export function decodeCursor(cursor: string): UserPosition {
  try {
    const [createdAtMicros, id] = positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { createdAtMicros, id }
  } catch (cause) {
    throw new AppError('validation_failed', { message: 'cursor: not one that this list gave out', cause })
  }
}
