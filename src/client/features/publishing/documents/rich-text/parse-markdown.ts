import type { Token } from 'markdown-it'
import type { Node } from 'prosemirror-model'
import { referencedBlockIds } from '#shared/domain/block-references.ts'
import { quotationKind } from '#shared/domain/marked-quotations.ts'
import { parseFileTitle, textFilePath } from '#shared/domain/text-files.ts'
import { withSource } from './block-source.ts'
import { markdownParser, maxNesting } from './markdown-parser.ts'
import { altOf, type References, readInline, UnsupportedSyntax } from './read-inline.ts'
import { schema } from './schema.ts'

/** A definition in a list or quotation, which the parser leaves out of it. */
const nestedDefinition = /^(?=[ \t]*[>*+\-\d])[ \t>*+\-\d.)]*\[[^\]]+\]:/m
const htmlStart = /^ {0,3}<[a-z!/?]/i

/**
 * The editor's document of a Markdown text. Each top-level block keeps its source, which `writeMarkdown` writes unless the
 * block was edited. What the schema can't show becomes a block of source text, so nothing is lost. See decision 61.
 */
export function parseMarkdown(text: string): Node {
  const env: { references?: References } = {}
  const tokens = markdownParser.parse(text, env)
  const starts = [0, ...[...text.matchAll(/\r\n?|\n/g)].map((end) => end.index + end[0].length)]
  const lines = text.split(/\r\n?|\n/)
  const blocks: Node[] = []
  let end = 0
  const add = (node: Node, from: number, to: number) => {
    const source = { text: text.slice(from, to), before: text.slice(end, from) }
    blocks.push(withSource(node, source, blocks.at(-1) ?? null))
    end = to
  }
  /** Text between blocks is link definitions, or else blank. */
  const addBetween = (to: number) => {
    const between = text.slice(end, to)
    if (between.trim() === '') return
    const from = end + (/^(?:[ \t]*(?:\r\n?|\n))*/.exec(between)?.[0].length ?? 0)
    const until = end + between.trimEnd().length
    add(sourceBlock(text.slice(from, until)), from, until)
  }
  for (let index = 0; index < tokens.length; ) {
    const next = endOf(tokens, index)
    const [firstLine, lastLine] = tokens[index]?.map ?? [0, 0]
    const from = starts[firstLine] ?? text.length
    addBetween(from)
    const whole = text.slice(from, starts[lastLine] ?? text.length)
    const written = whole.slice(0, contentLength(whole, tokens[index]))
    const hasDefinition = !!env.references && nestedDefinition.test(written)
    add(readTopBlock(tokens.slice(index, next), lines, written, hasDefinition), from, from + written.length)
    index = next
  }
  addBetween(text.length)
  if (blocks.length === 0) add(schema.nodes.paragraph.create(), 0, 0)
  return schema.nodes.doc.create(
    { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', trailing: text.slice(end), references: env.references ?? null },
    blocks,
  )
}

/** Blocks for inserting. What stays as it was pasted is written as it was pasted. */
export const parseBlocks = (text: string): readonly Node[] => parseMarkdown(text.replaceAll(/\r\n?/g, '\n')).children

function readTopBlock(
  tokens: readonly Token[],
  lines: readonly string[],
  written: string,
  hasDefinition: boolean,
): Node {
  const isParagraph = tokens[0]?.type === 'paragraph_open'
  if (isParagraph ? htmlStart.test(written) : hasDefinition) return sourceBlock(written)
  try {
    return readBlocks(tokens, lines)[0] ?? sourceBlock(written)
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return sourceBlock(written)
    throw error
  }
}

function sourceBlock(written: string): Node {
  const text = written.replaceAll(/\r\n?/g, '\n')
  return schema.nodes.source_block.create(null, text === '' ? null : schema.text(text))
}

/** Blank lines at the end belong to the gap, except in an unclosed fence. */
function contentLength(whole: string, token: Token | undefined): number {
  return token?.type === 'fence' ? whole.replace(/(?:\r\n?|\n)$/, '').length : whole.trimEnd().length
}

const { nodes } = schema

/** Nodes of blocks. `lines` are the source's. Throws UnsupportedSyntax. */
function readBlocks(tokens: readonly Token[], lines: readonly string[], isQuoted = false): Node[] {
  const found: Node[] = []
  for (let index = 0; index < tokens.length; ) {
    const end = endOf(tokens, index)
    found.push(readBlock(tokens.slice(index, end), lines, isQuoted))
    index = end
  }
  return found
}

/** The index after a block's last token. */
function endOf(tokens: readonly Token[], start: number): number {
  const open = tokens[start]
  if (open?.nesting !== 1) return start + 1
  let end = start + 1
  while (end < tokens.length && (tokens[end]?.level !== open.level || tokens[end]?.nesting !== -1)) end += 1
  return end + 1
}

function readBlock(tokens: readonly Token[], lines: readonly string[], isQuoted: boolean): Node {
  const [open, content] = tokens
  if (!open || open.level > maxNesting - 4) throw new UnsupportedSyntax('nesting')
  const inside = tokens.slice(1, -1)
  switch (open.type) {
    case 'paragraph_open':
      return readParagraph(content?.children ?? [], open.hidden)
    case 'heading_open':
      if (content?.children?.some(({ type }) => type === 'hardbreak')) throw new UnsupportedSyntax('heading')
      return nodes.heading.create({ level: Number(open.tag.slice(1)) }, readInline(content?.children ?? []))
    case 'blockquote_open':
      return readQuotation(inside, lines, isQuoted)
    case 'bullet_list_open':
      return nodes.bullet_list.create(
        { marker: open.markup, tight: isTight(inside) },
        readItems(inside, lines, isQuoted),
      )
    case 'ordered_list_open':
      return nodes.ordered_list.create(
        { marker: open.markup, tight: isTight(inside), start: Number(open.attrGet('start') ?? 1) },
        readItems(inside, lines, isQuoted),
      )
    case 'fence':
    case 'code_block': {
      const text = open.content.replace(/\n$/, '')
      return nodes.code_block.create({ info: open.info.trim() }, text === '' ? null : schema.text(text))
    }
    case 'hr':
      return nodes.horizontal_rule.create()
    case 'table_open':
      return readTable(inside, lines.slice(...(open.map ?? [0, 0])))
    default:
      throw new UnsupportedSyntax(open.type)
  }
}

const paragraph = () => nodes.paragraph.create()

function readItems(tokens: readonly Token[], lines: readonly string[], isQuoted: boolean): Node[] {
  const items: Node[] = []
  for (let index = 0; index < tokens.length; ) {
    const end = endOf(tokens, index)
    const content = readBlocks(tokens.slice(index + 1, end - 1), lines, isQuoted)
    items.push(nodes.list_item.create(null, content.length > 0 ? content : [paragraph()]))
    index = end
  }
  return items
}

/** Returns true if there are no blank lines between items. The parser hides their paragraphs. */
function isTight(items: readonly Token[]): boolean {
  const level = (items[0]?.level ?? 0) + 1
  return items.find((token) => token.type === 'paragraph_open' && token.level === level)?.hidden ?? true
}

/** A quotation in a quotation is a plain one, as on the pages of readers. */
function readQuotation(tokens: readonly Token[], lines: readonly string[], isQuoted: boolean): Node {
  const text = tokens[0]?.type === 'paragraph_open' ? tokens[1] : undefined
  const [mark, lineBreak] = text?.children ?? []
  const isAlone = mark?.type === 'text' && (!lineBreak || /^(?:soft|hard)break$/.test(lineBreak.type))
  const kind = isAlone && !isQuoted ? quotationKind(mark.content) : null
  if (kind === null || !text?.children) {
    const content = readBlocks(tokens, lines, true)
    return nodes.blockquote.create(null, content.length > 0 ? content : [paragraph()])
  }
  const first = text.children.length > 2 ? [nodes.paragraph.create(null, readInline(text.children.slice(2)))] : []
  const content = [...first, ...readBlocks(tokens.slice(3), lines, true)]
  return nodes.blockquote.create({ kind, mark: mark?.content.trim() }, content.length > 0 ? content : [paragraph()])
}

function readParagraph(children: readonly Token[], isHidden: boolean): Node {
  const [first] = children
  if (children.length === 1 && first?.type === 'merge_field' && referencedBlockIds(first.content)[0]) {
    return nodes.reusable_block.create({ written: first.content })
  }
  const title = first?.type === 'link_open' && children.at(-1)?.type === 'link_close' ? first.attrGet('title') : null
  const inside = children.slice(1, -1)
  const href = String(first?.attrGet('href') ?? '')
  const [image] = inside
  const isFile = textFilePath.test(href) && parseFileTitle(String(title ?? '')) !== null
  if ((title === 'button' || isFile) && !isHidden && inside.length > 0 && inside.every(({ type }) => type === 'text')) {
    return nodes.button.create({ href, title }, schema.text(inside.map(({ content }) => content).join('')))
  }
  if (title === 'video' && !isHidden && inside.length === 1 && image?.type === 'image' && !image.attrGet('title')) {
    return nodes.video.create({ href, src: String(image.attrGet('src') ?? ''), alt: altOf(image) })
  }
  return nodes.paragraph.create(null, readInline(children))
}

function readTable(tokens: readonly Token[], lines: readonly string[]): Node {
  const rows: Node[] = []
  let cells: Node[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'tr_open') cells = []
    if (token.type === 'tr_close') rows.push(nodes.table_row.create(null, cells))
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1] ?? null
    const type = token.type === 'th_open' ? nodes.table_header : nodes.table_cell
    cells.push(type.create({ align }, readInline(tokens[index + 1]?.children ?? [])))
  }
  // The parser leaves out what is in more cells than the head has.
  const columns = rows[0]?.childCount ?? 0
  if (lines.some((line) => line.split(/(?<!\\)\|/).filter((cell) => cell.trim() !== '').length > columns)) {
    throw new UnsupportedSyntax('table')
  }
  return nodes.table.create(null, rows)
}
