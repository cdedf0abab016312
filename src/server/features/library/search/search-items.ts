import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { contentItems } from '#server/db/schema/index.ts'
import type { OwnedItems } from '#server/features/billing/purchases/owned-items.ts'
import {
  type Archive,
  archiveCall,
  type SearchAnswer,
  type SearchFilters,
  type SearchResult,
} from '#shared/contracts/library/search.ts'
import { type BuiltInPage, builtInPages } from '#shared/domain/built-in-pages.ts'
import type { SearchKind } from '#shared/domain/content-items.ts'
import { optionLabel, type Questions } from '#shared/domain/preferences.ts'
import { findExcerpt, markMatches } from './find-excerpt.ts'
import { type ReadQuery, readQuery, type SearchTerm } from './read-query.ts'

/** Published drops of a month, with a tag, or all; and the months and tags that there are. */
export async function readArchive(
  db: Db,
  publication: Questions,
  { month, tag }: { month: string | null; tag: string | null },
): Promise<Archive> {
  const rows = await db
    .select({
      id: contentItems.id,
      path: contentItems.path,
      title: contentItems.title,
      date: sql<string>`${contentItems.day}::text`,
      preview: contentItems.summary,
      tags: contentItems.focusAreas,
    })
    .from(contentItems)
    .where(and(eq(contentItems.kind, 'issue'), isNull(contentItems.removedAt)))
    .orderBy(desc(contentItems.day), contentItems.id)
  const issues = rows.map(({ path, ...issue }) => ({ ...issue, slug: path.slice(path.lastIndexOf('/') + 1) }))
  const isOfMonth = ({ date }: { date: string }) => month === null || date.startsWith(month)
  const hasTag = ({ tags }: { tags: readonly string[] }) => tag === null || tags.includes(tag)
  return archiveCall.output.parse({
    issues: issues.filter((issue) => isOfMonth(issue) && hasTag(issue)),
    months: countBy(issues.filter(hasTag).map(({ date }) => date.slice(0, 7))).map(([key, count]) => ({
      month: key,
      count,
    })),
    tags: countBy(issues.filter(isOfMonth).flatMap(({ tags }) => tags))
      .toSorted(([a], [b]) =>
        optionLabel(publication, 'focusAreas', a).localeCompare(optionLabel(publication, 'focusAreas', b)),
      )
      .map(([key, count]) => ({ tag: key, count })),
  })
}

function countBy(keys: readonly string[]): [key: string, count: number][] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts]
}

/** Weights of body, summary, headings and title. A body's weight depends on its length. */
const fieldWeights = sql`array[body_weight, 0.3, 0.4, 1]::real[]`

/** Exponent below 1: a word in the body counts for more beside one in the title. */
const flattening = 0.8

/** From this rank on, a word counts in full. A long guide contains nearly every word, with a lower rank. */
const fullRank = 0.2

/** Ranking reads every candidate. */
const maxCandidates = 400
/** Stems below this weight are synonyms or guesses. If they are common, they don't find anything on their own. */
const minCommonWeight = 0.5

/** Results with less than this share of the best score, and of the most words of the query, are noise. */
const minScoreShare = 0.3
const minCoveredShare = 0.6

type Search = SearchFilters & {
  userId: string
  query: string
  isTyping: boolean
  limit: number
  cursor: string | null
  /** Bought items, for someone to whom nothing else is open. */
  only?: OwnedItems | null
  /** Pages that the publisher hides. */
  hiddenPages: readonly BuiltInPage[]
}

/** Searches what is published now. An empty query finds what the filters allow, the newest first. */
export async function searchItems(db: Db, search: Search): Promise<SearchAnswer> {
  const isBlank = search.query.trim() === ''
  let query = await readQuery(db, search.query, search.isTyping)
  const { hiddenPages: _hidden, only: _only, ...filters } = search
  const hasFilter =
    Object.values(filters).some((value) => Array.isArray(value) && value.length > 0) || search.saved || search.tried
  if (query.terms.length === 0 && !(isBlank && hasFilter)) {
    return { items: [], counts: {}, corrections: [], nextCursor: null }
  }
  const offset = Number.parseInt(search.cursor ?? '0', 10) || 0
  const readPage = (where: 'anywhere' | 'selective') =>
    queryRows<Row>(db, pageQuery(query, search, Math.max(offset, 0), where))
  let rows = await readPage('selective')
  // Common words may be in no title, and with a filter the items that have them are few.
  if (rows[0]?.counts === null && query.terms.length > 0) rows = await readPage('anywhere')
  if (rows[0]?.counts === null && query.isCompound) {
    // No item has the words joined, so they are searched like any others.
    query = { ...query, isCompound: false }
    rows = await readPage('anywhere')
  }
  const items = rows.filter((row) => row.id !== null)
  return {
    items: items.slice(0, search.limit).map((row) => toResult(row, query)),
    counts: rows[0]?.counts ?? {},
    corrections: query.corrections,
    nextCursor: items.length > search.limit ? String(offset + search.limit) : null,
  }
}

