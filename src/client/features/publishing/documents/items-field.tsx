import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { ItemRow, type MoveFocus } from './item-row.tsx'
import { moveItem } from './move-item.ts'

type Item = { id: string }

type ItemsFieldProps<T extends Item> = {
  /** Name of one item: "Section". */
  one: string
  path: string
  /** Number of items of the same list that are shown elsewhere, before these. */
  offset?: number
  items: readonly T[]
  titleOf: (item: T) => string
  noteOf?: (item: T) => string | null
  makeItem: (id: string) => T
  onChange: (items: T[]) => void
  children: (item: T, path: string, onItem: (item: T) => void) => ReactNode
}

/** An ordered list of collapsible items to add, remove, and move with buttons or Alt and the arrow keys. */
export function ItemsField<T extends Item>({
  one,
  path,
  offset = 0,
  items,
  titleOf,
  noteOf,
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
            note={noteOf?.(item)}
            isOpen={item.id === openId}
            onMove={(by, focus) => move(index, by, focus)}
            onRemove={() => setRemoving(item)}
          >
            {children(item, `${path}.${index + offset}`, (next) => onChange(items.with(index, next)))}
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
