import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { lexemeOf } from '#server/features/library/content/search-vocabulary.ts'
import { foldLetters, searchWords } from '#shared/domain/search-words.ts'
import { editDistance, swappedNeighbors } from './edit-distance.ts'
import { type Operators, readOperators } from './read-operators.ts'
import { relatedWords, synonymsOf } from './synonyms.ts'

/** Later words of a query don't count. */
const maxWords = 16
/** The number of the rarest words that results are ranked by. */
const maxTerms = 8
/** Words that a prefix or a typo may stand for. */
const maxGuesses = 6
const minCorrectedLength = 4

const synonymWeight = 0.12
const prefixWeight = 0.8
/** Words of a question that say little about its subject, or only what it is like, count this much. */
const fillerWeight = 0.3
const fillers = new Set(
  'allowed angry anyone anything bad best better define definition difficult does doing explain get getting give go going good help know let like look looking lot make making many may mean means meaning much need negative new nasty ok okay one please really right show someone something take tell thing things today try unhappy upset use using want way ways work year'.split(
    ' ',
  ),
)

/** A stem that a word of the query finds. */
type Stem = { weight: number; items: number }

/** One word of the query: its stems, and how rare it is. */
export type SearchTerm = { word: string; lexemes: ReadonlyMap<string, Stem>; idf: number }

export type ReadQuery = {
  terms: SearchTerm[]
  /** Number of all items. */
  total: number
  /** Words to highlight, as in the index. */
  isMatch: (word: string) => boolean
  corrections: { from: string; to: string }[]
  /** Words that items must and must not contain, and joined words. */
  operators: Pick<Operators, 'phrases' | 'excluded' | 'compounds'>
  /** True if the query is nothing but joined words, such as "no-shows". */
  isCompound: boolean
}

type Found = {
  source: 'asked' | 'form' | 'similar' | 'prefix' | 'swapped'
  asked: string
  word: string
  lexeme: string
  items: number
}

/** Reads a query with the vocabulary: stems, prefixes, synonyms, and what misspelled words stand for. */
export async function readQuery(db: Db, query: string, isTyping: boolean): Promise<ReadQuery> {
  const { text, ...operators } = readOperators(query)
  const typed = [...new Set(searchWords(text))].slice(0, maxWords)
  // Quoted words are meant literally.
  const related = operators.phrases.length > 0 ? [] : relatedWords(typed).filter((word) => !typed.includes(word))
  const words = [...typed, ...related]
  const prefix = isTyping && /[\p{L}\p{N}]$/u.test(foldLetters(query)) ? (typed.at(-1) ?? null) : null
  if (words.length === 0)
    return { terms: [], total: 0, isMatch: () => false, corrections: [], operators, isCompound: false }
  const synonyms = new Map(words.map((word) => [word, synonymsOf(word)]))
  const found = await findWords(db, words, [...new Set([...synonyms.values()].flat())], prefix)
  const total = found.find(({ source, word }) => source === 'asked' && word === '')?.items ?? 0
  const askedOf = new Map(found.filter(({ source }) => source === 'asked').map((row) => [row.word, row]))
  const corrections: ReadQuery['corrections'] = []

  const terms = words.flatMap((word): SearchTerm[] => {
    const asked = askedOf.get(word)
    const lexemes = new Map<string, Stem>()
    const add = (lexeme: string, weight: number) => {
      if (lexeme && weight > (lexemes.get(lexeme)?.weight ?? 0)) {
        lexemes.set(lexeme, { weight, items: Math.min(itemsOf(lexeme, found), total) })
      }
    }
    if (asked && asked.items > 0) add(asked.lexeme, 1)
    if (word === prefix && (asked?.lexeme || words.length === 1)) {
      for (const row of found) if (row.source === 'prefix') add(row.lexeme, prefixWeight)
    }
    if (lexemes.size === 0 && asked?.lexeme && !related.includes(word)) {
      const guesses = guessWords(word, word === prefix, found)
      for (const { row, weight } of guesses) add(row.lexeme, weight)
      const [best] = guesses
      if (best) corrections.push({ from: word, to: best.row.word })
    }
    const items = Math.max(0, ...[...lexemes.values()].map((stem) => stem.items))
    // A stop word such as "how" has no stem, so its synonyms don't count either.
    if (asked?.lexeme) {
      for (const synonym of synonyms.get(word) ?? []) {
        const other = askedOf.get(synonym)
        if (other && other.items > 0) add(other.lexeme, synonymWeight)
      }
    }
    if (lexemes.size === 0) return []
    const counted = items || Math.min(...[...lexemes.values()].map((stem) => stem.items))
    const idf = (fillers.has(word) ? fillerWeight : 1) * Math.log(1 + total / Math.max(counted, 1))
    return [{ word, lexemes, idf }]
  })

  const compounds = operators.compounds.filter((joined) => needsOrder(joined, askedOf))
  const matched = new Set(
    terms.flatMap(({ lexemes }) =>
      [...lexemes].flatMap(([lexeme, { weight }]) => (weight > synonymWeight ? [lexeme] : [])),
    ),
  )
  const rarest = terms.toSorted((a, b) => b.idf - a.idf).slice(0, maxTerms)
  const forms = new Set(found.filter((row) => matched.has(row.lexeme)).map(({ word }) => word))
  return {
    terms: terms.filter((term) => rarest.includes(term)),
    total,
    isMatch: (word) =>
      forms.has(word) || (prefix !== null && askedOf.get(prefix)?.lexeme !== '' && word.startsWith(prefix)),
    corrections,
    operators: { ...operators, compounds },
    isCompound:
      compounds.length > 0 && terms.every(({ word }) => compounds.flat().some((part) => word.startsWith(part))),
  }
}

