import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { announce } from '#client/ui/announce.ts'
import { Field } from '#client/ui/field.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { type CalloutKind, type CopyKind, calloutLabels, copyLabels } from '#shared/domain/marked-quotations.ts'
import { blocksQuery } from './blocks-and-files.api.ts'
import { ImageDialog } from './image-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
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
import { MarkdownHelp } from './markdown-help.tsx'
import { type MarkdownTool, MarkdownToolbar } from './markdown-toolbar.tsx'
import { hasWords, markdownOfHtml } from './pasted-html.ts'

type MarkdownFieldProps = {
  path: string
  label: string
  hint?: ReactNode
  value: string
  onChange: (value: string) => void
  rows?: number
  error?: string
  /** False inside blocks, which can't contain other blocks. */
  withBlocks?: boolean
}

type OpenDialog = { kind: 'link' | 'button' | 'image' | 'video' | 'help'; files: readonly File[] }

/** Markdown editor with a toolbar, shortcuts, and images by paste and drop. See decision 50. */
export function MarkdownField({
  path,
  label,
  hint,
  error,
  value,
  onChange,
  rows = 8,
  withBlocks = true,
}: MarkdownFieldProps) {
  const editor = useRef<MarkdownEditorHandle>(null)
  const toolbarId = useId()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  /** Whether Escape was the last key: Tab then leaves the text instead of moving to the next cell. */
  const leavesTable = useRef(false)
  const hasHeardOfTables = useRef(false)

  const selected = (): Selected => editor.current?.selected() ?? { text: value, from: 0, to: 0 }
  const apply = (edit: Edit) => editor.current?.apply(edit)
  /** After a dialog closed, which kept the focus inside. */
  const applyLater = (makeEdit: (selection: Selected) => Edit) => {
    setDialog(null)
    requestAnimationFrame(() => apply(makeEdit(selected())))
  }
  const open = (kind: OpenDialog['kind'], files: readonly File[] = []) => setDialog({ kind, files })

  const handleTool = (tool: MarkdownTool) => {
    if (tool === 'bold') apply(toggleMark(selected(), '**'))
    else if (tool === 'italic') apply(toggleMark(selected(), '*'))
    else if (tool === 'table') apply(insertTable(selected()))
    else if (tool === 'heading' || tool === 'bullets' || tool === 'numbers' || tool === 'quote')
      apply(toggleLines(selected(), tool))
    else open(tool)
  }
  const handleKey = (event: KeyboardEvent) => {
    // While an input method composes a word, all keys belong to it.
    if (event.isComposing) return false
    const tool = toolOfKey(event)
    const isTab = event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey
    const cell = isTab && !leavesTable.current ? moveCell(selected(), event.shiftKey ? -1 : 1) : null
    if (event.key !== 'Shift') leavesTable.current = event.key === 'Escape'
    if (tool) handleTool(tool)
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
    const { text, from, to } = selected()
    const words = text.slice(from, to)
    if (files.length > 0) open('image', files)
    else if (words.trim() !== '' && linkWords(words) === words && pasted !== '' && problemOfAddress(pasted) === null) {
      const insert = linkMarkdown(words, pasted)
      apply({ from, to, insert, select: [from + insert.length, from + insert.length] })
    } else if (markdown !== null) apply(insertPasted(selected(), markdown))
    else return false
    return true
  }
  const handleDrop = ({ dataTransfer }: DragEvent) => {
    if (!dataTransfer || dataTransfer.files.length === 0) return false
    open('image', imagesOf(dataTransfer, { any: true }))
    return true
  }

  const insertImage = (markdown: string) => {
    const [, ...files] = dialog?.files ?? []
    applyLater((selection) => insertBlock({ ...selection, from: selection.to }, markdown))
    if (files.length > 0) setTimeout(() => open('image', files))
  }

  return (
    <div className="grid gap-2">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <>
            <MarkdownToolbar label={label} controls={control.id} onTool={handleTool} />
            <MarkdownEditor
              ref={editor}
              control={control}
              label={label}
              path={path}
              rows={rows}
              value={value}
              onChange={onChange}
              onKey={handleKey}
              onPaste={handlePaste}
              onDrop={handleDrop}
            />
          </>
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Picker
          id={toolbarId}
          label="Insert prompt or callout"
          options={markedQuotations}
          onPick={(kind) => applyLater((selection) => insertMarkedQuotation(selection, kind as CalloutKind | CopyKind))}
        />
        {withBlocks && (
          <BlockPicker onPick={(id) => applyLater((selection) => insertBlock(selection, `{{block:${id}}}`))} />
        )}
      </div>
      {(dialog?.kind === 'link' || dialog?.kind === 'button') && (
        <LinkDialog
          kind={dialog.kind}
          words={value.slice(selected().from, selected().to)}
          onClose={() => setDialog(null)}
          onInsert={(markdown) =>
            applyLater((selection) => {
              if (dialog.kind === 'button') return insertBlock(selection, markdown)
              const end = selection.from + markdown.length
              return { from: selection.from, to: selection.to, insert: markdown, select: [end, end] }
            })
          }
        />
      )}
      {(dialog?.kind === 'image' || dialog?.kind === 'video') && (
        <ImageDialog
          key={dialog.files.length}
          kind={dialog.kind}
          file={dialog.files[0] ?? null}
          onClose={() => setDialog(null)}
          onInsert={insertImage}
        />
      )}
      {dialog?.kind === 'help' && <MarkdownHelp onClose={() => setDialog(null)} />}
    </div>
  )
}

const markedQuotations = Object.entries({ ...copyLabels, ...calloutLabels }).map(([id, title]) => ({ id, title }))

/** Images of a paste or drop. `any`: other files too, which the upload rejects in words. */
const imagesOf = ({ files }: DataTransfer, { any = false } = {}): File[] =>
  [...files].filter(({ type }) => any || type.startsWith('image/'))

function toolOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): MarkdownTool | null {
  if (ctrlKey === metaKey) return null
  if (altKey && !shiftKey) return code === 'Digit3' ? 'heading' : null
  if (shiftKey && !altKey) {
    return ({ Digit7: 'numbers', Digit8: 'bullets', Digit9: 'quote' } as const)[code] ?? null
  }
  if (altKey) return null
  return ({ b: 'bold', i: 'italic', k: 'link' } as const)[key.toLowerCase()] ?? null
}

function BlockPicker({ onPick }: { onPick: (id: string) => void }) {
  const { data: blocks = [] } = useQuery(blocksQuery)
  const id = useId()
  if (blocks.length === 0) return null
  return <Picker id={id} label="Insert block" options={blocks} onPick={onPick} />
}

type PickerProps = {
  id: string
  label: string
  options: readonly { id: string; title: string }[]
  onPick: (id: string) => void
}

const Picker = ({ id, label, options, onPick }: PickerProps) => (
  <>
    <label htmlFor={id} className="sr-only">
      {label}
    </label>
    <select
      id={id}
      value=""
      onChange={(event) => event.target.value && onPick(event.target.value)}
      className={`${inputStyles} w-auto! max-w-full text-sm! font-semibold sm:min-h-9`}
    >
      <option value="">{label}…</option>
      {options.map((option) => (
        <option key={option.id} value={option.id}>
          {option.title}
        </option>
      ))}
    </select>
  </>
)
