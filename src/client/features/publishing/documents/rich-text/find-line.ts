import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { sourceOf } from './block-source.ts'
import { parseInline } from './read-inline.ts'

/** Selects a line of the text whose blocks begin at `start` of the document. */
export function selectLine({ doc, tr }: EditorState, text: Node, start: number, line: number): Transaction {
  const { from, to } = findLine(text, line)
  return tr.setSelection(TextSelection.between(doc.resolve(start + from), doc.resolve(start + to))).scrollIntoView()
}

const shownText = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Where a line of the source is, counted from 1. Falls back to the block that contains it. */
export function findLine(doc: Node, line: number): { from: number; to: number } {
  let at = 1
  let found = { index: 0, offset: 0, line: '' }
  for (const [index, node] of doc.children.entries()) {
    const source = sourceOf(node)
    if (!source) continue
    at += source.before.split(/\r\n?|\n/).length - 1
    const lines = source.text.split(/\r\n?|\n/)
    if (at <= line) found = { index, offset: line - at, line: lines[line - at] ?? '' }
    at += lines.length - 1
  }
  let start = 0
  for (const node of doc.children.slice(0, found.index)) start += node.nodeSize
  const block = doc.child(found.index)
  const words = found.line.replace(/^[\s>]*(?:(?:[-+*]|\d+[.)]|#{1,6})\s+)*/, '')
  const wanted = shownText(textOf(parseInline(words, null)))
  return findWords(block, start, wanted) ?? { from: start + 1, to: start + block.nodeSize - 1 }
}

const textOf = (content: { textBetween(from: number, to: number, between: string): string; size: number }) =>
  content.textBetween(0, content.size, ' ')

/** A line of a block with these words. */
function findWords(block: Node, start: number, wanted: string): { from: number; to: number } | null {
  let found: { from: number; to: number } | null = null
  const visit = (node: Node, pos: number) => {
    if (found || !node.isTextblock) return !found
    let from = 0
    node.forEach((child, offset) => {
      const isBreak = child.type.name === 'hard_break' || child.marks.some(({ type }) => type.name === 'line_end')
      if (isBreak) check(from, offset)
      if (isBreak) from = offset + child.nodeSize
    })
    check(from, node.content.size)
    function check(lineStart: number, lineEnd: number) {
      if (found || shownText(textOf(node.cut(lineStart, lineEnd).content)) !== wanted) return
      found = { from: pos + 1 + lineStart, to: pos + 1 + lineEnd }
    }
    return false
  }
  if (block.isTextblock) visit(block, start)
  else block.descendants((node, pos) => visit(node, start + 1 + pos))
  return found
}
