import { ChevronRight, Trash2 } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconButton } from '#client/ui/icon-button.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'

/** Button that gets the focus back after a move; null if another element has it. */
export type MoveFocus = 'up' | 'down' | null

type ItemRowProps = {
  /** "Section" */
  name: string
  index: number
  count: number
  title: string
  /** Shown after the number. */
  note?: string | null | undefined
  isOpen: boolean
  onMove: (by: 1 | -1, focus: MoveFocus) => void
  onRemove: () => void
  children: ReactNode
}

/** One collapsible item of an `ItemsField`, with buttons to move and remove it. */
export function ItemRow({ name, index, count, title, note, isOpen, onMove, onRemove, children }: ItemRowProps) {
  const handleKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const { target } = event
    onMove(event.key === 'ArrowUp' ? -1 : 1, null)
    requestAnimationFrame(() => target instanceof HTMLElement && target.focus())
  }
  const label = `${name.toLowerCase()} ${index + 1}`
  return (
    <li className="relative" onKeyDown={handleKey}>
      <details className="group" open={isOpen || undefined}>
        <summary className="flex min-h-14 list-none items-center gap-2 py-1.5 pr-[136px]">
          <ChevronRight
            aria-hidden
            className="size-5 shrink-0 text-muted transition-transform group-open:rotate-90"
            strokeWidth={1.75}
          />
          <span className="min-w-0 grow [overflow-wrap:anywhere]">
            <span className="text-sm text-muted tabular-nums">
              {name} {index + 1}
              {note && ` · ${note}`}
            </span>
            <span className="block leading-snug font-semibold">{title || 'Untitled'}</span>
          </span>
        </summary>
        <div className="grid gap-5 pt-2 pb-6 sm:pl-7">{children}</div>
      </details>
      <div className="absolute top-1.5 right-0 flex">
        <MoveButtons
          label={(direction) => `Move ${label} ${direction}`}
          isFirst={index === 0}
          isLast={index === count - 1}
          onMove={onMove}
        />
        <IconButton icon={Trash2} label={`Remove ${label}`} onClick={onRemove} />
      </div>
    </li>
  )
}
