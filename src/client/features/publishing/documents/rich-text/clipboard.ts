import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { linkWords, problemOfAddress } from '../markdown-commands.ts'
import { insertLink } from './commands.ts'
import { parseBlocks } from './parse-markdown.ts'
import { asSectionHeading } from './section-commands.ts'
import { writesSections } from './sections-plugin.ts'
import { writeInline } from './write-inline.ts'
import { writeBlocks } from './write-markdown.ts'

/** Markdown as content to insert: within the line if it is only words, else as blocks. */
function sliceOf(markdown: string, withSections: boolean): Slice {
  const parsed = parseBlocks(markdown)
  const blocks = Fragment.from(withSections ? parsed.map(asSectionHeading) : parsed)
  const isText = blocks.firstChild?.type.name === 'paragraph'
  const endsWithText = blocks.lastChild?.type.name === 'paragraph'
  return new Slice(blocks, isText ? 1 : 0, endsWithText ? 1 : 0)
}

/** Inserts pasted Markdown. An address that is pasted over words becomes their link. */
export function pasteMarkdown(state: EditorState, markdown: string): Transaction {
  const { from, to } = state.selection
  const words = state.doc.textBetween(from, to, '\n')
  const address = markdown.trim()
  if (words.trim() !== '' && linkWords(words) === words && problemOfAddress(address) === null) {
    return insertLink(state, words, address)
  }
  return state.tr.replaceSelection(sliceOf(markdown, writesSections(state) && state.selection.$from.depth < 2))
}

/** The Markdown of copied content; words from inside one block are without its marks. */
export function markdownOf(slice: Slice): string {
  let { content, openStart, openEnd } = slice
  while (content.childCount === 1 && openStart > 0 && openEnd > 0) {
    const only = content.firstChild as Node
    content = only.content
    if (only.isTextblock) return only.type.spec.code ? only.textContent : writeInline(content, { references: null })
    openStart -= 1
    openEnd -= 1
  }
  const isBlocks = content.content.every(({ type }) => type.isInGroup('block') || type.name === 'section_heading')
  return isBlocks ? writeBlocks(content.content) : content.textBetween(0, content.size, '\n')
}
