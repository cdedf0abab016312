import { type SQL, sql } from 'drizzle-orm'
import { searchWords } from '#shared/domain/search-words.ts'

/** Texts of an item by weight, the most important first. */
export type SearchTexts = {
  title: string
  headings: readonly string[]
  summary: string
  /** Text of the file, for guides. */
  body: string
}

/** A tsvector holds at most 1 MB. */
const maxTextLength = 200_000

/** Longer bodies weigh less. */
const fullWeightWords = 300
const bodyWeight = 0.2

/** The part of a text that is stored and searched. PostgreSQL can't store lone surrogates. */
export const searchableBody = (text: string): string => text.slice(0, maxTextLength).toWellFormed()

/** The index columns of an item. The index splits words like `searchWords`, then stems them. */
export function searchColumns({ title, headings, summary, body }: SearchTexts): {
  search: SQL<string>
  bodyWeight: number
} {
  const bodyWords = searchWords(searchableBody(body))
  const part = (words: readonly string[], weight: 'A' | 'B' | 'C' | 'D') =>
    sql`setweight(to_tsvector('english', ${words.join(' ').slice(0, maxTextLength)}), ${sql.raw(`'${weight}'`)})`
  const parts = [
    part(searchWords(title), 'A'),
    part(searchWords(headings.join(' ')), 'B'),
    part(searchWords(summary), 'C'),
    part(bodyWords, 'D'),
  ]
  return {
    search: sql`(${sql.join(parts, sql` || `)})`,
    bodyWeight: bodyWeight / (1 + Math.log(Math.max(bodyWords.length, fullWeightWords) / fullWeightWords)),
  }
}
