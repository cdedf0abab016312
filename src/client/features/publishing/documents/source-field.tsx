import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useImperativeHandle,
  useRef,
} from 'react'
import { inputStyles } from '#client/ui/input-styles.ts'
import { followCursor } from './edited-block.ts'
import {
  type Edit,
  insertBlock,
  insertMarkedQuotation,
  insertPasted,
  insertTable,
  linkMarkdown,
  linkWords,
  problemOfAddress,
  type Selected,
  toggleLines,
  toggleMark,
} from './markdown-commands.ts'
import { hasWords, markdownOfHtml } from './pasted-html.ts'
import { imagesOf, type WritingEvents, type WritingHandle } from './writing-handle.ts'

type SourceFieldProps = WritingEvents & {
  ref: RefObject<WritingHandle | null>
  control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
  label: string
  path: string
  rows: number
  value: string
}

/** The Markdown itself in a text area, with shortcuts, and images by paste and drop. See decision 61. */
export function SourceField({ ref, control, label, path, rows, value, onChange, onOpen }: SourceFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)

  const selected = (): Selected => {
    const { value: text, selectionStart: from, selectionEnd: to } = area.current ?? emptyArea
    return { text, from, to }
  }
  /** Inserts text as if it was typed, so that the browser's undo knows it. */
  const apply = ({ from, to, insert, select }: Edit) => {
    area.current?.focus()
    area.current?.setSelectionRange(from, to)
    if (from !== to || insert !== '') document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert)
    area.current?.setSelectionRange(...select)
  }
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
    focus: () => area.current?.focus(),
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
    const tool = event.nativeEvent.isComposing ? null : toolOfKey(event)
    if (!tool) return
    event.preventDefault()
    if (tool === 'link') onOpen('link')
    else run(tool)
  }
  const handlePaste = (event: ClipboardEvent) => {
    const { clipboardData } = event
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
    else return
    event.preventDefault()
  }
  const handleDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    onOpen('image', imagesOf(event.dataTransfer, { any: true }))
  }

  return (
    <textarea
      {...control}
      ref={area}
      data-path={path}
      aria-label={label}
      rows={rows}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onSelect={({ currentTarget }) => followCursor(currentTarget.value, currentTarget.selectionStart)}
      onKeyDown={handleKey}
      onPaste={handlePaste}
      onDrop={handleDrop}
      className={`${inputStyles} block max-h-[70dvh] border-0! py-2 font-mono text-[0.9375rem] leading-relaxed field-sizing-content`}
    />
  )
}

const emptyArea = { value: '', selectionStart: 0, selectionEnd: 0 }

function toolOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  if (ctrlKey === metaKey) return null
  if (altKey && !shiftKey) return code === 'Digit3' ? 'heading' : null
  if (shiftKey && !altKey) {
    return { Digit7: 'numbers', Digit8: 'bullets', Digit9: 'quote' }[code] ?? null
  }
  if (altKey) return null
  return { b: 'bold', i: 'italic', k: 'link' }[key.toLowerCase()] ?? null
}
