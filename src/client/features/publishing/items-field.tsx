import { ArrowDown, ArrowUp, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { moveItem } from './move-item.ts'

type Item = { id: string }

type ItemsFieldProps<T extends Item> = {
  /** "Section": each is called by its number. */
  one: string
  path: string
  items: readonly T[]
  titleOf: (item: T) => string
  makeItem: (id: string) => T
  onChange: (items: T[]) => void
  children: (item: T, path: string, onItem: (item: T) => void) => ReactNode
}

/** Things in an order, folded to their titles: added, moved by buttons or with Alt and the arrow keys, taken out. */
export function ItemsField<T extends Item>({
  one,
  path,
  items,
  titleOf,
  makeItem,
  onChange,
  children,
}: ItemsFieldProps<T>) {
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<T | null>(null)
  const list = useRef<HTMLOListElement>(null)

  const move = (from: number, by: number, focus: 'up' | 'down' | null) => {
    const to = from + by
    const item = items[from]
    if (!item || to < 0 || to >= items.length) return
    onChange(moveItem(items, from, to))
    announce(`${one} is now ${to + 1} of ${items.length}`)
    // Moved about in the page, a button loses the focus that the next press needs.
    requestAnimationFrame(() => {
      const row = list.current?.children[to]
      const wanted = focus && row?.querySelector<HTMLElement>(`[data-move=${focus}]:not(:disabled)`)
      const other = focus && row?.querySelector<HTMLElement>('[data-move]:not(:disabled)')
      if (focus) (wanted || other)?.focus()
    })
  }
  const handleKey = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const { target } = event
    move(index, event.key === 'ArrowUp' ? -1 : 1, null)
    requestAnimationFrame(() => target instanceof HTMLElement && target.focus())
  }
  const add = () => {
    const item = makeItem(crypto.randomUUID())
    onChange([...items, item])
    setUnfolded(item.id)
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
      <ol ref={list} data-path={path} tabIndex={-1} className="divide-y divide-line border-y border-line">
        {items.map((item, index) => (
          <li key={item.id} className="relative" onKeyDown={(event) => handleKey(event, index)}>
            <details className="group" open={item.id === unfolded || undefined}>
              <summary className="flex min-h-14 list-none items-center gap-2 py-1.5 pr-[136px]">
                <ChevronRight
                  aria-hidden
                  className="size-5 shrink-0 text-muted transition-transform group-open:rotate-90"
                  strokeWidth={1.75}
                />
                <span className="min-w-0 grow [overflow-wrap:anywhere]">
                  <span className="text-sm text-muted tabular-nums">
                    {one} {index + 1}
                  </span>
                  <span className="block leading-snug font-semibold">{titleOf(item) || 'Untitled'}</span>
                </span>
              </summary>
              <div className="grid gap-5 pt-2 pb-6 sm:pl-7">
                {children(item, `${path}.${index}`, (next) => onChange(items.with(index, next)))}
              </div>
            </details>
            <div className="absolute top-1.5 right-0 flex">
              <IconButton
                icon={ArrowUp}
                data-move="up"
                label={`Move ${one.toLowerCase()} ${index + 1} up`}
                disabled={index === 0}
                className="disabled:opacity-30"
                onClick={() => move(index, -1, 'up')}
              />
              <IconButton
                icon={ArrowDown}
                data-move="down"
                label={`Move ${one.toLowerCase()} ${index + 1} down`}
                disabled={index === items.length - 1}
                className="disabled:opacity-30"
                onClick={() => move(index, 1, 'down')}
              />
              <IconButton
                icon={Trash2}
                label={`Remove ${one.toLowerCase()} ${index + 1}`}
                onClick={() => setLeaving(item)}
              />
            </div>
          </li>
        ))}
      </ol>
      <Button variant="secondary" className="mt-4" onClick={add}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        Add {one.toLowerCase()}
      </Button>
      {leaving && (
        <ConfirmDialog
          title={`Remove this ${one.toLowerCase()}?`}
          action="Remove"
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(null)}
        >
          “{titleOf(leaving) || 'Untitled'}” stays among the earlier versions.
        </ConfirmDialog>
      )}
    </div>
  )
}
