import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { MoveButtons } from './move-buttons.tsx'
import { Section } from './page-parts.tsx'

type RetirableListProps<Item> = {
  /** "Newsletters" and "newsletter": the list's name, and one of its items. */
  label: string
  one: string
  title: string
  lede: string
  /** Says what retiring meant for the retired ones. */
  retiredLede: string
  /** Shown without items in use. */
  empty?: ReactNode
  items: readonly Item[]
  nameOf: (item: Item) => string
  canEdit: boolean
  order: { isPending: boolean; mutate: (ids: number[]) => void }
  /** Null for a new item. */
  form: (item: Item | null, onClose: () => void) => ReactNode
  row: (item: Item, buttons: ReactNode) => ReactNode
  /** The button that retires or restores an item. */
  retire: (item: Item) => ReactNode
}

/** Items that the publisher makes, orders, edits and retires. One is edited at a time, in its place. */
export function RetirableList<Item extends { id: number; retiredAt: string | null }>(props: RetirableListProps<Item>) {
  const { label, one, title, lede, retiredLede, empty, items, nameOf, canEdit, order, form, row, retire } = props
  /** The id of the edited item; 0 for a new one. */
  const [editing, setEditing] = useState<number | null>(null)
  const inUse = items.filter(({ retiredAt }) => retiredAt === null)
  const retired = items.filter(({ retiredAt }) => retiredAt !== null)
  const close = () => setEditing(null)
  const move = (at: number, by: 1 | -1) => {
    const ids = inUse.map(({ id }) => id)
    ids.splice(at + by, 0, ...ids.splice(at, 1))
    order.mutate(ids)
  }
  const buttonsOf = (item: Item, at: number) => (
    <>
      <MoveButtons
        label={(direction) => `Move ${nameOf(item)} ${direction}`}
        isFirst={at === 0}
        isLast={at === inUse.length - 1}
        disabled={order.isPending}
        onMove={(by) => move(at, by)}
      />
      <Button variant="secondary" size="sm" aria-label={`Edit ${nameOf(item)}`} onClick={() => setEditing(item.id)}>
        Edit
      </Button>
      {retire(item)}
    </>
  )
  return (
    <>
      <Section title={title} lede={lede}>
        {canEdit && editing === null && <Button onClick={() => setEditing(0)}>Create {one}</Button>}
        {editing === 0 && form(null, close)}
        {inUse.length === 0 && editing === null && empty}
        {inUse.length > 0 && (
          <ul aria-label={label} className="mt-8 border-t-2 border-ink">
            {inUse.map((item, at) => (
              <li key={item.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                {editing === item.id ? form(item, close) : row(item, canEdit && buttonsOf(item, at))}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {retired.length > 0 && (
        <Section title="Retired" lede={retiredLede}>
          <ul aria-label={`Retired ${label.toLowerCase()}`} className="border-t-2 border-ink">
            {retired.map((item) => (
              <li key={item.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                {row(item, canEdit && retire(item))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

type RetirableRowProps = { name: string; tags: ReactNode; buttons: ReactNode; children: ReactNode }

/** An item with its name, tags, facts and buttons. */
export const RetirableRow = ({ name, tags, buttons, children }: RetirableRowProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
    <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-semibold">{name}</span>
        {tags}
      </p>
      {children}
    </div>
    <div className="flex flex-wrap items-center gap-2">{buttons}</div>
  </div>
)
