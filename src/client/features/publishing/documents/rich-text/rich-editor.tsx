import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { type CSSProperties, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { selectLineEvent } from '#client/lib/focus-field.ts'
import { followWords } from '../edited-block.ts'
import type { WritingEvents, WritingHandle } from '../writing-handle.ts'
import { markdownOf, pasteMarkdown } from './clipboard.ts'
import { activeTools, selectedImage } from './commands.ts'
import { createState } from './create-state.ts'
import { replaceBlocks } from './external-value.ts'
import { findLine } from './find-line.ts'
import { tabKey } from './keymap.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { readPasted } from './pasted-markdown.ts'
import { richHandle } from './rich-handle.ts'
import { schema } from './schema.ts'
import { SlashMenu, type SlashMenuHandle } from './slash-menu.tsx'
import { writeInline } from './write-inline.ts'
import { writeMarkdown } from './write-markdown.ts'

type RichEditorProps = WritingEvents & {
  ref: RefObject<WritingHandle | null>
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
  label: string
  path: string
  rows: number
  value: string
  /** Called with the tools that the cursor is in, such as "bold". */
  onActive: (tools: readonly string[]) => void
  /** Runs a tool of the menu after `/`. */
  onTool: (tool: string) => void
}

/** ProseMirror on Markdown: shows the text as readers see it, and writes only edited blocks anew. See decision 61. */
export function RichEditor(props: RichEditorProps) {
  const { ref, control, label, path, rows, value } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const menu = useRef<SlashMenuHandle>(null)
  const [shown, setShown] = useState<EditorView | null>(null)
  const latest = useRef(props)
  /** The value as the editor last wrote or read it. */
  const known = useRef(value)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (!host.current) return
    let isPlainPaste = false
    let hasEscaped = false
    const editor = new EditorView(host.current, {
      state: createState(known.current),
      attributes: (state) => ({ ...attributesOf(latest.current, state), ...menu.current?.attributes() }),
      dispatchTransaction(transaction) {
        const state = editor.state.apply(transaction)
        editor.updateState(state)
        const isOwn = transaction.getMeta(fromOutside) !== true
        if (transaction.docChanged && isOwn) {
          const text = writeMarkdown(state.doc)
          if (text !== known.current) {
            known.current = text
            latest.current.onChange(text)
          }
        }
        latest.current.onActive(activeTools(state))
        menu.current?.update()
        const { parent } = state.selection.$head
        if (editor.hasFocus() && isOwn && parent.isTextblock) followWords(wordsOf(parent))
      },
      handleKeyDown(_view, event) {
        if (event.isComposing) return false
        const isTab = event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey
        const leaves = isTab && hasEscaped
        if (event.key !== 'Shift') hasEscaped = event.key === 'Escape'
        isPlainPaste = event.shiftKey && event.key.toLowerCase() === 'v'
        if (menu.current?.handleKey(event)) return true
        if (leaves) return false
        if (isTab) return tabKey(event.shiftKey ? -1 : 1)(editor.state, editor.dispatch)
        if (event.key === 'Enter' && selectedImage(editor.state)) {
          latest.current.onTool('image')
          return true
        }
        if (event.key !== 'k' || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return false
        latest.current.onOpen('link')
        return true
      },
      handleDoubleClickOn(_view, _at, { type }) {
        const isImage = type === schema.nodes.image || type === schema.nodes.video
        if (isImage) latest.current.onTool('image')
        return isImage
      },
      clipboardTextSerializer: markdownOf,
      handleDrop(_view, { dataTransfer, clientX, clientY }, _slice, isMoved) {
        if (!dataTransfer || isMoved) return false
        const at = editor.posAtCoords({ left: clientX, top: clientY })
        if (at) editor.dispatch(editor.state.tr.setSelection(TextSelection.near(editor.state.doc.resolve(at.pos))))
        return insertFrom(dataTransfer, false)
      },
      handleDOMEvents: {
        blur: () => {
          menu.current?.update()
          return false
        },
        // Before ProseMirror parses the clipboard, which takes seconds for a book.
        paste(_view, event) {
          const isCode = editor.state.selection.$from.parent.type.spec.code
          if (!event.clipboardData || isCode || !insertFrom(event.clipboardData, isPlainPaste)) return false
          event.preventDefault()
          return true
        },
      },
    })
    function insertFrom(data: DataTransfer, isPlain: boolean): boolean {
      const pasted = readPasted(data, isPlain)
      if (pasted === null) return false
      if ('files' in pasted) latest.current.onOpen('image', pasted.files)
      else editor.dispatch(pasteMarkdown(editor.state, pasted.markdown).scrollIntoView().setMeta('paste', true))
      return true
    }
    view.current = editor
    setShown(editor)
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [])

  const { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid } = control
  // biome-ignore lint/correctness/useExhaustiveDependencies: empty props read the attributes again
  useEffect(() => {
    view.current?.setProps({})
  }, [id, describedBy, isInvalid, label, path])

  // A click on a label focuses form controls only.
  useEffect(() => {
    const editor = view.current
    const caption = document.querySelector(`label[for="${CSS.escape(id)}"]`)
    const focus = () => editor?.focus()
    const selectLine = (event: Event) => {
      if (!editor || !(event instanceof CustomEvent)) return
      const { from, to } = findLine(editor.state.doc, Number(event.detail))
      const { doc, tr } = editor.state
      editor.focus()
      editor.dispatch(tr.setSelection(TextSelection.between(doc.resolve(from), doc.resolve(to))).scrollIntoView())
    }
    caption?.addEventListener('click', focus)
    editor?.dom.addEventListener(selectLineEvent, selectLine)
    return () => {
      caption?.removeEventListener('click', focus)
      editor?.dom.removeEventListener(selectLineEvent, selectLine)
    }
  }, [id])

  useEffect(() => {
    const editor = view.current
    if (!editor || value === known.current) return
    known.current = value
    replaceFromOutside(editor, value)
  }, [value])

  useImperativeHandle(ref, () => richHandle(() => view.current), [])

  return (
    <div className="relative">
      <div ref={host} style={{ '--editor-height': `${rows * 1.5 + 1.4}rem` } as CSSProperties} />
      {shown && <SlashMenu ref={menu} view={shown} onTool={(tool) => latest.current.onTool(tool)} />}
    </div>
  )
}

/** For the preview, which marks the block that is edited. */
const wordsOf = (block: Node): string =>
  block.type.spec.code ? block.textContent : writeInline(block.content, { references: null })

const fromOutside = 'from-outside'

function replaceFromOutside(editor: EditorView, value: string) {
  const next = parseMarkdown(value)
  const send = (transaction: EditorState['tr']) =>
    editor.dispatch(transaction.setMeta(fromOutside, true).setMeta('addToHistory', false))
  const transaction = replaceBlocks(editor.state, next)
  if (transaction) send(transaction)
  // The Markdown can still differ, for example in blank lines. Then the whole document is replaced.
  if (writeMarkdown(editor.state.doc) !== value) {
    const { tr, doc } = editor.state
    send(tr.replaceWith(0, doc.content.size, next.content))
  }
}

const isEmptyDoc = ({ childCount, firstChild }: Node) =>
  childCount === 1 && firstChild?.type === schema.nodes.paragraph && firstChild.content.size === 0

const attributesOf = ({ control, label, path }: RichEditorProps, { doc }: EditorState): Record<string, string> => ({
  id: control.id,
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': label,
  'data-path': path,
  'data-placeholder': 'Write, or type / to insert something',
  class: `prose rich-text ${isEmptyDoc(doc) ? 'is-empty' : ''}`,
  ...(control['aria-describedby'] && { 'aria-describedby': control['aria-describedby'] }),
  ...(control['aria-invalid'] && { 'aria-invalid': 'true' }),
  spellcheck: 'true',
  autocorrect: 'on',
  autocapitalize: 'sentences',
})
