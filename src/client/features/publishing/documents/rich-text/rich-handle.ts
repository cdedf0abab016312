import { setBlockType } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { quotationKind } from '#shared/domain/marked-quotations.ts'
import type { EditedImage, WritingHandle } from '../writing-handle.ts'
import {
  insertBlocks,
  insertLink,
  insertTable,
  linkAround,
  linkRange,
  makeQuotation,
  removeLink,
  selectedImage,
  tableCommands,
  toggleBold,
  toggleHeading,
  toggleItalic,
  toggleList,
  toggleQuotation,
} from './commands.ts'
import { parseBlocks } from './parse-markdown.ts'
import { schema } from './schema.ts'
import { toggleSection } from './section-commands.ts'
import { writesSections } from './sections-plugin.ts'

const { nodes } = schema

const commands: Record<string, Command> = {
  bold: toggleBold,
  italic: toggleItalic,
  heading: (state, dispatch) => (writesSections(state) ? toggleSection : toggleHeading())(state, dispatch),
  subheading: (state, dispatch) => toggleHeading(writesSections(state) ? 0 : 1)(state, dispatch),
  bullets: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  quote: toggleQuotation,
  table: insertTable,
  code: setBlockType(nodes.code_block),
  divider: insertBlocks([nodes.horizontal_rule.create()]),
  'first-name': (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.merge_field.create({ written: '{{first_name|there}}' })))
    return true
  },
  ...tableCommands,
}

/** Actions of the toolbar, the menu and the dialogs on the text. */
export function richHandle(read: () => EditorView | null): WritingHandle {
  const run = (command: Command) => {
    const view = read()
    if (!view) return
    view.focus()
    command(view.state, view.dispatch, view)
  }
  const ask = <Answer>(question: (state: EditorState) => Answer) => {
    const view = read()
    return view ? question(view.state) : null
  }
  return {
    focus: () => read()?.focus(),
    words: () => ask(linkRange)?.words ?? '',
    linkAddress: () => ask(linkAround)?.href ?? null,
    image: () => {
      const image = ask(selectedImage)
      if (!image) return null
      const { alt, title = null } = image.node.attrs as { alt: string; title?: string | null }
      return { alt, title, isVideo: image.node.type === nodes.video }
    },
    run(tool) {
      const command = commands[tool]
      const kind = quotationKind(`[!${tool}]`)
      if (command) run(command)
      else if (kind) run(makeQuotation(kind))
    },
    insertLink: (words, address) =>
      run((state, dispatch) => {
        dispatch?.(insertLink(state, words, address))
        return true
      }),
    removeLink: () => run(removeLink),
    insertBlock: (markdown) => run(insertBlocks(parseBlocks(markdown))),
    insertQuotation: (kind) => run(makeQuotation(kind)),
    setImage: (edited) =>
      run((state, dispatch) => {
        const image = selectedImage(state)
        if (image) dispatch?.(withImage(state, image, edited))
        return image !== null
      }),
  }
}

const withImage = (
  { tr }: EditorState,
  { node, pos }: { node: Node; pos: number },
  { alt, title, isVideo }: EditedImage,
) => tr.setNodeMarkup(pos, null, { ...node.attrs, alt, ...(!isVideo && { title }) }, node.marks)
