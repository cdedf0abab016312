import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'

/** In so many of the addresses three letters tell them apart too little to be worth their list in the index. */
const commonFrom = 0.1
/** Fewer addresses say nothing of the others. */
const smallestSample = 50
const keptMs = 10 * 60_000

const inWord = /^[\p{L}\p{N}]{3}$/u

/** At each character the three that begin there; by code points, so that none is cut in two. */
const threesOf = (letters: readonly string[]) => letters.map((_, at) => letters.slice(at, at + 3).join(''))

/** Three letters or digits that many of the addresses have somewhere, such as those of a large mail provider. */
export function commonTrigrams(addresses: readonly string[]): ReadonlySet<string> {
  if (addresses.length < smallestSample) return new Set()
  const counts = new Map<string, number>()
  for (const address of addresses) {
    for (const three of new Set(threesOf([...address]))) {
      if (inWord.test(three)) counts.set(three, (counts.get(three) ?? 0) + 1)
    }
  }
  return new Set([...counts].filter(([, count]) => count >= commonFrom * addresses.length).map(([three]) => three))
}

/**
 * The parts of a term that are worth looking up, in their order: what only common trigrams cover is left away. Everything
 * that contains the term contains these. Just the term when nothing is common, or everything.
 */
export function selectiveParts(term: string, common: ReadonlySet<string>): string[] {
  const letters = [...term]
  const known = threesOf(letters).map((three) => inWord.test(three) && !common.has(three))
  const tells = (at: number) => [at - 2, at - 1, at].some((start) => known[start] === true)
  const isOutside = (at: number) => !/[\p{L}\p{N}]/u.test(letters[at] ?? '')
  // The sign beside a telling part says that a word begins or ends there, which the index knows as well.
  const keeps = (at: number) => tells(at) || (isOutside(at) && (tells(at - 1) || tells(at + 1)))
  const parts: string[] = []
  for (const [at, letter] of letters.entries()) {
    if (!keeps(at)) continue
    if (at > 0 && keeps(at - 1)) parts.push(`${parts.pop()}${letter}`)
    else parts.push(letter)
  }
  return parts.length > 0 ? parts : [term]
}

const found = new WeakMap<Db, { readAt: number; common: ReadonlySet<string> }>()

/**
 * What is common among the users' addresses, by the sample that PostgreSQL keeps for its planner; remembered for a while,
 * as an old answer makes a search slower and never wrong. Nothing before the first ANALYZE.
 */
export async function readCommonTrigrams(db: Db): Promise<ReadonlySet<string>> {
  const known = found.get(db)
  if (known && performance.now() - known.readAt < keptMs) return known.common
  const [row] = await queryRows<{ sample: string[] | null }>(
    db,
    sql`select histogram_bounds::text::text[] as sample from pg_stats
      where schemaname = 'auth' and tablename = 'users' and attname = 'email'`,
  )
  const common = commonTrigrams(row?.sample ?? [])
  found.set(db, { readAt: performance.now(), common })
  return common
}
