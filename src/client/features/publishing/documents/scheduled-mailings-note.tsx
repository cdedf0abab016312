import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Timestamp } from '#client/ui/timestamp.tsx'

export type ScheduledMailing = { id: string; subject: string; scheduledAt: string | null }

type ScheduledNoteProps = {
  mailings: readonly ScheduledMailing[]
  /** How they are affected. */
  children: ReactNode
}

/** Lists the scheduled mailings that contain a drop, before the drop is changed or unpublished. */
export function ScheduledNote({ mailings, children }: ScheduledNoteProps) {
  if (mailings.length === 0) return null
  return (
    <div className="mt-4 border-l-3 border-accent pl-4">
      <p className="font-semibold text-ink">{children}</p>
      <ul aria-label="Scheduled mailings" className="mt-1.5 grid gap-1.5 text-sm">
        {mailings.map(({ id, subject, scheduledAt }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <Link to={`/admin/newsletter/${id}`} className="text-link">
              {subject}
            </Link>
            {scheduledAt && (
              <>
                , <Timestamp at={scheduledAt} inline />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
