import { and, gt, like, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { readCommonTrigrams, selectiveParts } from './common-trigrams.ts'

/**
 * LIKE pattern for an email address. Terms with three letters or digits in a row match anywhere, by the trigram index.
 * Others match only at the start, by the prefix index: "a@b" anywhere took 160 ms with a million users.
 * @throws AppError validation_failed for a null character
 */
export function emailSearchPattern(search: string): string {
  const term = termOf(search)
  return hasTrigram(term) ? `%${escapeLike(term)}%` : `${escapeLike(term)}%`
}

/**
 * Condition that a user's address matches the search. Looks up only the selective parts of the term in the trigram index,
 * then compares the results with the whole term by `strpos`, which doesn't distort the planner's estimates.
 * @throws AppError as `emailSearchPattern`
 */
export async function matchesEmailSearch(db: Db, search: string): Promise<SQL | undefined> {
  const term = termOf(search)
  const parts = hasTrigram(term) ? selectiveParts(term, await readCommonTrigrams(db)) : [term]
  if (parts[0] === term) return like(users.email, emailSearchPattern(search))
  return and(like(users.email, `%${parts.map(escapeLike).join('%')}%`), gt(sql`strpos(${users.email}, ${term})`, 0))
}

/** Parts of a term to look up in a trigram index on addresses; whatever contains the term contains them in this order. */
export const readSearchParts = async (db: Db, term: string): Promise<string[]> =>
  selectiveParts(term, await readCommonTrigrams(db))

function termOf(search: string): string {
  const term = search.trim().toLowerCase()
  if (term.includes('\0')) throw new AppError('validation_failed', { message: 'search: contains a null character' })
  return term
}

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const hasTrigram = (term: string) => /[\p{L}\p{N}]{3}/u.test(term)
