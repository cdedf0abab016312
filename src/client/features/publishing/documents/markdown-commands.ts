import type { MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { isInternalLink } from '#shared/domain/internal-links.ts'
import { escapeMarkdown } from '#shared/domain/markdown-text.ts'
import type { MarkedKind } from '#shared/domain/marked-quotations.ts'
import { textFilePath } from '#shared/domain/text-files.ts'

/** A text with its selection, as offsets. */
export type Selected = { text: string; from: number; to: number }

/** Replaces `from` to `to` by `insert`, and then selects `select` in the new text. */
export type Edit = { from: number; to: number; insert: string; select: readonly [from: number, to: number] }

/** Puts marks around the selection, such as `**`, or removes them. */
export function toggleMark({ text, from, to }: Selected, mark: '**' | '*'): Edit {
  const { length } = mark
  const isMarkedBy = (start: number, end: number) =>
    text.slice(start - length, start) === mark &&
    text.slice(end, end + length) === mark &&
    // One star of two is no mark of its own.
    (length === 2 || text[start - 2] !== '*' || text[start - 3] === '*')
  if (isMarkedBy(from, to)) {
    return { from: from - length, to: to + length, insert: text.slice(from, to), select: [from - length, to - length] }
  }
  // Marks with a space inside don't count in Markdown.
  const words = text.slice(from, to)
  const start = from + (words.length - words.trimStart().length)
  const end = Math.max(start, from + words.trimEnd().length)
  const insert = mark + text.slice(start, end) + mark
  return { from: start, to: end, insert, select: [start + length, end + length] }
}

const linePrefixes = {
  heading: { pattern: /^#{1,6} /, prefix: () => '### ' },
  bullets: { pattern: /^- /, prefix: () => '- ' },
  numbers: { pattern: /^\d+\. /, prefix: (index: number) => `${index + 1}. ` },
  quote: { pattern: /^> ?/, prefix: () => '> ' },
}
export type LineFormat = keyof typeof linePrefixes

/** Makes the selected lines a heading, list or quotation, or plain again. */
export function toggleLines(selected: Selected, format: LineFormat): Edit {
  const { from, to, lines } = linesOf(selected)
  const { pattern, prefix } = linePrefixes[format]
  const isSet = lines.every((line) => pattern.test(line))
  const changed = lines.map((line, index) =>
    isSet ? line.replace(pattern, '') : prefix(index) + (format === 'quote' ? line : line.replace(anyPrefix, '')),
  )
  const insert = changed.join('\n')
  return {
    from,
    to,
    insert,
    select: lines.length === 1 ? [from + insert.length, from + insert.length] : [from, from + insert.length],
  }
}

const anyPrefix = /^(?:#{1,6} |- |\d+\. )/

/** Makes the selected lines a callout or a text to copy, or inserts one below the cursor's line. */
export function insertMarkedQuotation(selected: Selected, kind: MarkedKind): Edit {
  const { from: start, to, lines } = linesOf(selected)
  const isEmpty = selected.from === selected.to
  const from = isEmpty ? to : start
  const words = isEmpty ? ['Text'] : lines
  const marker = `> [!${kind.toUpperCase()}]`
  const block = [marker, ...words.map((line) => `> ${line.replace(/^> ?/, '')}`.trimEnd())].join('\n')
  const edit = insertBlock({ ...selected, from, to }, block)
  const textStart = edit.from + edit.insert.indexOf(block) + marker.length + 3
  return { ...edit, select: [textStart, edit.from + edit.insert.indexOf(block) + block.length] }
}

export function insertTable(selected: Selected): Edit {
  const block = '| Column | Column |\n| --- | --- |\n|  |  |'
  const edit = insertBlock({ ...selected, from: selected.to }, block)
  const start = edit.from + edit.insert.indexOf(block) + 2
  return { ...edit, select: [start, start + 'Column'.length] }
}

/** Inserts a block with an empty line before and after it. */
export function insertBlock({ text, from, to }: Selected, block: string): Edit {
  const before = text.slice(0, from)
  const after = text.slice(to)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  const at = from + gap.length + block.length
  return { from, to, insert: gap + block + tail, select: [at, at] }
}

/** Inserts pasted Markdown: one paragraph within the line, anything else as a block of its own. */
export function insertPasted(selected: Selected, markdown: string): Edit {
  if (/\n|^(?:#{1,6} |- |1\. |> |\|)/.test(markdown)) return insertBlock(selected, markdown)
  const at = selected.from + markdown.length
  return { from: selected.from, to: selected.to, insert: markdown, select: [at, at] }
}

/** The whole lines that the selection touches. */
function linesOf({ text, from, to }: Selected) {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const next = text.indexOf('\n', to)
  const end = next < 0 ? text.length : next
  return { from: start, to: end, lines: text.slice(start, end).split('\n') }
}

/** Why an address can't be linked; null if it can. */
export function problemOfAddress(address: string): string | null {
  const written = address.trim()
  if (written === '') return 'Enter an address'
  if (isInternalLink(written) || textFilePath.test(written)) return null
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(written)) return null
  if (/^https:\/\//i.test(written) && URL.canParse(written) && /[.:]/.test(new URL(written).host)) return null
  return 'Start the address with https://, mailto: or /portal/'
}

/** Markdown of a link. `title` makes it a button, a video or a file, see docs/publisher.md. */
export function linkMarkdown(words: string, address: string, title?: string): string {
  const escaped = address.trim().replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29')
  return `[${words}](${escaped}${title ? ` "${title}"` : ''})`
}

/** The title of a link or image, as it follows the address. */
export const quoteTitle = (title: string | null): string =>
  title === null ? '' : ` "${title.replaceAll(/["\\&]/g, '\\$&')}"`

/** Words of a link, which can't contain brackets. */
export const linkWords = (words: string): string => words.replaceAll(/[[\]\r\n]+/g, ' ').trim()

/** The URL includes the size, so that pages reserve the space while the image loads. */
export const imageMarkdown = ({ path, width, height }: MediaImage, alt: string, title: string | null = null) =>
  `![${linkWords(alt)}](${path}#${width}x${height}${quoteTitle(title)})`

type PageFacts = { address: string; title: string; line: string; image: MediaImage | null }

export function bookmarkMarkdown({ address, title, line, image }: PageFacts): string {
  const words = escapeMarkdown(linkWords(title))
  const parts = [image && imageMarkdown(image, words), linkMarkdown(words, address), escapeMarkdown(line)]
  return `> [!BOOKMARK]\n> ${parts.filter(Boolean).join('\n>\n> ')}`
}

/** The block around the cursor: the lines up to the next empty ones. */
export function blockAt(text: string, at: number): string {
  const before =
    text
      .slice(0, at)
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const after = text.slice(at).split(/\n\s*\n/)[0] ?? ''
  const line = before.split('\n').at(-1) + (after.split('\n')[0] ?? '')
  return line.trim() === '' ? before + after : line
}
