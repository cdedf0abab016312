import { type IssueSectionDraft, maxSections } from '#shared/contracts/publishing/documents.ts'
import { isUntitledText } from '#shared/domain/derive-issue.ts'
import { keepSectionIds } from './keep-section-ids.ts'
import { newSectionSettings, newTextSettings } from './new-section-settings.ts'

/** The sections of a drop as one Markdown text, in which `## ` begins a section. */
export type SectionSource = {
  text: string
  sections: IssueSectionDraft[]
  /** Where each section is in the text; `body` is where its text begins. */
  ranges: readonly Range[]
  /** Sections whose heading was removed, which an undo or a paste can bring back. */
  removed: readonly IssueSectionDraft[]
}

type Range = { from: number; body: number; to: number }

const between = '\n\n'
const maxRemoved = 20

export function sourceOfSections(sections: readonly IssueSectionDraft[]): SectionSource {
  let text = ''
  const ranges = sections.map((section, index) => {
    if (index > 0) text += between
    const from = text.length
    if (!isUntitledText(section, index)) text += `## ${section.heading}${between}`
    const body = text.length
    text += section.body.replaceAll(/\r\n?/g, '\n')
    return { from, body, to: text.length }
  })
  return { text, sections: sections as IssueSectionDraft[], ranges, removed: [] }
}

/** The line where the heading or the text of a section begins, counted from 1. */
export function lineOfSection({ text, ranges }: SectionSource, index: number, part: 'heading' | 'body'): number {
  const range = ranges[index]
  return text.slice(0, part === 'heading' ? range?.from : range?.body).split('\n').length
}

/**
 * The sections after an edit of the text. A line that begins with `## ` begins a section if it did before or if the edit
 * changed it, so that such a line inside an older section stays there.
 */
export function editSource(before: SectionSource, text: string): SectionSource {
  const change = changeOf(before.text, text)
  const starts = findStarts(before, text, change)
  const pieces = starts.map((start, index) => {
    const end = starts[index + 1]?.at ?? text.length + between.length
    return untouchedPiece(before, start, end - between.length, change) ?? readPiece(text, start, starts[index + 1]?.at)
  })
  const isBlank = ({ heading, body }: Piece) => heading === null && body.trim() === ''
  const kept = pieces.filter((piece) => pieces.length === 1 || !isBlank(piece))
  const sections = nameSections(before, kept)
  const ids = new Set(sections.map(({ id }) => id))
  const gone = before.sections.filter(({ id }) => !ids.has(id))
  const removed = [...before.removed, ...gone].slice(-maxRemoved)
  return { text, sections, ranges: kept.map(({ range }) => range), removed }
}

/** The text between `from` and `to` was replaced; the rest moved by `shift`. */
type Change = { from: number; to: number; shift: number }

function changeOf(before: string, after: string): Change {
  const shift = after.length - before.length
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let end = 0
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end += 1
  let to = before.length - end
  // A heading that is inserted before another one, not after the other's `## `.
  const [longer, length] = shift > 0 ? [after, shift] : [before, -shift]
  const isPure = shift > 0 ? from === to : from === to + shift
  while (isPure && from > 0 && longer[from - 1] !== '\n' && longer[from - 1] === longer[from - 1 + length]) {
    from -= 1
    to -= 1
  }
  return { from, to, shift }
}

type Start = { at: number; owner: number | null }

function findStarts({ ranges }: SectionSource, text: string, { from, to, shift }: Change): Start[] {
  const owners = new Map<number, number>()
  for (const [index, range] of ranges.entries()) {
    const isText = range.from === range.body
    if (range.from >= to && !isText) owners.set(range.from + shift, index)
    else if (range.from <= from) owners.set(range.from, index)
  }
  const starts: Start[] = []
  let fence: string | null = null
  for (let at = 0; at <= text.length; ) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd < 0 ? text.length : lineEnd
    const line = text.slice(at, end)
    const owner = owners.get(at) ?? null
    const isChanged = end >= from && (to + shift > at || (from === at && to + shift === at))
    const isNew = isChanged && fence === null && /^##[ \t]+\S/.test(line) && starts.length < maxSections
    if (at === 0 || (owner !== null ? isHeading(line) : isNew)) {
      starts.push({ at, owner })
      fence = null
    } else {
      const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
      if (fence === null) fence = mark || null
      else if (mark.startsWith(fence)) fence = null
    }
    at = end + 1
  }
  return starts
}

const isHeading = (line: string) => /^##(?:[ \t]|$)/.test(line)

/** A section of the text; `heading` is null for the text at the start. */
type Piece = {
  range: Range
  heading: string | null
  body: string
  /** The section that began here before. */
  owner: number | null
  isUntouched: boolean
}

function untouchedPiece({ ranges, sections }: SectionSource, start: Start, end: number, change: Change): Piece | null {
  const [range, section] = [ranges[start.owner ?? -1], sections[start.owner ?? -1]]
  if (!range || !section) return null
  const isBefore = range.to + between.length <= change.from
  const by = isBefore ? 0 : change.shift
  if ((!isBefore && range.from - between.length < change.to) || range.to + by !== end) return null
  const heading = start.owner === 0 && isUntitledText(section, 0) ? null : section.heading
  const moved = { from: range.from + by, body: range.body + by, to: range.to + by }
  return { range: moved, heading, body: section.body, owner: start.owner, isUntouched: true }
}

function readPiece(text: string, { at: from, owner }: Start, next: number | undefined): Piece {
  const written = text.slice(from, next)
  const to = from + (next === undefined ? written : written.replace(/\n{1,2}$/, '')).length
  const [line] = written.split('\n', 1) as [string]
  const hasHeading = isHeading(line) && (owner !== null || from > 0 || /^##[ \t]+\S/.test(line))
  const afterHeading = /^[^\n]*\n{0,2}/.exec(written)?.[0].length ?? 0
  const body = hasHeading ? Math.min(to, from + afterHeading) : from
  const heading = hasHeading ? line.slice(2).trim() : null
  return { range: { from, body, to }, heading, body: text.slice(body, to), owner, isUntouched: false }
}

const paragraphs = (body: string) => body.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')

function nameSections({ sections, removed }: SectionSource, pieces: readonly Piece[]): IssueSectionDraft[] {
  const known = new Set(sections.map(({ id }) => id))
  const back = removed.filter(({ id }) => !known.has(id))
  const ids = keepSectionIds(
    [...sections, ...back].map(({ id, body }) => ({ id, blocks: paragraphs(body) })),
    pieces.map(({ owner, body }) => ({ id: sections[owner ?? -1]?.id ?? null, blocks: paragraphs(body) })),
  )
  let previous: IssueSectionDraft | null = null
  return pieces.map(({ owner, heading, body, isUntouched }, index) => {
    const own = sections[owner ?? -1]
    const id = ids[index] ?? crypto.randomUUID()
    const restored = back.find((section) => section.id === id)
    const next = sections[pieces[index + 1]?.owner ?? -1] ?? null
    const begun = { count: index, previous, next, hasText: body.trim() !== '' }
    const settings = own ?? restored ?? (heading === null ? newTextSettings() : newSectionSettings(begun))
    const section = own?.id === id && isUntouched ? own : { ...settings, id, heading: heading ?? '', body }
    previous = section
    return section
  })
}
