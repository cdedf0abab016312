import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { focusField } from '#client/lib/focus-field.ts'
import { announce } from '#client/ui/announce.ts'
import {
  type Edit,
  insertBlock,
  insertMarkedQuotation,
  insertPasted,
  insertTable,
  linkMarkdown,
  linkWords,
  moveCell,
  problemOfAddress,
  type Selected,
  toggleLines,
  toggleMark,
} from './markdown-commands.ts'
import { MarkdownEditor, type MarkdownEditorHandle } from './markdown-editor.tsx'
import { hasWords, markdownOfHtml } from './pasted-html.ts'
import { imagesOf, type WritingEvents, type WritingHandle } from './writing-handle.ts'

type SourceFieldProps = WritingEvents & {
  ref: RefObject<WritingHandle | null>
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
  label: string
  path: string
  rows: number
  value: string
  /** The line to select first, 0 for none; null leaves the focus where it is. */
  wantedLine: RefObject<number | null>
}

/** The Markdown itself, with shortcuts, tables by Tab, and images by paste and drop. See decision 50. */
export function SourceField({ ref, value, onChange, onOpen, wantedLine, ...field }: SourceFieldProps) {
  const editor = useRef<MarkdownEditorHandle>(null)
  /** True if Escape was the last key: Tab then leaves the text instead of moving to the next cell. */
  const leavesTable = useRef(false)
  const hasHeardOfTables = useRef(false)

  const { path } = field
  useEffect(() => {
    if (wantedLine.current !== null) focusField(path, wantedLine.current || null)
    wantedLine.current = null
  }, [path, wantedLine])

  const selected = (): Selected => editor.current?.selected() ?? { text: value, from: 0, to: 0 }
  const apply = (edit: Edit) => editor.current?.apply(edit)
  const selectedWords = () => {
    const { text, from, to } = selected()
    return text.slice(from, to)
  }
  const replaceSelection = (insert: string) => {
    const { from, to } = selected()
    apply({ from, to, insert, select: [from + insert.length, from + insert.length] })
  }
  const run = (tool: string) => {
    if (tool === 'bold') apply(toggleMark(selected(), '**'))
    else if (tool === 'italic') apply(toggleMark(selected(), '*'))
    else if (tool === 'table') apply(insertTable(selected()))
    else if (tool === 'heading' || tool === 'bullets' || tool === 'numbers' || tool === 'quote')
      apply(toggleLines(selected(), tool))
  }

  useImperativeHandle(ref, () => ({
    focus: () => apply({ ...selected(), insert: selectedWords(), select: [selected().from, selected().to] }),
    words: selectedWords,
    linkAddress: () => null,
    image: () => null,
    run,
    insertLink: (words, address) => replaceSelection(linkMarkdown(words, address)),
    removeLink: () => {},
    insertBlock: (markdown) => apply(insertBlock({ ...selected(), from: selected().to }, markdown)),
    insertQuotation: (kind) => apply(insertMarkedQuotation(selected(), kind)),
    setImage: () => {},
  }))

  const handleKey = (event: KeyboardEvent) => {
    // While an input method composes a word, all keys belong to it.
    if (event.isComposing) return false
    const tool = toolOfKey(event)
    const isTab = event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey
    const cell = isTab && !leavesTable.current ? moveCell(selected(), event.shiftKey ? -1 : 1) : null
    if (event.key !== 'Shift') leavesTable.current = event.key === 'Escape'
    if (tool === 'link') onOpen('link')
    else if (tool) run(tool)
    else if (cell) {
      apply(cell)
      if (!hasHeardOfTables.current) announce('Next cell. To leave the table, press Escape, then Tab.')
      hasHeardOfTables.current = true
    }
    return tool !== null || cell !== null
  }
  const handlePaste = ({ clipboardData }: ClipboardEvent) => {
    if (!clipboardData) return false
    const html = clipboardData.getData('text/html')
    // Word and spreadsheets add a picture of the copied words.
    const files = hasWords(html) ? [] : imagesOf(clipboardData)
    const pasted = clipboardData.getData('text/plain').trim()
    // Code editors color code with HTML.
    const markdown = clipboardData.types.includes('vscode-editor-data') ? null : markdownOfHtml(html)
    const words = selectedWords()
    if (files.length > 0) onOpen('image', files)
    else if (words.trim() !== '' && linkWords(words) === words && pasted !== '' && problemOfAddress(pasted) === null)
      replaceSelection(linkMarkdown(words, pasted))
    else if (markdown !== null) apply(insertPasted(selected(), markdown))
    else return false
    return true
  }
  const handleDrop = ({ dataTransfer }: DragEvent) => {
    if (!dataTransfer || dataTransfer.files.length === 0) return false
    onOpen('image', imagesOf(dataTransfer, { any: true }))
    return true
  }

  return (
    <MarkdownEditor
      {...field}
      ref={editor}
      value={value}
      onChange={onChange}
      onKey={handleKey}
      onPaste={handlePaste}
      onDrop={handleDrop}
    />
  )
}

function toolOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  if (ctrlKey === metaKey) return null
  if (altKey && !shiftKey) return code === 'Digit3' ? 'heading' : null
  if (shiftKey && !altKey) {
    return ({ Digit7: 'numbers', Digit8: 'bullets', Digit9: 'quote' } as const)[code] ?? null
  }
  if (altKey) return null
  return ({ b: 'bold', i: 'italic', k: 'link' } as const)[key.toLowerCase()] ?? null
}
