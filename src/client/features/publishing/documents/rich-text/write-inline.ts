import type { Fragment, Mark, Node } from 'prosemirror-model'
import { quoteTitle } from '../markdown-commands.ts'
import { type Escaping, encodeEnds, escapeLineStart, escapeText } from './escape-text.ts'
import { has, type Run, runsOf, signature } from './inline-runs.ts'
import { parseInline, type References } from './read-inline.ts'

type Place = {
  references: References | null
  /** In headings and table cells, a line break is a space. */
  isOneLine?: boolean
  /** True if it is the first paragraph of a quotation. */
  isQuoted?: boolean
  /** True if the line above belongs to the same paragraph. */
  followsLine?: boolean
}

type Style = { escaping: Escaping; em: '*' | '_' | null; encodes?: boolean }

/** From as it is typed to as it is surely read. */
const styles: readonly Style[] = [
  { escaping: 'none', em: null },
  { escaping: 'none', em: '_' },
  ...(['emphasis', 'all'] as const).flatMap((escaping) =>
    ([null, '*', '_'] as const).map((em): Style => ({ escaping, em })),
  ),
  { escaping: 'all', em: '*', encodes: true },
  { escaping: 'all', em: '_', encodes: true },
]

/** The Markdown of a line or paragraph, with as few escapes as it is read back the same. */
export function writeInline(content: Fragment, place: Place): string {
  const found = runsOf(content)
  const runs = place.isOneLine ? found.map(onOneLine) : found
  if (runs.length === 0) return ''
  const wanted = signature(runs)
  let written = ''
  for (const style of styles) {
    written = linesOf(writeRuns(runs, style), place)
    if (signature(runsOf(parseInline(written, place.references))) === wanted) break
  }
  return written
}

const onOneLine = (run: Run): Run =>
  run.node?.type.name === 'hard_break' || has(run, 'line_end')
    ? { text: ' ', node: null, marks: run.marks.filter(({ type }) => type.name !== 'line_end') }
    : run

function linesOf(written: string, { isOneLine = false, isQuoted = false, followsLine = false }: Place): string {
  if (isOneLine) return written
  const text = written
    .split('\n')
    .map((line, index) => escapeLineStart(line, { isFirst: index === 0 && !followsLine, isQuoted }))
    .join('\n')
  // A definition of a link, whose label may have several lines.
  return /^\[(?:[^[\]\\]|\\.)*\]:/s.test(text) ? `\\${text}` : text
}

const isWritten = ({ type }: Mark) => type.name !== 'code' && type.name !== 'line_end'

function writeRuns(runs: readonly Run[], style: Style): string {
  let text = ''
  let open: Mark[] = []
  for (const [index, run] of runs.entries()) {
    const marks = run.marks.filter(isWritten)
    const isIn = (mark: Mark, other: Run | undefined) => other?.marks.some((another) => another.eq(mark)) ?? false
    const firstClosed = open.findIndex((mark) => !isIn(mark, run))
    const kept = firstClosed < 0 ? open : open.slice(0, firstClosed)
    const closed = open.slice(kept.length)
    for (const mark of closed.reverse()) text += closing(mark, style)
    /** How many of the next runs a mark covers. Those that cover the most are outside. */
    const reach = (mark: Mark) => {
      let end = index
      while (isIn(mark, runs[end])) end += 1
      return end
    }
    const opened = marks
      .filter((mark) => !kept.some((other) => other.eq(mark)))
      .sort((one, other) => reach(other) - reach(one) || Number(isLink(other)) - Number(isLink(one)))
    for (const mark of opened) text += opening(mark, style)
    open = [...kept, ...opened]
    const next = runs[index + 1]
    const changesAfter = open.some((mark) => !isIn(mark, next)) || next?.marks.some((mark) => !isIn(mark, run))
    text += writeRun(run, style, [
      closed.length > 0 && opened.length === 0,
      !!changesAfter && !!next && open.length === 0,
    ])
  }
  for (const mark of open.reverse()) text += closing(mark, style)
  return text
}

const isLink = ({ type }: Mark) => type.name === 'link'

function writeRun(run: Run, { escaping, encodes }: Style, [atStart, atEnd]: [boolean, boolean]): string {
  if (run.node) return writeNode(run.node)
  if (has(run, 'line_end')) return '\n'
  if (has(run, 'code')) return writeCode(run.text)
  const link = run.marks.find(isLink)
  if (link?.attrs.isAutomatic && link.attrs.href === run.text) return run.text
  const escaped = escapeText(run.text, escaping)
  return encodes ? encodeEnds(escaped, atStart, atEnd) : escaped
}

function writeNode({ type, attrs }: Node): string {
  if (type.name === 'hard_break') return '\\\n'
  if (type.name === 'merge_field') return String(attrs.written)
  return writeImage(String(attrs.src), String(attrs.alt), attrs.title as string | null)
}

export const writeImage = (src: string, alt: string, title: string | null = null): string =>
  `![${escapeText(alt, /[[\]\\`*_<&!]/.test(alt) ? 'all' : 'none')}](${writeAddress(src, title)})`

/** Address and title of a link, as they are between parentheses. */
export function writeAddress(href: string, title: string | null): string {
  const isPlain = href !== '' && !/[\s<>\\&]|^\(|\(.*\(|\)(?!$)/.test(href) && isBalanced(href)
  const address = isPlain ? href : `<${href.replaceAll(/[<>\\&]/g, '\\$&').replaceAll('\n', '%0A')}>`
  return address + quoteTitle(title)
}

const isBalanced = (href: string) => href.split('(').length === href.split(')').length

function writeCode(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  const needsSpaces = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== '')
  return needsSpaces ? `${fence} ${text} ${fence}` : fence + text + fence
}

function opening({ type, attrs }: Mark, { em }: Style): string {
  if (type.name === 'link') return attrs.isAutomatic ? '<' : '['
  if (type.name === 'em') return em ?? String(attrs.written)
  if (type.name === 'strong') return em === null ? String(attrs.written) : '**'
  return '~~'
}

function closing(mark: Mark, style: Style): string {
  const { type, attrs } = mark
  if (type.name !== 'link') return opening(mark, style)
  return attrs.isAutomatic ? '>' : `](${writeAddress(String(attrs.href), attrs.title as string | null)})`
}
