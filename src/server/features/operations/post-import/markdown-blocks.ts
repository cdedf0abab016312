import MarkdownIt, { type Env, type Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { type Audience, createGate, type Mark, readMark } from './audience.ts'
import { htmlToMarkdown, joinParts } from './html-to-markdown.ts'
import type { Part } from './split-at-marks.ts'

/** Reads Markdown as other programs write it: with HTML, reference links and footnotes. */
const reader = new MarkdownIt({ html: true }).use(footnotes)

/** A top-level block with its lines. Footnotes, which are read last, have none. */
type Block = { tokens: Token[]; from: number | null; to: number }

function readBlocks(source: string, env: Env): Block[] {
  const blocks: Block[] = []
  let tokens: Token[] = []
  let depth = 0
  for (const token of reader.parse(source, env)) {
    tokens.push(token)
    depth += token.nesting
    if (depth > 0) continue
    const [from, to] = tokens[0]?.map ?? []
    blocks.push({ tokens, from: from ?? null, to: to ?? 0 })
    tokens = []
  }
  return blocks
}

const isForeign = ({ type, children }: Token): boolean =>
  /^(?:html_|footnote_)/.test(type) || (children?.some(isForeign) ?? false)
const hasHtml = ({ type, children }: Token): boolean => type.startsWith('html_') || (children?.some(hasHtml) ?? false)
const hasLink = ({ type, children }: Token): boolean =>
  type === 'link_open' || type === 'image' || (children?.some(hasLink) ?? false)
/** A link or image whose address is elsewhere: "[text][label]" or "[label]". */
const referenceLink = /\[[^[\]]*\](?!\()/

/** Marks in a block's HTML comments. */
const marksIn = ({ type, content, children }: Token): Mark[] =>
  type.startsWith('html_')
    ? [...content.matchAll(/<!--([\s\S]*?)-->/g)].flatMap(([, comment = '']) => readMark(comment) ?? [])
    : (children ?? []).flatMap(marksIn)

/**
 * Converts what our texts don't have: HTML, reference links and footnotes. Other blocks stay as they are. A block with a mark in
 * its text is closed as a whole.
 */
export function toOwnMarkdown(source: string, audience: Audience): { parts: Part[]; notes: string[] } {
  const env: Env = {}
  const blocks = readBlocks(source, env)
  const lines = source.split('\n')
  const hasReferences = Object.keys(env.references ?? {}).length > 0
  const textOf = ({ from, to }: Block) => (from === null ? '' : lines.slice(from, to).join('\n').trimEnd())
  const needsConversion = (block: Block) =>
    block.from === null ||
    block.tokens.some(isForeign) ||
    (hasReferences && block.tokens.some(hasLink) && referenceLink.test(textOf(block)))
  const marks = blocks.map(({ tokens }) => tokens.flatMap(marksIn))
  const gate = createGate(audience, marks.flat().includes('divider'))
  if (!hasReferences && !blocks.some(needsConversion))
    return { parts: joinParts([{ text: source, isOpen: gate.isOpen() }]), notes: [] }
  const notes: string[] = []
  const convert = (block: Block): string => {
    if (!needsConversion(block)) return textOf(block)
    const { markdown, notes: more } = htmlToMarkdown(reader.renderer.render(block.tokens, reader.options, env))
    const isComment = block.tokens.every(
      ({ type, content }) => type === 'html_block' && /^\s*<!--.*-->\s*$/s.test(content),
    )
    const isMark = block.tokens.some((token) => marksIn(token).length > 0)
    if (isComment && !isMark) notes.push('Removed: a hidden comment')
    else if (block.tokens.some(hasHtml) && !isMark) notes.push('Converted: HTML in the text')
    notes.push(...more)
    // The converter escapes the marker of a callout, which has a line of its own.
    return markdown.replace(/^> \\\[!(\w+)\\\] ?/, '> [!$1]\n> ')
  }
  const parts = blocks.map((block, index) => {
    const text = convert(block)
    const wasOpen = gate.isOpen()
    for (const mark of marks[index] ?? []) gate.pass(mark)
    // Footnotes, at the end, may belong to a closed part.
    const isOpen = wasOpen && gate.isOpen() && (block.from !== null || marks.flat().length === 0)
    return { text, isOpen: isOpen && !marks[index]?.includes('begin-closed') }
  })
  return { parts: joinParts(parts), notes: [...new Set(notes)] }
}

/** HTML of a text as other programs would show it. */
export const renderForeign = (source: string): string => reader.render(source)

const plain = new MarkdownIt()

/** Words of a line or paragraph without Markdown. Pictures have none. */
const wordsOf = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => {
      if (type === 'text' || type === 'code_inline') return content
      return type === 'softbreak' || type === 'hardbreak' ? ' ' : ''
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()

const maxHeadingLevel = 3

/**
 * Splits a text at its largest headings: what is before the first one, and each heading as plain text with what follows.
 * A # in code is no heading.
 */
export function splitAtHeadings(markdown: string): {
  before: string
  parts: { heading: string; body: string }[]
  /** Level of the headings. */
  largest: number
} {
  const tokens = plain.parse(markdown, {})
  const headings = tokens.flatMap(({ type, level, tag, map }, index) => {
    const inline = tokens[index + 1]
    const size = Number(tag[1])
    if (type !== 'heading_open' || level > 0 || !map || !inline || size > maxHeadingLevel) return []
    return [{ size, from: map[0], to: map[1], words: wordsOf(inline) }]
  })
  const largest = Math.min(...headings.map(({ size }) => size))
  const chosen = headings.filter(({ size }) => size === largest)
  const lines = markdown.split('\n')
  const between = (from: number, to: number | undefined) => lines.slice(from, to).join('\n').trim()
  return {
    largest,
    before: between(0, chosen[0]?.from),
    parts: chosen.map(({ to, words }, index) => ({ heading: words, body: between(to, chosen[index + 1]?.from) })),
  }
}
