import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'

/** A trigram in this share of all addresses is common: looking it up in the index costs more than it filters. */
const commonShare = 0.1
/** A smaller sample isn't representative. */
const minSampleSize = 50
const cacheTtlMs = 10 * 60_000

const inWord = /^[\p{L}\p{N}]{3}$/u

/** Trigrams by start position, in code points so that no character is split. */
const trigramsOf = (letters: readonly string[]) => letters.map((_, at) => letters.slice(at, at + 3).join(''))

/** Trigrams that many addresses contain, such as those of a large email provider. */
export function commonTrigrams(addresses: readonly string[]): ReadonlySet<string> {
  if (addresses.length < minSampleSize) return new Set()
  const counts = new Map<string, number>()
  for (const address of addresses) {
    for (const three of new Set(trigramsOf([...address]))) {
      if (inWord.test(three)) counts.set(three, (counts.get(three) ?? 0) + 1)
    }
  }
  return new Set([...counts].filter(([, count]) => count >= commonShare * addresses.length).map(([three]) => three))
}

/**
 * Parts of a search term that contain uncommon trigrams, in order. Whatever contains the term contains these parts too.
 * Returns the whole term if none or all of its trigrams are common.
 */
export function selectiveParts(term: string, common: ReadonlySet<string>): string[] {
  const letters = [...term]
  const uncommon = trigramsOf(letters).map((trigram) => inWord.test(trigram) && !common.has(trigram))
  const isSelective = (at: number) => [at - 2, at - 1, at].some((start) => uncommon[start] === true)
  const isOutside = (at: number) => !/[\p{L}\p{N}]/u.test(letters[at] ?? '')
  // Punctuation next to a selective part marks a word boundary, which the index also knows.
  const keeps = (at: number) => isSelective(at) || (isOutside(at) && (isSelective(at - 1) || isSelective(at + 1)))
  const parts: string[] = []
  for (const [at, letter] of letters.entries()) {
    if (!keeps(at)) continue
    if (at > 0 && keeps(at - 1)) parts.push(`${parts.pop()}${letter}`)
    else parts.push(letter)
  }
  return parts.length > 0 ? parts : [term]
}

const cache = new WeakMap<Db, { readAt: number; common: ReadonlySet<string> }>()

/**
 * Common trigrams of users' addresses, from the planner's statistics. Cached, since stale data only makes searches slower.
 * Empty before the first ANALYZE.
 */
export async function readCommonTrigrams(db: Db): Promise<ReadonlySet<string>> {
  const known = cache.get(db)
  if (known && performance.now() - known.readAt < cacheTtlMs) return known.common
  const [row] = await queryRows<{ sample: string[] | null }>(
    db,
    sql`select histogram_bounds::text::text[] as sample from pg_stats
      where schemaname = 'auth' and tablename = 'users' and attname = 'email'`,
  )
  const common = commonTrigrams(row?.sample ?? [])
  cache.set(db, { readAt: performance.now(), common })
  return common
}
