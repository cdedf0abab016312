import type { Node } from 'prosemirror-model'
import { type EditorState, type Plugin, TextSelection } from 'prosemirror-state'
import { EditorView, type NodeView, type ViewMutationRecord } from 'prosemirror-view'
import { type CSSProperties, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { selectLineEvent } from '#client/lib/focus-field.ts'
import { toast } from '#client/lib/toast.ts'
import { followWords } from '../edited-block.ts'
import { hasWords, leftOutOf, markdownOfHtml } from '../pasted-html.ts'
import { imagesOf, type WritingEvents, type WritingHandle } from '../writing-handle.ts'
import { markdownOf, pasteMarkdown } from './clipboard.ts'
import { activeTools, selectedImage } from './commands.ts'
import { createState } from './create-state.ts'
import { fromOutside, replaceBlocks } from './external-value.ts'
import { selectLine } from './find-line.ts'
import { tabKey } from './keymap.ts'
import { richHandle } from './rich-handle.ts'
import { schema } from './schema.ts'
import { SlashMenu, type SlashMenuHandle } from './slash-menu.tsx'
import { markdownFormat, type TextFormat } from './text-format.ts'
import { writeInline } from './write-inline.ts'

/** The heading of a section, and below it a place that isn't text, for the section's settings. */
class SectionHeadingView implements NodeView {
  readonly dom = document.createElement('div')
  readonly contentDOM = document.createElement('h2')
  readonly #settings = document.createElement('div')

  constructor(node: Node) {
    this.dom.className = 'section-heading'
    this.contentDOM.dir = 'auto'
    this.#settings.className = 'section-settings'
    this.#settings.contentEditable = 'false'
    this.dom.append(this.contentDOM, this.#settings)
    this.#show(node)
  }

  update(node: Node): boolean {
    if (node.type.name !== 'section_heading') return false
    this.#show(node)
    return true
  }

  #show({ content }: Node) {
    this.contentDOM.classList.toggle('is-empty', content.size === 0)
  }

  stopEvent({ target }: Event): boolean {
    return target instanceof globalThis.Node && this.#settings.contains(target)
  }

  ignoreMutation({ target }: ViewMutationRecord): boolean {
    return !this.contentDOM.contains(target)
  }
}

/** Reads what a paste or drop brings: pictures to upload, Markdown, or null to leave it to the browser. */
function readPasted(data: DataTransfer, isPlain: boolean): { files: File[] } | { markdown: string } | null {
  const html = data.getData('text/html')
  // Word and spreadsheets add a picture of the copied words.
  const files = hasWords(html) ? [] : imagesOf(data, { any: html === '' && data.getData('text/plain') === '' })
  if (files.length > 0) return { files }
  if (isPlain) return null
  const text = data.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  // Code editors color code with HTML.
  if (data.types.includes('vscode-editor-data')) {
    return text.trim().includes('\n') ? { markdown: `\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`` } : null
  }
  // A copy from the editor is on the clipboard as Markdown too.
  if (html.includes('data-pm-slice')) return { markdown: text }
  const markdown = markdownOfHtml(html)
  const leftOut = leftOutOf(html)
  if (leftOut > 0) {
    toast.message(leftOut === 1 ? 'Left out 1 picture or video' : `Left out ${leftOut} pictures or videos`, {
      id: 'left-out',
      description: 'Save them to this device, then insert them here.',
    })
  }
  return markdown || text !== '' ? { markdown: markdown ?? text } : null
}

export type RichEditorProps = Pick<WritingEvents, 'onOpen'> & {
  ref: RefObject<WritingHandle | null>
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
  label: string
  path: string
  rows: number
  /** Called with the tools that the cursor is in, such as "bold". */
  onActive: (tools: readonly string[]) => void
  /** Runs a tool of the menu after `/`. */
  onTool: (tool: string) => void
}

type MarkdownProps = RichEditorProps & { value: string; onChange: (value: string) => void }

export const RichEditor = (props: MarkdownProps) => <FormatEditor {...props} format={markdownFormat} plugins={none} />

const none: readonly Plugin[] = []

type FormatEditorProps<Value> = RichEditorProps & {
  format: TextFormat<Value>
  plugins: readonly Plugin[]
  value: Value
  onChange: (value: Value) => void
  onView?: (view: EditorView | null) => void
}

/** ProseMirror on Markdown: shows the text as readers see it, and writes only edited blocks anew. See decision 61. */
export function FormatEditor<Value>(props: FormatEditorProps<Value>) {
  const { ref, control, label, path, rows, value, format } = props
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: format and plugins never change
  useEffect(() => {
    if (!host.current) return
    let isPlainPaste = false
    let hasEscaped = false
    const editor = new EditorView(host.current, {
      state: createState(format.parse(known.current), props.plugins),
      nodeViews: { section_heading: (node) => new SectionHeadingView(node) },
      attributes: (state) => ({ ...attributesOf(latest.current, state), ...menu.current?.attributes() }),
      dispatchTransaction(transaction) {
        const state = editor.state.apply(transaction)
        editor.updateState(state)
        const isOwn = transaction.getMeta(fromOutside) !== true
        if (transaction.docChanged && isOwn) {
          const next = format.write(state.doc)
          if (!format.isSame(next, known.current)) {
            known.current = next
            latest.current.onChange(next)
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
    latest.current.onView?.(editor)
    return () => {
      view.current = null
      latest.current.onView?.(null)
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
    const goToLine = (event: Event) => {
      if (!editor || !(event instanceof CustomEvent)) return
      editor.focus()
      editor.dispatch(selectLine(editor.state, editor.state.doc, 0, Number(event.detail)))
    }
    caption?.addEventListener('click', focus)
    editor?.dom.addEventListener(selectLineEvent, goToLine)
    return () => {
      caption?.removeEventListener('click', focus)
      editor?.dom.removeEventListener(selectLineEvent, goToLine)
    }
  }, [id])

  useEffect(() => {
    const editor = view.current
    if (!editor || format.isSame(value, known.current)) return
    known.current = value
    replaceFromOutside(editor, value, format)
  }, [value, format])

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

function replaceFromOutside<Value>(editor: EditorView, value: Value, format: TextFormat<Value>) {
  const next = format.parse(value)
  const send = (transaction: EditorState['tr']) =>
    editor.dispatch(transaction.setMeta(fromOutside, true).setMeta('addToHistory', false))
  const transaction = replaceBlocks(editor.state, next)
  if (transaction) send(transaction)
  // The Markdown can still differ, for example in blank lines. Then the whole document is replaced.
  if (!format.isSame(format.write(editor.state.doc), value)) {
    const { tr, doc } = editor.state
    send(tr.replaceWith(0, doc.content.size, next.content))
  }
}

const isEmptyDoc = ({ childCount, firstChild }: Node) =>
  childCount === 1 && firstChild?.type === schema.nodes.paragraph && firstChild.content.size === 0

type Attributed = Pick<RichEditorProps, 'control' | 'label' | 'path'>

const attributesOf = ({ control, label, path }: Attributed, { doc }: EditorState): Record<string, string> => ({
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
