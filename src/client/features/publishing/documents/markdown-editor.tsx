import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, Prec, Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type CSSProperties, type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { selectLineEvent } from '#client/lib/focus-field.ts'
import { inputStyles } from '#client/ui/input-styles.ts'
import { followCursor } from './edited-block.ts'
import type { Edit, Selected } from './markdown-commands.ts'

export type MarkdownEditorHandle = { selected(): Selected; apply(edit: Edit): void }

/** Each returns whether it handled the event; the browser's own action is then prevented. */
type Handlers = {
  onKey(event: KeyboardEvent): boolean
  onPaste(event: ClipboardEvent): boolean
  onDrop(event: DragEvent): boolean
}

type MarkdownEditorProps = Handlers & {
  ref: RefObject<MarkdownEditorHandle | null>
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
  label: string
  path: string
  rows: number
  value: string
  onChange: (value: string) => void
}

/** CodeMirror with Markdown coloring, lists that continue, search and undo. It keeps the text as it was written. */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { ref, control, label, path, rows, value } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (!host.current) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          history(),
          markdown({ base: markdownLanguage, completeHTMLTags: false, pasteURLAsLink: false }),
          syntaxHighlighting(colors),
          search({ top: true }),
          EditorState.phrases.of(searchWords),
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          look,
          EditorView.contentAttributes.of(() => attributesOf(latest.current)),
          Prec.highest(
            EditorView.domEventHandlers({
              keydown: (event) => latest.current.onKey(event),
              paste: (event) => latest.current.onPaste(event),
              drop: (event) => latest.current.onDrop(event),
            }),
          ),
          EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
            const isOwn = transactions.some((transaction) => transaction.annotation(fromOutside) === true)
            if (docChanged && !isOwn) latest.current.onChange(state.doc.toString())
            if ((docChanged && !isOwn) || selectionSet) followCursor(state.doc.toString(), state.selection.main.head)
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [])

  const { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid } = control
  // biome-ignore lint/correctness/useExhaustiveDependencies: an empty update reads the attributes again
  useEffect(() => {
    view.current?.dispatch({})
  }, [id, describedBy, isInvalid, label, path])

  // A click on a label focuses form controls only.
  useEffect(() => {
    const content = view.current?.contentDOM
    const caption = document.querySelector(`label[for="${CSS.escape(id)}"]`)
    const focus = () => content?.focus()
    const selectLine = (event: Event) => {
      const editor = view.current
      if (!editor || !(event instanceof CustomEvent)) return
      const line = editor.state.doc.line(Math.min(Math.max(1, Number(event.detail)), editor.state.doc.lines))
      editor.dispatch({
        selection: { anchor: line.from, head: line.to },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
      })
    }
    caption?.addEventListener('click', focus)
    content?.addEventListener(selectLineEvent, selectLine)
    return () => {
      caption?.removeEventListener('click', focus)
      content?.removeEventListener(selectLineEvent, selectLine)
    }
  }, [id])

  useEffect(() => {
    const editor = view.current
    if (editor) replaceFromOutside(editor, value)
  }, [value])

  useImperativeHandle(ref, () => ({
    selected() {
      if (!view.current) return { text: latest.current.value, from: 0, to: 0 }
      const { doc, selection } = view.current.state
      return { text: doc.toString(), from: selection.main.from, to: selection.main.to }
    },
    apply({ from, to, insert, select: [anchor, head] }) {
      view.current?.dispatch({
        changes: { from, to, insert },
        selection: { anchor, head },
        scrollIntoView: true,
        userEvent: 'input',
      })
      view.current?.focus()
    },
  }))

  return (
    <div
      ref={host}
      className={`${inputStyles} px-0!`}
      style={{ '--editor-height': `${rows * 1.5 + 1.4}rem` } as CSSProperties}
    />
  )
}

const attributesOf = ({ control, label, path }: MarkdownEditorProps): Record<string, string> => ({
  id: control.id,
  'data-path': path,
  'aria-label': label,
  ...(control['aria-describedby'] && { 'aria-describedby': control['aria-describedby'] }),
  ...(control['aria-invalid'] && { 'aria-invalid': 'true' }),
  spellcheck: 'true',
  autocorrect: 'on',
  autocapitalize: 'sentences',
})

const fromOutside = Annotation.define<boolean>()

/** Takes over a value that wasn't typed here, such as a merge of two tabs. Changes as little as possible, so the cursor stays. */
function replaceFromOutside(editor: EditorView, value: string) {
  const before = editor.state.doc.toString()
  const after = value.replaceAll(/\r\n?/g, '\n')
  if (before === after) return
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  editor.dispatch({
    changes: { from: start, to: before.length - end, insert: after.slice(start, after.length - end) },
    annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)],
  })
}

/** The search panel's own words are in lower case. */
const searchWords = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
}

const look = EditorView.theme({
  '&': { maxHeight: '70dvh', borderRadius: 'inherit' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': {
    minHeight: 'var(--editor-height)',
    paddingBlock: '0.375rem',
    fontFamily: 'var(--font-mono)',
    fontSize: '0.9375rem',
    lineHeight: '1.625',
  },
  '.cm-content': { minWidth: '0', paddingInline: '0.75rem', caretColor: 'var(--ink)' },
  // The ring is around the whole editor.
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-line': { padding: '0' },
  '.cm-panels': { borderColor: 'var(--line)', backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  // Case, words and regular expressions.
  '.cm-panel.cm-search label': { display: 'none' },
  '.cm-panel.cm-search :is(.cm-textfield, .cm-button)': {
    border: '1px solid var(--line-strong)',
    borderRadius: '0.25rem',
    background: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: '0.875rem',
  },
})

const colors = HighlightStyle.define([
  { tag: tags.heading, class: 'font-semibold' },
  { tag: tags.strong, class: 'font-bold' },
  { tag: tags.emphasis, class: 'italic' },
  { tag: [tags.link, tags.url], class: 'text-accent-ink' },
  { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], class: 'text-muted' },
])