type Row = {
  kind: SearchKind
  id: string
  path: string
  title: string
  summary: string
  body: string
  parent_title: string
  day: string | null
  level: SearchResult['level']
  counts: SearchAnswer['counts'] | null
}

/** The summary, unless the body has more of the words. */
function toResult(row: Row, { isMatch }: ReadQuery): SearchResult {
  const fromSummary = findExcerpt(row.summary, isMatch)
  const fromBody = findExcerpt(row.body, isMatch)
  const { text, marks } = fromBody.matches > fromSummary.matches || row.summary === '' ? fromBody : fromSummary
  return {
    kind: row.kind,
    id: row.id,
    path: row.path,
    title: markMatches(row.title, isMatch),
    excerpt: { text, marks },
    parentTitle: row.parent_title,
    day: row.day,
    level: row.level,
  }
}

/** The pages of bought items, for readers to whom the portal is closed. */
const ownPath = sql`case i.kind when 'guide' then '/items/guide/' || i.id else '/items/prompt-pack/' || i.parent_id end`

/** One page of results, in a row each, with the counts of all. There is always one row. */
function pageQuery(query: ReadQuery, search: Search, offset: number, where: 'anywhere' | 'selective'): SQL {
  const { kinds, limit } = search
  const isKind = kinds.length > 0 ? sql`kind = any(${sql.param(kinds)}::text[])` : sql`true`
  return sql`
    with matches as (
      select kind, id, published_at, covered, score from content_items,
        lateral (select ${fieldWeights} as weights offset 0) as fields, lateral ${scoresOf(query)}
      where removed_at is null and ${candidatesOf(query, where)} and ${facetsOf(search)}
    ), ranked as (
      select * from matches where score >= ${minScoreShare}::real * (select max(score) from matches)
        or covered >= ${minCoveredShare}::real * (select max(covered) from matches)
    ), page as (
      select * from ranked where ${isKind} order by score desc, published_at desc, kind, id limit ${limit + 1} offset ${offset}
    )
    select i.kind, i.id, ${search.only ? ownPath : sql`i.path`} as path, i.title, i.summary, i.body, i.parent_title, i.day::text as day, i.level,
      (select json_object_agg(kind, count) from (select kind, count(*) from ranked group by kind) as per_kind) as counts
    from (select) as always left join page on true left join content_items i on i.kind = page.kind and i.id = page.id
    order by page.score desc, page.published_at desc, page.kind, page.id`
}

function facetsOf({ userId, focusAreas, levels, verticals, saved, tried, only, hiddenPages }: Search): SQL {
  const hidden = hiddenPages.flatMap((page) => [...builtInPages[page].hrefs])
  const conditions = [
    only != null &&
      sql`(kind = 'guide' and id = any(${sql.param(only.guides)}::text[])
        or kind = 'prompt' and parent_id = any(${sql.param(only.packs)}::text[]))`,
    hidden.length > 0 && sql`not (kind = 'page' and split_part(path, '#', 1) = any(${sql.param(hidden)}::text[]))`,
    focusAreas.length > 0 && sql`focus_areas && ${sql.param(focusAreas)}::text[]`,
    levels.length > 0 && sql`level = any(${sql.param(levels)}::text[])`,
    verticals.length > 0 && sql`verticals && ${sql.param(verticals)}::text[]`,
    saved &&
      sql`exists (select from saved_items s
        where s.user_id = ${userId} and s.kind = content_items.kind and s.item_id = content_items.id and s.saved)`,
    tried &&
      sql`exists (select from tries t where t.user_id = ${userId} and t.kind = content_items.kind
        and t.item_id = content_items.id and t.outcome is not null)`,
  ]
  return sql.join([sql`true`, ...conditions.filter((condition) => condition !== false)], sql` and `)
}

/** Lexemes have only letters and digits, so they need no escaping. */
const anyOf = (lexemes: Iterable<string>): SQL =>
  sql`${[...lexemes].map((lexeme) => `'${lexeme}'`).join(' | ')}::tsquery`

/**
 * Items worth ranking. Those with a rare stem or two of the common ones are few; if there are only common stems, those
 * with one in the title.
 */
