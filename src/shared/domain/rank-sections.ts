import { formatList } from './format.ts'
import { optionKeys, optionLabel, optionLabels, type Questions } from './preferences.ts'
import type { QuestionName } from './question-terms.ts'
import type { Reader } from './reader.ts'

/** The audience of a section. An empty list or a missing level means everyone. */
export type Rankable = {
  heading?: string
  focusAreas: readonly string[]
  aiLevel: string | null
  goals: readonly string[]
  franchiseTypes: readonly string[]
  /** Adjacent sections of the lead move together and keep their order. */
  partOfLead?: boolean
}

export type Ranking = {
  /** Indices into the given list, each exactly once. */
  order: readonly number[]
  /** Why the first section comes first; null if the order is unchanged and the first section matches nothing. */
  reason: string | null
}

/**
 * Orders sections for a reader, in the portal and in email. Sorts by focus areas, then AI level, goals and franchise
 * type; within each, sections for this reader come first, then sections for everyone, then the rest. Stable. The lead
 * is one unit, which fits a reader as well as the closest of its steps. A first section without a heading begins the
 * text and stays first.
 */
export function rankSections(publication: Questions, sections: readonly Rankable[], reader: Reader): Ranking {
  if (sections[0]?.heading === '') {
    const { order } = rankSections(publication, sections.slice(1), reader)
    return { order: [0, ...order.map((index) => index + 1)], reason: null }
  }
  const units = unitsOf(sections)
  const fits = units.map((unit) => closest(unit.map(({ section }) => fitOf(publication, section, reader))))
  const unitOrder = stableOrder(fits)
  const order = unitOrder.flatMap((index) => units[index] ?? []).map(({ index }) => index)
  const [first] = unitOrder
  const unit = units[first ?? 0]
  if (first === undefined || unit === undefined) return { order, reason: null }
  // Explain the first unit against those written before it, or against all others if it was already first.
  const overtaken = fits.slice(0, first)
  const decisive = decisiveDimension(fits[first] ?? [], overtaken.length > 0 ? overtaken : fits)
  const personal = personalReason(
    publication,
    unit.map(({ section }) => section),
    reader,
    decisive,
  )
  const kept = order.every((index, place) => index === place)
  return { order, reason: personal ?? (kept ? null : generalReason(publication, reader, decisive)) }
}

type Unit = { section: Rankable; index: number }[]

/** Sections that move together: adjacent steps of the lead, or a single section. */
function unitsOf(sections: readonly Rankable[]): Unit[] {
  const units: Unit[] = []
  for (const [index, section] of sections.entries()) {
    const continues = section.partOfLead === true && sections[index - 1]?.partOfLead === true
    if (continues) units.at(-1)?.push({ section, index })
    else units.push([{ section, index }])
  }
  return units
}

/** For each criterion, the best of the fits. */
const closest = ([first = [], ...others]: readonly number[][]): number[] =>
  first.map((fit, place) => Math.min(fit, ...others.map((other) => other[place] ?? fit)))

/** Sorts indices by keys compared element by element, smallest first. Stable. */
export function stableOrder(keys: readonly (readonly number[])[]): number[] {
  return keys.map((_, index) => index).sort((a, b) => compare(keys[a] ?? [], keys[b] ?? []))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** For this reader, for everyone, for others. Without preferences, every section is for everyone. */
const mine = 0
const everybodys = 1
const others = 2

const fitOfWords = (words: readonly string[], wanted: readonly string[]) => {
  if (wanted.length === 0) return mine
  if (words.length === 0) return everybodys
  return words.some((word) => wanted.includes(word)) ? mine : others
}

function fitOfLevel(publication: Questions, level: string | null, wanted: Reader['aiLevel']) {
  if (!wanted) return mine
  if (level === null) return everybodys
  if (level === wanted) return mine
  const levels = optionKeys(publication, 'aiLevel')
  return everybodys + Math.abs(levels.indexOf(level) - levels.indexOf(wanted))
}

const fitOf = (publication: Questions, section: Rankable, reader: Reader): number[] => [
  fitOfWords(section.focusAreas, reader.focusAreas),
  fitOfLevel(publication, section.aiLevel, reader.aiLevel),
  fitOfWords(section.goals, reader.goals),
  fitOfWords(section.franchiseTypes, reader.franchiseType === null ? [] : [reader.franchiseType]),
]

/** The most important criterion in which the first beats any other; Infinity if none. */
function decisiveDimension(first: readonly number[], behind: readonly (readonly number[])[]): number {
  const places = behind
    .filter((fit) => compare(first, fit) < 0)
    .map((fit) => first.findIndex((value, place) => value !== fit[place]))
  return Math.min(...places)
}

/** The match to name: the deciding criterion if it matches, else the most important match; null if none. */
function personalReason(
  publication: Questions,
  unit: readonly Rankable[],
  reader: Reader,
  decisive: number,
): string | null {
  const { aiLevel: level, franchiseType: type } = reader
  const levels = level && unit.some((section) => section.aiLevel === level) ? [level] : []
  const types = type !== null && unit.some((section) => section.franchiseTypes.includes(type)) ? [type] : []
  const reasons = [
    reasonFor(
      publication,
      'focusAreas',
      reader.focusAreas.filter((area) => unit.some((section) => section.focusAreas.includes(area))),
    ),
    reasonFor(publication, 'aiLevel', levels, ([name = '']) => `it’s for ${name.toLowerCase()} readers like you`),
    reasonFor(
      publication,
      'goals',
      reader.goals.filter((goal) => unit.some((section) => section.goals.includes(goal))),
      (names) => `you want to ${formatList(names.map(decapitalize))}`,
    ),
    reasonFor(publication, 'franchiseType', types, ([name]) =>
      type === 'Other' ? 'it’s about businesses like yours' : `your business is ${name}`,
    ),
  ]
  return reasons[decisive] ?? reasons.find((reason) => reason !== null) ?? null
}

/** @param inWords a sentence for the specification's options, which needn't read well with the publisher's */
function reasonFor(
  publication: Questions,
  question: QuestionName,
  chosen: readonly string[],
  inWords?: (names: readonly string[]) => string,
): string | null {
  if (chosen.length === 0) return null
  const names = optionLabels(publication, question, chosen)
  return `Up front because ${inWords && !publication.questions[question] ? inWords(names) : `you chose ${formatList(names)}`}`
}

/** The reason when the first section matches nothing of the reader's: the others match even less. */
const generalReason = (publication: Questions, { aiLevel }: Reader, decisive: number) =>
  decisive === 1 && aiLevel
    ? `Up front because it’s closest to ${publication.questions.aiLevel ? 'what you chose' : 'your level'}, ${optionLabel(publication, 'aiLevel', aiLevel).toLowerCase()}`
    : `Up front because it ${publication.questions.franchiseType ? 'is for everyone' : 'fits every business'}`

const decapitalize = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
