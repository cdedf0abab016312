import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { CreditCard, DoorOpen, type LucideIcon, Mail, NotebookPen, ShieldCheck, UserRound, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { pagedQuery } from '#client/lib/calls.ts'
import { readableInstants } from '#client/lib/readable-instants.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterChip, FilterChipRow } from '#client/ui/filter-chip.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminMemberTimelineCall,
  type TimelineEntry,
  type TimelineKind,
  timelineKinds,
} from '#shared/contracts/operations/member-page.ts'

const timelineQuery = (userId: string, kind: TimelineKind | null) =>
  pagedQuery(
    ['admin-member-timeline', userId, kind],
    adminMemberTimelineCall,
    { userId, kind, limit: 25 },
    { placeholderData: keepPreviousData },
  )

const icons: Record<TimelineKind, LucideIcon> = {
  account: UserRound,
  emails: Mail,
  payments: CreditCard,
  access: DoorOpen,
  security: ShieldCheck,
  notes: NotebookPen,
  staff: Wrench,
}

/** Everything that happened to a member, newest first. Folded, because it is long; loaded when it is opened. */
export function MemberTimeline({ userId }: { userId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="Timeline" lede="Newest first. Account emails are kept for 90 days.">
      {isOpen ? (
        <TimelineEntries userId={userId} />
      ) : (
        <Button variant="secondary" onClick={() => setIsOpen(true)}>
          Show timeline
        </Button>
      )}
    </Section>
  )
}

function TimelineEntries({ userId }: { userId: string }) {
  const [kind, setKind] = useState<TimelineKind | null>(null)
  const timeline = useInfiniteQuery(timelineQuery(userId, kind))
  const entries = timeline.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <FilterChipRow label="Show only">
        <FilterChip pressed={kind === null} onToggle={() => setKind(null)}>
          Everything
        </FilterChip>
        {Object.entries(timelineKinds).map(([key, label]) => (
          <FilterChip
            key={key}
            pressed={kind === key}
            onToggle={() => setKind(kind === key ? null : (key as TimelineKind))}
          >
            {label}
          </FilterChip>
        ))}
      </FilterChipRow>
      <div className="mt-4">
        <InfiniteList
          query={timeline}
          what="the timeline"
          skeleton={<SkeletonText lines={6} height="h-11" />}
          empty={entries.length === 0 && !timeline.hasNextPage ? 'Nothing of this kind yet.' : null}
        >
          <ol aria-label="Timeline" aria-busy={timeline.isPlaceholderData} className="border-t-2 border-ink">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </InfiniteList>
      </div>
    </>
  )
}

function Entry({ entry: { at, kind, title, details, by, isProblem, mailingId } }: { entry: TimelineEntry }) {
  const Icon = icons[kind]
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-b border-line py-3 text-sm leading-6 sm:grid-cols-[1.25rem_minmax(0,1fr)_auto]">
      <Icon
        aria-hidden
        className={isProblem ? 'mt-0.5 size-5 text-danger' : 'mt-0.5 size-5 text-muted'}
        strokeWidth={1.75}
      />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className={isProblem ? 'font-semibold text-danger' : 'font-semibold'}>
          <span className="sr-only">{timelineKinds[kind]}: </span>
          {mailingId ? (
            <Link to={`/admin/newsletter/${mailingId}`} className="text-link">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {kind === 'notes' ? (
          <p className="max-w-[70ch] whitespace-pre-line">{details.join('\n')}</p>
        ) : (
          details.length > 0 && <p className="text-muted">{readableInstants(details.join(' · '))}</p>
        )}
        {by && <p className="text-muted">by {by}</p>}
      </div>
      <p className="text-muted tabular-nums max-sm:col-start-2">
        <Timestamp at={at} />
      </p>
    </li>
  )
}