function candidatesOf(query: ReadQuery, where: 'anywhere' | 'selective'): SQL {
  const { terms, total } = query
  if (terms.length === 0) return sql`true`
  const required = requiredBy(query)
  const stems = terms
    .flatMap(({ lexemes }) => [...lexemes].map(([lexeme, stem]) => ({ lexeme, ...stem })))
    // Synonyms and guesses last.
    .toSorted((a, b) => Number(a.weight < minCommonWeight) - Number(b.weight < minCommonWeight) || a.items - b.items)
  if (where === 'anywhere' || total <= maxCandidates)
    return sql`${required} and search @@ ${anyOf(stems.map(({ lexeme }) => lexeme))}`
  let sum = 0
  const rare = stems.filter(({ items }) => {
    if (sum + items > maxCandidates) return false
    sum += items
    return true
  })
  const common = stems.filter((stem) => stem.weight >= minCommonWeight && !rare.includes(stem))
  const alternatives = rare.map(({ lexeme }) => `'${lexeme}'`)
  for (const [index, first] of common.entries()) {
    for (const second of common.slice(index + 1)) {
      sum += (first.items * second.items) / total
      if (sum <= 1.5 * maxCandidates) alternatives.push(`'${first.lexeme}' & '${second.lexeme}'`)
    }
  }
  const found = alternatives.length > 0 ? [sql`search @@ ${alternatives.join(' | ')}::tsquery`] : []
  // The expression of the index on titles.
  if (rare.length === 0 && common.length > 0)
    found.push(sql`ts_filter(search, '{a}') @@ ${anyOf(common.map(({ lexeme }) => lexeme))}`)
  if (found.length === 0) return candidatesOf(query, 'anywhere')
  return sql`${required} and (${sql.join(found, sql` or `)})`
}

function requiredBy({ operators: { phrases, excluded, compounds }, isCompound }: ReadQuery): SQL {
  const has = (words: string) => sql`search @@ phraseto_tsquery('english', ${words})`
  const conditions = [
    ...phrases.map((words) => sql`(numnode(phraseto_tsquery('english', ${words})) = 0 or ${has(words)})`),
    ...excluded.map((words) => sql`not ${has(words)}`),
    ...(isCompound ? compounds.map(hasCompound) : []),
  ]
  return sql.join([sql`true`, ...conditions], sql` and `)
}

/** The index leaves out words such as "no" and "up", so joined words are matched against the texts. */
function hasCompound(words: readonly string[]): SQL {
  const pattern = `\\m${words.join('[^[:alnum:]]+').replace(/(?<=\p{L}{3})s$/u, '')}`
  // The database's locale could tell I and i apart.
  return sql`concat_ws(' ', title, headings, summary, body) collate "C" ~* ${pattern}`
}

/** Share of the query's words, by how rare they are, and the sum of their ranks raised by it and by joined words. */
/** The short item of each drop about what changed names its subject in the title, and rarely answers a question about it. */
const shortItemShare = sql`(case when id like '%--what-changed' then 0.6 else 1 end)::real`

function scoresOf({ terms, operators: { compounds } }: ReadQuery): SQL {
  if (terms.length === 0) return sql`(select 1::real as covered, 1::real as score) as scores`
  const total = terms.reduce((sum, { idf }) => sum + idf, 0)
  const sumOf = (expression: (rank: SQL) => SQL) =>
    sql.join(
      terms.map(({ idf }, index) => sql`${idf / total}::real * ${expression(sql`${sql.identifier(`r${index}`)}`)}`),
      sql` + `,
    )
  const raise = sql.join([sql`1`, ...compounds.map((words) => sql`2 * (${hasCompound(words)})::int`)], sql` + `)
  const ranks = sql.join(
    terms.map((term, index) => sql`${rankOf(term)} as ${sql.identifier(`r${index}`)}`),
    sql`, `,
  )
  return sql`(
    select covered, (0.1 + 0.9 * covered) * sum * (${raise}) * ${shortItemShare} as score from (
      select ${sumOf((rank) => sql`least(1, ${rank} / ${fullRank}::real)`)} as covered, ${sumOf((rank) => rank)} as sum
      from (select ${ranks}) as ranks
    ) as sums
  ) as scores`
}

/** The best of the stems that stand for a word, 0 to 1. `ts_rank` divides by their number. */
function rankOf({ lexemes }: SearchTerm): SQL {
  const byWeight = Map.groupBy(lexemes, ([, { weight }]) => weight)
  const ranks = [...byWeight].map(([weight, entries]) => {
    const stems = entries.map(([lexeme]) => lexeme)
    return sql`${weight}::real * power(least(1, ${stems.length} * ts_rank(weights, search, ${anyOf(stems)})), ${flattening})`
  })
  return sql`greatest(${sql.join(ranks, sql`, `)})`
}
