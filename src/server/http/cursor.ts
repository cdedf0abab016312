import type { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { rejectUnstorableText } from './read-json.ts'

type Position = readonly (string | number)[]

/**
 * The first `limit` rows, and the cursor of the next page: null on the last one.
 * @param rows one more than `limit` if there is a next page
 */
export function pageOf<Row>(rows: readonly Row[], limit: number, positionOf: (last: Row) => Position) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null }
}

/** Encodes the position of a page's last row. Opaque to the client. */
export const encodeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url')

/** @throws AppError validation_failed for anything that `pageOf` did not write */
export function decodeCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> {
  try {
    const position = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    rejectUnstorableText(position)
    return position
  } catch (cause) {
    throw new AppError('validation_failed', { message: 'cursor: not valid for this list', cause })
  }
}
