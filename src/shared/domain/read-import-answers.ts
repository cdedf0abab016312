import type { Questions } from './preferences.ts'
import type { QuestionName } from './question-terms.ts'
import { findOption, questionName, questionNames } from './questions.ts'

/** A member's answers to the questions of the specification, as keys of options. */
export type ImportedPreferences = {
  focusAreas: string[]
  aiLevel: string
  goals: string[]
  franchiseType: string | null
}

type ReadAnswers = { preferences: ImportedPreferences | null; problem: null } | { problem: string }

const isSingle: Record<QuestionName, boolean> = { focusAreas: false, aiLevel: true, goals: false, franchiseType: true }
const maxQuoted = 40

/**
 * Reads the cells of a line. Members answer the focus areas and the level together, so a line has both or no answers at
 * all. Retired options count, too.
 * @returns null without answers
 */
export function readImportAnswers(publication: Questions, cellOf: (question: QuestionName) => string): ReadAnswers {
  const found: Record<QuestionName, string[]> = { focusAreas: [], aiLevel: [], goals: [], franchiseType: [] }
  for (const question of questionNames) {
    const cell = cellOf(question)
    const { keys, unknown } = readOptions(publication, question, cell)
    const name = questionName(publication, question)
    if (unknown !== null) return { problem: `“${shorten(unknown)}” isn’t an answer to “${name}”.` }
    if (isSingle[question] && keys.length > 1) return { problem: `“${name}” takes one answer, not “${shorten(cell)}”.` }
    found[question] = keys
  }
  if (questionNames.every((question) => found[question].length === 0)) return { preferences: null, problem: null }
  const { focusAreas, aiLevel, goals, franchiseType } = found
  const [level] = aiLevel
  if (focusAreas.length === 0 || level === undefined) {
    const missing = questionName(publication, focusAreas.length === 0 ? 'focusAreas' : 'aiLevel')
    return { problem: `The line has answers but none to “${missing}”, which every member answers.` }
  }
  return { preferences: { focusAreas, aiLevel: level, goals, franchiseType: franchiseType[0] ?? null }, problem: null }
}

/** Options separated by commas or semicolons. The longest match counts, because labels can contain separators. */
function readOptions(publication: Questions, question: QuestionName, cell: string) {
  const starts = [0, ...[...cell.matchAll(/[,;]/g)].map(({ index }) => index + 1)]
  const keys: string[] = []
  for (let at = 0; at < starts.length; ) {
    const ends = [...starts.slice(at + 1).map((start) => start - 1), cell.length]
    const texts = ends.map((end) => cell.slice(starts[at], end).trim())
    const length = texts.findLastIndex((text) => keyOf(publication, question, text) !== undefined) + 1
    const [first = ''] = texts
    if (length === 0 && first !== '') return { keys, unknown: first }
    const key = keyOf(publication, question, texts[length - 1] ?? '')
    if (key !== undefined) keys.push(key)
    at += Math.max(length, 1)
  }
  return { keys: [...new Set(keys)], unknown: null }
}

/** Exports put an apostrophe before what a spreadsheet would run as a formula. */
const keyOf = (publication: Questions, question: QuestionName, text: string) =>
  findOption(publication, question, text) ?? findOption(publication, question, text.replace(/^'/, ''))

const shorten = (text: string) => text.slice(0, maxQuoted).replace(/[\ud800-\udbff]$/, '')
