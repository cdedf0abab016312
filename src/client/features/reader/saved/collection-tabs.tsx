import { clsx } from 'clsx'
import { Link } from 'react-router'
import { type Collection, maxCountedItems } from '#shared/contracts/reader/saved.ts'

type CollectionTabsProps = { collections: readonly Collection[]; current: string | null }

/** Everything saved, and each collection. On a phone the row scrolls. */
export function CollectionTabs({ collections, current }: CollectionTabsProps) {
  return (
    <nav aria-label="Collections" className="-mx-(--gutter) overflow-x-auto px-(--gutter)">
      <ul className="flex w-max min-w-full border-b border-line [&>li:first-child]:-ml-3">
        <Tab label="Everything" to="/portal/saved" isCurrent={current === null} />
        {collections.map(({ id, name, count }) => (
          <Tab
            key={id}
            label={name}
            count={count >= maxCountedItems ? `${maxCountedItems}+` : String(count)}
            to={`/portal/saved?collection=${id}`}
            isCurrent={id === current}
          />
        ))}
      </ul>
    </nav>
  )
}

type TabProps = { label: string; count?: string; to: string; isCurrent: boolean }

function Tab({ label, count, to, isCurrent }: TabProps) {
  return (
    <li>
      <Link
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        className={clsx(
          'relative flex min-h-12 items-center gap-1.5 px-3 whitespace-nowrap -outline-offset-3',
          'after:absolute after:inset-x-3 after:-bottom-px after:h-0.75',
          isCurrent ? 'font-semibold text-ink after:bg-accent' : 'text-muted hover:text-ink',
        )}
      >
        {label}
        {count && <span className="text-sm font-normal text-muted tabular-nums">{count}</span>}
      </Link>
    </li>
  )
}
