import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

const pageSize = 50

export const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/** One page of a list. A cursor is a position in it: the lists are short and the same until something is published. */
export function pageOf<T>(all: readonly T[], cursor: string | undefined): { items: T[]; nextCursor: string | null } {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw invalid('This cursor isn’t from an answer of this list')
  const from = Number(cursor ?? 0)
  const next = from + pageSize
  return { items: all.slice(from, next), nextCursor: next < all.length ? String(next) : null }
}