/** Words of "no-shows" or "24/7" say little on their own; those of "AI-written" rank like any others. */
const needsOrder = (words: readonly string[], asked: ReadonlyMap<string, Found>) =>
  words.some((word) => /\d/.test(word)) || words.filter((word) => asked.get(word)?.lexeme).length < 2

const itemsOf = (lexeme: string, found: readonly Found[]) =>
  found.find((row) => row.source === 'asked' && row.lexeme === lexeme)?.items ??
  Math.max(0, ...found.filter((row) => row.lexeme === lexeme).map(({ items }) => items))

/** The words that a misspelled one probably stands for. While it is typed, only its start has to be close. */
function guessWords(word: string, isPrefix: boolean, found: readonly Found[]) {
  if (word.length < minCorrectedLength) return []
  const maxDistance = word.length < 6 ? 1 : word.length < 10 ? 2 : 3
  const distanceTo = (other: string) => {
    const whole = editDistance(word, other)
    return isPrefix ? Math.min(whole, editDistance(word, other.slice(0, word.length)) + 0.5) : whole
  }
  return (
    found
      .filter(({ source, asked }) => source === 'swapped' || (source === 'similar' && asked === word))
      .map((row) => ({ row, distance: distanceTo(row.word) }))
      .filter(({ row, distance }) => row.lexeme !== '' && distance <= maxDistance)
      // Few people mistype the first letter and another one.
      .filter(({ row, distance }) => distance <= 1 || row.word[0] === word[0])
      .sort((a, b) => a.distance - b.distance || b.row.items - a.row.items || (a.row.word < b.row.word ? -1 : 1))
      .slice(0, 3)
      .map(({ row, distance }) => ({ row, weight: 0.9 - 0.2 * distance }))
  )
}

/** All of it in one statement. Stop words have an empty lexeme. */
async function findWords(db: Db, words: string[], synonyms: string[], prefix: string | null): Promise<Found[]> {
  const asked = [...new Set([...words, ...synonyms])]
  const long = words.filter((word) => word.length >= minCorrectedLength)
  const swapped = [...new Set(long.flatMap(swappedNeighbors))]
  const startsWith = prefix === null || (prefix.length < 2 && words.length > 1) ? null : `${prefix}%`
  return queryRows<Found>(
    db,
    sql`with asked as materialized (
        select word, ${lexemeOf(sql`word`)} as lexeme from unnest(${sql.param(asked)}::text[]) as q (word)
      ), forms as materialized (
        select w.word, w.lexeme, w.items from search_vocabulary w
        where w.lexeme in (select lexeme from asked where lexeme <> '')
      ), counted as materialized (
        select a.word, a.lexeme, coalesce(sum(f.items), 0)::int as items
        from asked a left join forms f on f.lexeme = a.lexeme group by 1, 2
      )
      select 'asked' as source, word as asked, word, lexeme, items from counted
      union all select 'asked', '', '', '', items from search_vocabulary where word = ''
      union all select 'form', word, word, lexeme, items from forms
      union all select 'similar', c.word, s.word, s.lexeme, s.items
        from counted c, lateral (
          select * from search_vocabulary w where w.word % c.word order by similarity(w.word, c.word) desc, w.word limit 12
        ) s where c.items = 0 and c.word = any(${sql.param(long)}::text[])
      union all select 'swapped', '', word, lexeme, items from search_vocabulary
        where word = any(${sql.param(swapped)}::text[])
      union all (select 'prefix', '', word, lexeme, items from search_vocabulary
        where word like ${startsWith} and lexeme <> '' order by items desc, word limit ${maxGuesses})`,
  )
}
