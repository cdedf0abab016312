import type { Token } from 'markdown-it'
import type { Node } from 'prosemirror-model'
import { withSource } from './block-source.ts'
import { markdownParser } from './markdown-parser.ts'
import { endOf, readBlocks } from './read-blocks.ts'
import { type References, UnsupportedSyntax } from './read-inline.ts'
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
