import {
  Bold,
  CircleHelp,
  Heading,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  MousePointerClick,
  SquarePlay,
  Table,
  TextQuote,
} from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { iconButtonStyles } from '#client/ui/button.tsx'

export const markdownTools = [
  { id: 'bold', label: 'Bold', icon: Bold, key: 'b' },
  { id: 'italic', label: 'Italic', icon: Italic, key: 'i' },
  { id: 'heading', label: 'Make a heading', icon: Heading, key: 'alt+3' },
  { id: 'bullets', label: 'Bulleted list', icon: List, key: 'shift+8' },
  { id: 'numbers', label: 'Numbered list', icon: ListOrdered, key: 'shift+7' },
  { id: 'quote', label: 'Quotation', icon: TextQuote, key: 'shift+9' },
  { id: 'link', label: 'Insert link', icon: Link, key: 'k' },
  { id: 'image', label: 'Insert image', icon: ImagePlus },
  { id: 'button', label: 'Insert button', icon: MousePointerClick },
  { id: 'table', label: 'Insert table', icon: Table },
  { id: 'video', label: 'Insert video', icon: SquarePlay },
  { id: 'help', label: 'Markdown help', icon: CircleHelp },
] as const satisfies readonly { id: string; label: string; icon: LucideIcon; key?: string }[]

export type MarkdownTool = (typeof markdownTools)[number]['id']

type MarkdownToolbarProps = {
  /** Name of the field. */
  label: string
  /** Id of the text area. */
  controls: string
  /** Tools that the cursor is in, such as "bold". */
  active: readonly string[]
  onTool: (tool: MarkdownTool) => void
}

/** Formats that the cursor can be in; the other tools insert something. */
const toggles: readonly MarkdownTool[] = ['bold', 'italic', 'heading', 'bullets', 'numbers', 'quote']

/** One tab stop; the arrow keys, Home and End move between the buttons. */
export function MarkdownToolbar({ label, controls, active, onTool }: MarkdownToolbarProps) {
  const [current, setCurrent] = useState(0)
  const bar = useRef<HTMLDivElement>(null)

  const handleKey = (event: KeyboardEvent) => {
    const last = markdownTools.length - 1
    const steps: Record<string, number> = {
      ArrowRight: current === last ? 0 : current + 1,
      ArrowLeft: current === 0 ? last : current - 1,
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={`Format: ${label}`}
      aria-controls={controls}
      onKeyDown={handleKey}
      className="writing-tools"
    >
      {markdownTools.map(({ id, label: name, icon: Icon }, index) => (
        <button
          key={id}
          type="button"
          aria-label={name}
          title={name}
          aria-pressed={toggles.includes(id) ? active.includes(id) : undefined}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          // The selection stays in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTool(id)}
          className={`${iconButtonStyles} sm:size-9!`}
        >
          <Icon aria-hidden className="size-4.5" strokeWidth={1.75} />
        </button>
      ))}
    </div>
  )
}
