import { formatList } from './format.ts'
import { type AiLevel, aiLevelLabels, aiLevels } from './preferences.ts'
import type { Reader } from './reader.ts'

/** What a section says about whom it serves; an empty list or no level says that it serves all alike. */
export type Rankable = {
  focusAreas: readonly string[]
  aiLevel: string | null
  goals: readonly string[]
  franchiseTypes: readonly string[]
}

export type Ranking = {
  /** Indices into the given list, each exactly once. */
  order: readonly number[]
  /** One short line on why the first stands first; null where the order was kept and nothing of the first is theirs. */
  reason: string | null
}

/**
 * The order in which a reader gets the sections of a letter, in portal and mail alike. Focus areas decide, then the AI
 * level, then goals, then the franchise type; in each of them what is meant for this reader stands before what is meant
 * for all, and that before what is meant for others. What fits alike stays in the given order.
 */
export function rankSections(sections: readonly Rankable[], reader: Reader): Ranking {
  const fits = sections.map((section) => fitOf(section, reader))
  const order = stableOrder(fits)
  const [first] = order
  const section = sections[first ?? 0]
  if (first === undefined || section === undefined) return { order, reason: null }
  // Somebody may ask why this one and not one that was written before it; where it was the first anyway, all others.
  const overtaken = fits.slice(0, first)
  const decisive = decisiveDimension(fits[first] ?? [], overtaken.length > 0 ? overtaken : fits)
  const personal = personalReason(section, reader, decisive)
  const kept = order.every((index, place) => index === place)
  return { order, reason: personal ?? (kept ? null : generalReason(reader, decisive)) }
}

/** Indices by keys that are compared place by place, smaller first; equal keys keep their order. */
export function stableOrder(keys: readonly (readonly number[])[]): number[] {
  return keys.map((_, index) => index).sort((a, b) => compare(keys[a] ?? [], keys[b] ?? []))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** For this reader, for all alike, for others. A reader who has told nothing is served alike by everything. */
const mine = 0
const everybodys = 1
const others = 2

const fitOfWords = (words: readonly string[], wanted: readonly string[]) => {
  if (wanted.length === 0) return mine
  if (words.length === 0) return everybodys
  return words.some((word) => wanted.includes(word)) ? mine : others
}

const levels: readonly string[] = aiLevels

function fitOfLevel(level: string | null, wanted: Reader['aiLevel']) {
  if (wanted === null) return mine
  if (level === null) return everybodys
  const steps = Math.abs(levels.indexOf(level) - levels.indexOf(wanted))
  return steps === 0 ? mine : everybodys + steps
}

const fitOf = (section: Rankable, reader: Reader): number[] => [
  fitOfWords(section.focusAreas, reader.focusAreas),
  fitOfLevel(section.aiLevel, reader.aiLevel),
  fitOfWords(section.goals, reader.goals),
  fitOfWords(section.franchiseTypes, reader.franchiseType === null ? [] : [reader.franchiseType]),
]

/** The weightiest place in which the first is better than any of the others; Infinity where all are as good. */
function decisiveDimension(first: readonly number[], behind: readonly (readonly number[])[]): number {
  const places = behind
    .filter((fit) => compare(first, fit) < 0)
    .map((fit) => first.findIndex((value, place) => value !== fit[place]))
  return Math.min(...places)
}

/** What of the section is this reader's: what decided if it is that, else the weightiest; null where nothing is. */
function personalReason(section: Rankable, reader: Reader, decisive: number): string | null {
  const shared = (words: readonly string[], wanted: readonly string[]) => wanted.filter((word) => words.includes(word))
  const areas = shared(section.focusAreas, reader.focusAreas)
  const goals = shared(section.goals, reader.goals)
  const reasons = [
    areas.length > 0 ? `Up front because you chose ${formatList(areas)}` : null,
    reader.aiLevel !== null && section.aiLevel === reader.aiLevel
      ? `Up front because it is for ${levelName(reader.aiLevel)} readers, as you are`
      : null,
    goals.length > 0 ? `Up front because you want to ${formatList(goals.map(decapitalize))}` : null,
    reader.franchiseType !== null && section.franchiseTypes.includes(reader.franchiseType)
      ? businessReason(reader.franchiseType)
      : null,
  ]
  return reasons[decisive] ?? reasons.find((reason) => reason !== null) ?? null
}

const businessReason = (type: string) =>
  type === 'Other' ? 'Up front because it is about businesses like yours' : `Up front because your business is ${type}`

/** Why something came forward that is not for this reader in particular: the others are even less so. */
const generalReason = ({ aiLevel }: Reader, decisive: number) =>
  decisive === 1 && aiLevel !== null
    ? `Up front because it is closest to your level, ${levelName(aiLevel)}`
    : 'Up front because it serves every business'

const levelName = (level: AiLevel) => aiLevelLabels[level].title.toLowerCase()
const decapitalize = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
