import { useQuery } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { blocksQuery } from './blocks-and-files.api.ts'
import { TextAreaField } from './fields.tsx'
import { ImageDialog } from './image-dialog.tsx'

type MarkdownFieldProps = {
  path: string
  label: string
  value: string
  onChange: (value: string) => void
  rows?: number
  /** False inside blocks, which can't contain other blocks. */
  withBlocks?: boolean
}

/** Markdown text area, with buttons that insert images and blocks at the cursor. */
export function MarkdownField({ path, label, value, onChange, rows = 8, withBlocks = true }: MarkdownFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [isChoosing, setIsChoosing] = useState(false)

  const insert = (text: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {}
    const before = value.slice(0, selectionStart)
    const after = value.slice(selectionEnd)
    const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    const tail = after === '' || after.startsWith('\n') ? '' : '\n\n'
    onChange(`${before}${gap}${text}${tail}${after}`)
    const at = before.length + gap.length + text.length
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(at, at)
    })
  }

  return (
    <div className="grid gap-2">
      <TextAreaField ref={area} path={path} label={label} value={value} onChange={onChange} rows={rows} mono />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => setIsChoosing(true)}>
          <ImagePlus aria-hidden className="size-4" strokeWidth={1.75} />
          Insert image
        </Button>
        {withBlocks && <BlockPicker onPick={(id) => insert(`{{block:${id}}}`)} />}
      </div>
      {isChoosing && (
        <ImageDialog
          onClose={() => setIsChoosing(false)}
          onInsert={(markdown) => {
            setIsChoosing(false)
            insert(markdown)
          }}
        />
      )}
    </div>
  )
}

function BlockPicker({ onPick }: { onPick: (id: string) => void }) {
  const { data: blocks = [] } = useQuery(blocksQuery)
  const id = useId()
  if (blocks.length === 0) return null
  return (
    <>
      <label htmlFor={id} className="sr-only">
        Insert block
      </label>
      <select
        id={id}
        value=""
        onChange={(event) => event.target.value && onPick(event.target.value)}
        className={`${inputStyles} w-auto! max-w-full text-sm! font-semibold sm:min-h-9`}
      >
        <option value="">Insert block…</option>
        {blocks.map((block) => (
          <option key={block.id} value={block.id}>
            {block.title}
          </option>
        ))}
      </select>
    </>
  )
}
