import { and, gt, like, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { readCommonTrigrams, selectiveParts } from './common-trigrams.ts'

/**
 * LIKE pattern for an address, as stored in lower case. Terms with three letters or digits in a row are looked for
 * anywhere in the address, through the trigram index; others only at its beginning, where the prefix index answers.
 * They hold no trigram that tells addresses apart: "a@b" anywhere took 160 ms among a million users.
 * @throws AppError validation_failed for a character that no text in the database can hold
 */
export function emailSearchPattern(search: string): string {
  const term = termOf(search)
  return hasTrigram(term) ? `%${escaped(term)}%` : `${escaped(term)}%`
}

/**
 * The condition that a user's address fits the search. The index walks the list of each trigram of a term, and those
 * that every other address has are long: so only the parts that tell addresses apart are looked up, and what they find
 * is held against the whole term. As a function of the address, which no index knows, it leaves the planner its numbers.
 * @throws AppError as `emailSearchPattern`
 */
export async function matchesEmailSearch(db: Db, search: string): Promise<SQL | undefined> {
  const term = termOf(search)
  const parts = hasTrigram(term) ? selectiveParts(term, await readCommonTrigrams(db)) : [term]
  if (parts[0] === term) return like(users.email, emailSearchPattern(search))
  return and(like(users.email, `%${parts.map(escaped).join('%')}%`), gt(sql`strpos(${users.email}, ${term})`, 0))
}

function termOf(search: string): string {
  const term = search.trim().toLowerCase()
  if (term.includes('\0')) throw new AppError('validation_failed', { message: 'search: contains a null character' })
  return term
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const hasTrigram = (term: string) => /[\p{L}\p{N}]{3}/u.test(term)
