import type { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { rejectUnstorableText } from './reject-unstorable-text.ts'

/** Encodes the position of a page's last row. Opaque to the client. */
export const encodeCursor = (position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** @throws AppError validation_failed for anything that `encodeCursor` did not write */
export function decodeCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> {
  try {
    const position = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    rejectUnstorableText(position)
    return position
  } catch (cause) {
    throw new AppError('validation_failed', { message: 'cursor: not valid for this list', cause })
  }
}
