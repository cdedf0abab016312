import MarkdownIt, { type Env, type Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { htmlToMarkdown } from './html-to-markdown.ts'

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
const referenceLink = /\[[^\]]*\](?!\()/

/**
 * Converts what our texts don't have: HTML, reference links and footnotes. Other blocks stay as they are, and a text
 * without any of it stays as a whole.
 */
export function toOwnMarkdown(source: string): { markdown: string; notes: string[] } {
  const env: Env = {}
  const blocks = readBlocks(source, env)
  const lines = source.split('\n')
  const hasReferences = Object.keys(env.references ?? {}).length > 0
  const textOf = ({ from, to }: Block) => (from === null ? '' : lines.slice(from, to).join('\n').trimEnd())
  const needsConversion = (block: Block) =>
    block.from === null ||
    block.tokens.some(isForeign) ||
    (hasReferences && block.tokens.some(hasLink) && referenceLink.test(textOf(block)))
  if (!hasReferences && !blocks.some(needsConversion)) return { markdown: source, notes: [] }
  const notes: string[] = []
  const converted = blocks.map((block) => {
    if (!needsConversion(block)) return textOf(block)
    const { markdown, notes: more } = htmlToMarkdown(reader.renderer.render(block.tokens, reader.options, env))
    notes.push(...(block.tokens.some(hasHtml) ? ['Converted: HTML in the text'] : []), ...more)
    // The converter escapes the marker of a callout, which has a line of its own.
    return markdown.replace(/^> \\\[!(\w+)\\\] ?/, '> [!$1]\n> ')
  })
  return { markdown: converted.filter(Boolean).join('\n\n'), notes: [...new Set(notes)] }
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

/** The first paragraph with words as plain text; empty if there is none. Tables, lists and code aren't paragraphs. */
export function firstParagraph(markdown: string): string {
  const tokens = plain.parse(markdown, {})
  for (const [index, { type, level }] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (type !== 'paragraph_open' || level > 0 || !inline) continue
    const words = wordsOf(inline)
    if (/\p{L}/u.test(words)) return words
  }
  return ''
}

const maxHeadingLevel = 3

/**
 * Splits a text at its largest headings: what is before the first one, and each heading as plain text with what follows.
 * A # in code is no heading.
 */
export function splitAtHeadings(markdown: string): { before: string; parts: { heading: string; body: string }[] } {
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
    before: between(0, chosen[0]?.from),
    parts: chosen.map(({ to, words }, index) => ({ heading: words, body: between(to, chosen[index + 1]?.from) })),
  }
}
