import { Link } from 'react-router'
import { Tag } from '#client/ui/tag.tsx'
import type { CalendarDrop, CalendarMailing, ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { formatTimeIn } from '#shared/domain/zoned-time.ts'
import { dropLabels, mailingLabels } from './calendar-labels.ts'

type CalendarEntriesProps = {
  calendar: ContentCalendar
  day: string
  onMove: (drop: CalendarDrop) => void
  className?: string
}

export function CalendarEntries({ calendar, day, onMove, className }: CalendarEntriesProps) {
  const drops = calendar.drops.filter((drop) => drop.day === day)
  const mailings = calendar.mailings.filter((mailing) => mailing.day === day)
  if (drops.length + mailings.length === 0) return null
  return (
    <ul className={className}>
      {drops.map((drop) => (
        <DropEntry key={`${drop.id} ${drop.state}`} drop={drop} timeZone={calendar.timeZone} onMove={onMove} />
      ))}
      {mailings.map((mailing) => (
        <MailingEntry key={mailing.id} mailing={mailing} timeZone={calendar.timeZone} />
      ))}
    </ul>
  )
}

const linkStyles =
  'inline-flex min-h-11 items-center rounded-sm leading-snug font-semibold [overflow-wrap:anywhere] hover:text-primary hover:underline hover:underline-offset-4 sm:min-h-6'

type DropEntryProps = { drop: CalendarDrop; timeZone: string; onMove: (drop: CalendarDrop) => void }

function DropEntry({ drop, timeZone, onMove }: DropEntryProps) {
  const { id, title, state, at } = drop
  const { text, tone } = dropLabels[state]
  return (
    <li className="border-l-3 border-primary pl-2.5">
      <Link to={`/admin/content/drops/${id}`} className={linkStyles}>
        {title}
      </Link>
      <Facts>
        <Tag tone={tone}>{text}</Tag>
        {at && <time dateTime={at}>{formatTimeIn(at, timeZone)}</time>}
      </Facts>
      {state !== 'published' && <MoveButton title={title} onClick={() => onMove(drop)} />}
    </li>
  )
}

function MailingEntry({ mailing, timeZone }: { mailing: CalendarMailing; timeZone: string }) {
  const { id, title, state, at } = mailing
  const { text, tone } = mailingLabels[state]
  return (
    <li className="border-l-3 border-accent pl-2.5">
      <Link to={`/admin/newsletter/${id}`} className={linkStyles}>
        {title}
      </Link>
      <Facts>
        <Tag tone={tone}>{text}</Tag>
        <time dateTime={at}>{formatTimeIn(at, timeZone)}</time>
      </Facts>
    </li>
  )
}

export const MoveButton = ({ title, onClick }: { title: string; onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className="inline-flex min-h-11 items-center rounded-sm text-xs font-semibold text-primary underline underline-offset-4 sm:min-h-7"
  >
    Move to…<span className="sr-only"> {title}</span>
  </button>
)

const Facts = ({ children }: { children: React.ReactNode }) => (
  <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-muted tabular-nums">{children}</p>
)
