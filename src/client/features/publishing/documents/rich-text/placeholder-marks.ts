import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { isCopyKind } from '#shared/domain/marked-quotations.ts'

/** The pattern of shared/domain/placeholders.ts, whose list of variables would move to a chunk that readers load with every page. */
const blank = /\[(?!\s*\])[^[\]]*\]/g

/** The placeholders in prompts and texts to copy, such as `[store_name]`. */
function marksIn(doc: Node): Decoration[] {
  const found: Decoration[] = []
  doc.forEach((block, offset) => {
    if (block.type.name !== 'blockquote' || !isCopyKind(block.attrs.kind as string | null)) return
    block.descendants((node, pos) => {
      if (!node.isText) return true
      for (const { 0: written, index } of (node.text ?? '').matchAll(blank)) {
        const from = offset + 1 + pos + index
        found.push(Decoration.inline(from, from + written.length, { nodeName: 'mark' }))
      }
      return false
    })
  })
  return found
}

/** Marks placeholders as readers see them. */
export const placeholderMarks = (): Plugin =>
  new Plugin<DecorationSet>({
    state: {
      init: (_config, { doc }) => DecorationSet.create(doc, marksIn(doc)),
      apply: ({ docChanged }, before, _state, { doc }) =>
        docChanged ? DecorationSet.create(doc, marksIn(doc)) : before,
    },
    props: {
      decorations(state) {
        return this.getState(state)
      },
    },
  })
