import { CircleAlert, CircleCheck } from 'lucide-react'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Upcoming } from '#shared/contracts/operations/admin-overview.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { OverviewSection } from './overview-section.tsx'

/** Creates the mailing of a published drop and opens it. */
export type PrepareEmail = { pendingId: string | null; prepare: (issueId: string) => void }

type UpcomingListProps = { upcoming: readonly Upcoming[]; prepareEmail: PrepareEmail }

/** Lists what is published and sent next, and what it still needs. */
export function UpcomingList({ upcoming, prepareEmail }: UpcomingListProps) {
  return (
    <OverviewSection
      title="Goes out next"
      aside={
        <PageLink
          to="/admin/content/calendar"
          className="inline-flex min-h-11 items-center text-sm font-semibold max-sm:-my-2.5 sm:min-h-0"
        >
          Calendar
        </PageLink>
      }
    >
      {upcoming.length === 0 ? (
        <p className="py-4 text-muted">
          Nothing is scheduled, and there are no drafts.{' '}
          <PageLink to="/admin/content/drops">{ownWords`Write the next drop`}</PageLink>
        </p>
      ) : (
        <ol aria-label="Goes out next">
          {upcoming.map((item) => (
            <UpcomingRow key={`${item.kind} ${item.id}`} item={item} prepareEmail={prepareEmail} />
          ))}
        </ol>
      )}
    </OverviewSection>
  )
}

function UpcomingRow({ item, prepareEmail }: { item: Upcoming; prepareEmail: PrepareEmail }) {
  const { kind, id, title, at, needs } = item
  const label = labelOf(item)
  const page = kind === 'mailing' ? `/admin/newsletter/${id}` : `/admin/content/drops/${id}`
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted tabular-nums">
        <Tag tone={label.tone}>{label.text}</Tag>
        {at && (item.state === 'published' ? <time dateTime={at}>{formatDay(at)}</time> : <Timestamp at={at} />)}
      </p>
      <p className="mt-1 leading-6 font-semibold [overflow-wrap:anywhere]">
        <PageLink to={page}>{title}</PageLink>
      </p>
      {item.state === 'published' ? (
        <Button
          variant="secondary"
          size="sm"
          className="mt-2"
          pending={prepareEmail.pendingId === id}
          onClick={() => prepareEmail.prepare(id)}
        >
          Prepare email<span className="sr-only">: {title}</span>
        </Button>
      ) : (
        <Needs item={item} needs={needs} />
      )}
    </li>
  )
}

type Label = { text: string; tone: 'plain' | 'primary' | 'accent' | 'danger' }

function labelOf(item: Upcoming): Label {
  const what = item.kind === 'drop' ? ownWords`Drop` : 'Mailing'
  switch (item.state) {
    case 'scheduled':
      return { text: `${what}, scheduled`, tone: 'accent' }
    case 'published':
      return { text: 'Published, not emailed', tone: 'accent' }
    case 'preparing':
    case 'sending':
      return { text: 'Sending now', tone: 'primary' }
    case 'paused':
      return { text: 'Mailing, paused', tone: 'danger' }
    default:
      return { text: `${what}, draft`, tone: 'plain' }
  }
}

function Needs({ item, needs: { count, first } }: { item: Upcoming; needs: Upcoming['needs'] }) {
  if (item.state === 'sending' || item.state === 'preparing' || item.state === 'paused') return null
  if (count === 0) {
    const ready =
      item.state === 'scheduled' ? 'Nothing left to do' : item.kind === 'drop' ? 'Ready to publish' : 'Ready to send'
    return (
      <p className="mt-1 flex gap-2 text-sm leading-6 text-muted">
        <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-success" strokeWidth={1.75} />
        {ready}
      </p>
    )
  }
  return (
    <ul className="mt-1 grid gap-0.5 text-sm leading-6">
      {first.map((message) => (
        <li key={message} className="flex gap-2 [overflow-wrap:anywhere]">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-accent-ink" strokeWidth={1.75} />
          <span className="min-w-0">{message}</span>
        </li>
      ))}
      {count > first.length && <li className="pl-6 text-muted">and {count - first.length} more</li>}
    </ul>
  )
}
