import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A list of the user's items, such as passkeys or sessions, with actions at the end of each row. */
export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {children}
    </ul>
  )
}

type ItemRowProps = {
  icon: LucideIcon
  title: ReactNode
  /** A line of details under the title. */
  facts?: ReactNode
  actions?: ReactNode
  /** An inline form that edits the item. */
  children?: ReactNode
}

export function ItemRow({ icon: Icon, title, facts, actions, children }: ItemRowProps) {
  return (
    <li className="py-3">
      <div className="flex gap-4">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
        <div className="action-row min-w-0 grow">
          <div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold [overflow-wrap:anywhere]">
              {title}
            </div>
            {facts && <p className="text-sm text-muted tabular-nums">{facts}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2 [&_button]:border-line-strong">{actions}</div>}
        </div>
      </div>
      {children && <div className="mt-3 sm:ml-9">{children}</div>}
    </li>
  )
}
