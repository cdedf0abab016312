import { clsx } from 'clsx'
import { ChevronRight, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { announce } from '#client/ui/announce.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { moveItem } from './move-item.ts'

type Item = { id: string }

type ItemsFieldProps<T extends Item> = {
  /** Name of one item: "Section". */
  one: string
  path: string
  items: readonly T[]
  titleOf: (item: T) => string
  makeItem: (id: string) => T
  onChange: (items: T[]) => void
  children: (item: T, path: string, onItem: (item: T) => void) => ReactNode
}

/** An ordered list of collapsible items to add, remove, and move with buttons or Alt and the arrow keys. */
export function ItemsField<T extends Item>({
  one,
  path,
  items,
  titleOf,
  makeItem,
  onChange,
  children,
}: ItemsFieldProps<T>) {
  const [openId, setOpenId] = useState<string | null>(null)
  const [removing, setRemoving] = useState<T | null>(null)
  const list = useRef<HTMLOListElement>(null)

  const move = (from: number, by: number, focus: MoveFocus) => {
    const to = from + by
    const item = items[from]
    if (!item || to < 0 || to >= items.length) return
    onChange(moveItem(items, from, to))
    announce(`${one} is now ${to + 1} of ${items.length}`)
    // Moving the row in the page drops focus. Restore it for the next press.
    requestAnimationFrame(() => {
      const row = list.current?.children[to]
      const wanted = focus && row?.querySelector<HTMLElement>(`[data-move=${focus}]:not(:disabled)`)
      const other = focus && row?.querySelector<HTMLElement>('[data-move]:not(:disabled)')
      if (focus) (wanted || other)?.focus()
    })
  }
  const add = () => {
    const item = makeItem(crypto.randomUUID())
    onChange([...items, item])
    setOpenId(item.id)
    requestAnimationFrame(() =>
      list.current?.lastElementChild?.querySelector<HTMLElement>('input, textarea, select')?.focus(),
    )
  }
  const remove = (item: T) => {
    onChange(items.filter(({ id }) => id !== item.id))
    announce(`${one} removed`)
  }

  return (
    <div>
      <ol
        ref={list}
        data-path={path}
        tabIndex={-1}
        className={clsx(items.length > 0 && 'mb-4 divide-y divide-line border-y border-line')}
      >
        {items.map((item, index) => (
          <ItemRow
            key={item.id}
            name={one}
            index={index}
            count={items.length}
            title={titleOf(item)}
            isOpen={item.id === openId}
            onMove={(by, focus) => move(index, by, focus)}
            onRemove={() => setRemoving(item)}
          >
            {children(item, `${path}.${index}`, (next) => onChange(items.with(index, next)))}
          </ItemRow>
        ))}
      </ol>
      <Button variant="secondary" onClick={add}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        Add {one.toLowerCase()}
      </Button>
      {removing && (
        <ConfirmDialog
          title={`Remove this ${one.toLowerCase()}?`}
          action="Remove"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          You can restore “{titleOf(removing) || 'Untitled'}” from an earlier version.
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Button that gets the focus back after a move; null if another element has it. */
type MoveFocus = 'up' | 'down' | null

type ItemRowProps = {
  /** "Section" */
  name: string
  index: number
  count: number
  title: string
  isOpen: boolean
  onMove: (by: 1 | -1, focus: MoveFocus) => void
  onRemove: () => void
  children: ReactNode
}

/** One collapsible item of an `ItemsField`, with buttons to move and remove it. */
function ItemRow({ name, index, count, title, isOpen, onMove, onRemove, children }: ItemRowProps) {
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
