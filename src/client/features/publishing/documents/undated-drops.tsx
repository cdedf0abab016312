import { Link } from 'react-router'
import type { ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { MoveButton } from './calendar-entries.tsx'
import type { MovableDrop } from './move-drop-dialog.tsx'

type UndatedDropsProps = { calendar: ContentCalendar; onMove: (drop: MovableDrop) => void }

/** Drafts without a date. */
export function UndatedDrops({ calendar: { undated }, onMove }: UndatedDropsProps) {
  if (undated.length === 0) return null
  return (
    <section aria-labelledby="calendar-undated" className="rounded-lg border border-line bg-surface p-5">
      <h2 id="calendar-undated" className="display text-xl">
        Drafts without a date
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {undated.map(({ id, title, version }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <Link
              to={`/admin/content/drops/${id}`}
              className="inline-flex min-h-11 items-center rounded-sm font-semibold [overflow-wrap:anywhere] hover:text-primary hover:underline hover:underline-offset-4"
            >
              {title}
            </Link>
            <MoveButton
              title={title}
              onClick={() => onMove({ id, title, version, day: null, at: null, emailId: null })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
