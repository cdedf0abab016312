import type { Node } from 'prosemirror-model'
import { gapBetween, isUntouched, sourceOf } from './block-source.ts'
import { escapeText } from './escape-text.ts'
import type { References } from './read-inline.ts'
import { writeAddress, writeImage, writeInline } from './write-inline.ts'

/** Markdown of blocks that were written once; nodes never change. */
const written = new WeakMap<Node, string>()

/** The Markdown of a document. Blocks that were parsed and not changed are written as they were, byte for byte. */
export function writeMarkdown(doc: Node): string {
  const { lineEnd, trailing } = doc.attrs as { lineEnd: string; trailing: string }
  let text = ''
  let previous: Node | null = null
  for (const child of doc.children) {
    const node: Node = previous && !isUntouched(child) ? apartFrom(previous, child) : child
    const block = blockText(node, doc)
    if (block === '') continue
    text += gap(previous, node, lineEnd) + block
    previous = node
  }
  const isBlank = previous === null && doc.childCount === 1 && sourceOf(doc.child(0))?.text === ''
  return previous || isBlank ? text + trailing : ''
}

/** The Markdown of a top-level block. `owner` is its document or the heading of its section. */
export function blockText(node: Node, { attrs }: Node): string {
  const known = written.get(node)
  if (known !== undefined) return known
  const references = attrs.references as References | null
  const text = isUntouched(node)
    ? (sourceOf(node)?.text ?? '')
    : writeBlock(node, { references }).replaceAll('\n', String(attrs.lineEnd))
  written.set(node, text)
  return text
}

function gap(previous: Node | null, node: Node, lineEnd: string): string {
  const original = gapBetween(previous, node)
  if (previous === null) return original ?? ''
  const isSafe = (before: string) =>
    before.split(/\r\n?|\n/).length > 2 ||
    [previous, node].some(({ type }) => type.name === 'heading') ||
    (isUntouched(previous) && isUntouched(node))
  return original !== null && isSafe(original) ? original : lineEnd + lineEnd
}

type Place = { references: References | null; isQuoted?: boolean; followsLine?: boolean; inList?: boolean }

/** Blocks with an empty line between them. Empty paragraphs can't be written in Markdown. */
export const writeBlocks = (nodes: readonly Node[], place: Place = { references: null }): string =>
  joinBlocks(nodes, place, () => '\n\n')

function joinBlocks(nodes: readonly Node[], place: Place, between: (previous: Node, node: Node) => string): string {
  let text = ''
  let previous: Node | null = null
  for (const child of nodes) {
    const isFirst = previous === null
    const node: Node = previous ? apartFrom(previous, child) : child
    const block = writeBlock(node, {
      ...place,
      isQuoted: place.isQuoted && isFirst,
      followsLine: place.followsLine && isFirst,
    })
    if (block === '') continue
    text += (previous ? between(previous, node) : '') + block
    previous = node
  }
  return text
}

const isList = ({ type }: Node) => type.name === 'bullet_list' || type.name === 'ordered_list'

/** Two lists of a kind in a row would be read as one, so the second has another marker. */
function apartFrom(previous: Node, node: Node): Node {
  if (!isList(node) || previous.type !== node.type || previous.attrs.marker !== node.attrs.marker) return node
  const others: Record<string, string> = { '-': '*', '*': '-', '+': '-', '.': ')', ')': '.' }
  return node.type.create({ ...node.attrs, marker: others[String(node.attrs.marker)] }, node.content)
}

function writeBlock(node: Node, place: Place): string {
  const { attrs } = node
  switch (node.type.name) {
    case 'paragraph':
      return writeInline(node.content, place)
    case 'heading':
    case 'section_heading': {
      const text = writeInline(node.content, { ...place, isOneLine: true })
      // A trailing # would be read as the heading's end.
      return text === '' ? '' : `${'#'.repeat(Number(attrs.level ?? 2))} ${text.replace(/(#+)$/, '\\$1')}`
    }
    case 'blockquote':
      return writeQuotation(node, place)
    case 'bullet_list':
    case 'ordered_list':
      return writeList(node, place)
    case 'code_block':
      return writeCode(node.textContent, String(attrs.info))
    case 'source_block':
      return node.textContent.trim() === '' ? '' : node.textContent
    case 'horizontal_rule':
      return place.inList ? '___' : '---'
    case 'button':
      return node.textContent.trim() === ''
        ? ''
        : `[${escapeText(node.textContent.trim(), /[[\]\\`*_<&!{]/.test(node.textContent) ? 'all' : 'none')}](${writeAddress(String(attrs.href), String(attrs.title))})`
    case 'video':
      return `[${writeImage(String(attrs.src), String(attrs.alt))}](${writeAddress(String(attrs.href), 'video')})`
    case 'reusable_block':
      return String(attrs.written)
    case 'table':
      return writeTable(node, place)
    default:
      throw new Error(`No Markdown for ${node.type.name}`)
  }
}

const prefixLines = (text: string, first: string, others: string): string =>
  first + text.replaceAll(/\n(?!\n|$)/g, `\n${others}`)

function writeQuotation(node: Node, place: Place): string {
  const { kind, mark } = node.attrs as { kind: string | null; mark: string | null }
  const text = writeBlocks(node.children, {
    ...place,
    isQuoted: kind === null,
    followsLine: kind !== null,
    inList: false,
  })
  const name = mark?.toLowerCase() === `[!${kind}]` ? mark : `[!${kind?.toUpperCase()}]`
  const gap = text !== '' && node.firstChild?.type.name !== 'paragraph' ? '\n\n' : '\n'
  const all = kind === null ? text : text === '' ? name : name + gap + text
  return all
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

function writeList(list: Node, place: Place): string {
  const { start = 1, marker, tight } = list.attrs as { start?: number; marker: string; tight: boolean }
  const between = (previous: Node, node: Node) =>
    tight && previous.type.name === 'paragraph' && canFollowText(node) ? '\n' : '\n\n'
  return list.children
    .map((item, index) => {
      const bullet = list.type.name === 'ordered_list' ? `${start + index}${marker} ` : `${marker} `
      const text = joinBlocks(item.children, { ...place, isQuoted: false, followsLine: false, inList: true }, between)
      return text === '' ? bullet.trimEnd() : prefixLines(text, bullet, ' '.repeat(bullet.length))
    })
    .join(tight ? '\n' : '\n\n')
}

/** CommonMark lets these lists alone come right after a line of text. */
const canFollowText = (node: Node) =>
  (node.type.name === 'bullet_list' || node.attrs.start === 1) && isList(node) && node.firstChild?.textContent !== ''

function writeCode(text: string, info: string): string {
  const fence = '`'.repeat(1 + Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  return `${fence}${info.replaceAll('`', '')}\n${text === '' ? '' : `${text}\n`}${fence}`
}

function writeTable(table: Node, place: Place): string {
  const rows = table.children.map(({ children }) =>
    children.map(({ content }) => writeInline(content, { ...place, isOneLine: true }).replaceAll('|', '\\|')),
  )
  const columns = Math.max(1, ...rows.map(({ length }) => length))
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`
  const lines = { left: ':--', center: ':-:', right: '--:' } as const
  const head = table.firstChild?.children ?? []
  const delimiters = Array.from(
    { length: columns },
    (_, index) => lines[head[index]?.attrs.align as keyof typeof lines] ?? '---',
  )
  const [first = [], ...others] = rows
  return [first, delimiters, ...others].map(line).join('\n')
}
