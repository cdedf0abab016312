import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { FeedAddress } from '#client/features/publishing/email-preferences/feed-address.tsx'
import { today } from '#client/features/reader/assignments/today.ts'
import { DeadlineDialog } from '#client/features/reader/deadlines/deadline-dialog.tsx'
import { callQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button, ButtonAnchor } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading, Section } from '#client/ui/page-parts.tsx'
import {
  type Deadline,
  type Deadlines,
  deadlinesCall,
  deleteDeadlineCall,
  saveDeadlineCall,
} from '#shared/contracts/reader/deadlines.ts'
import { daysLeftWords, nextYear } from '#shared/domain/deadlines.ts'
import { daysUntil } from '#shared/domain/due-day.ts'
import { formatDay } from '#shared/domain/format.ts'
import { prefetchContent } from './prefetch-content.ts'

const deadlinesQuery = callQuery(['deadlines'], deadlinesCall, {})

export const loader = prefetchContent((client) => [client.prefetchQuery(deadlinesQuery)])

export function Component() {
  const query = useQuery(deadlinesQuery)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <PageHeading
        title="Deadlines"
        lede="Dates you can’t miss, with a reminder in time to prepare."
        aside={
          <Button className="print:hidden" onClick={() => setIsAdding(true)}>
            Add a deadline
          </Button>
        }
      />
      {query.isLoadingError && <LoadError what="your deadlines" query={query} />}
      {query.isPending && (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="mt-8 w-40 max-w-full" />
          <SkeletonText lines={3} height="h-20" className="mt-5" />
        </LoadingPlaceholder>
      )}
      {query.data && <Dates page={query.data} isAdding={isAdding} onClose={() => setIsAdding(false)} />}
    </>
  )
}

const sections = ['Passed', 'Coming up', 'Later'] as const

function sectionOf({ dueOn, leadDays }: Deadline): (typeof sections)[number] {
  const left = daysUntil(dueOn, today())
  return left < 0 ? 'Passed' : left <= leadDays ? 'Coming up' : 'Later'
}

type DatesProps = { page: Deadlines; isAdding: boolean; onClose: () => void }

function Dates({ page, isAdding, onClose }: DatesProps) {
  const { deadlines, kinds, locations } = page
  const navigate = useNavigate()
  const { hash } = useLocation()
  /** A link to a kind opens the form for one. */
  const linkedKind = kinds.find(({ id }) => id === hash.slice(1))?.id ?? ''
  const [edited, setEdited] = useState<Deadline | null>(null)
  const [deleted, setDeleted] = useState<Deadline | null>(null)
  const remove = useChange(deleteDeadlineCall, { done: 'Deleted', failure: 'The deadline wasn’t deleted' })
  // One checked off now stays in its place, so that a slip can be undone and the focus is kept.
  const [doneBefore] = useState(() => new Set(deadlines.filter(({ done }) => done).map(({ id }) => id)))
  const isFiled = ({ id, done }: Deadline) => done && doneBefore.has(id)
  const filed = deadlines.filter(isFiled)
  const close = () => {
    setEdited(null)
    onClose()
    if (hash) void navigate('/portal/deadlines', { replace: true, preventScrollReset: true })
  }
  const list = (label: string, shown: readonly Deadline[]) => (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {shown.map((deadline) => (
        <DeadlineRow key={deadline.id} deadline={deadline} page={page} onEdit={() => setEdited(deadline)} />
      ))}
    </ul>
  )
  return (
    <div className="max-w-3xl pt-8">
      {deadlines.length === 0 && (
        <EmptyState title="No deadlines yet">
          <p>Renewal, insurance, permits, lease options: add each date once, and we remind you while there’s time.</p>
        </EmptyState>
      )}
      {sections.map((title) => {
        const shown = deadlines.filter((each) => !isFiled(each) && sectionOf(each) === title)
        return (
          shown.length > 0 && (
            <Section key={title} title={title}>
              {list(title, shown)}
            </Section>
          )
        )
      })}
      {filed.length > 0 && (
        <Section title="Done">
          <Disclosure summary={`Show ${filed.length} done`}>{list('Done', filed)}</Disclosure>
        </Section>
      )}
      {deadlines.length > 0 && (
        <Section
          title="In your calendar"
          lede="Your dates in the calendar of your phone or computer, with an alarm for each reminder. Anyone who has the address can read them. Replacing it also replaces your feed’s address."
        >
          <div className="grid gap-3">
            <FeedAddress label="Address of your calendar" ending=".ics">
              {(url) => (
                <ButtonAnchor variant="secondary" href={url.replace(/^https?:/, 'webcal:')}>
                  Open in your calendar app
                </ButtonAnchor>
              )}
            </FeedAddress>
          </div>
        </Section>
      )}
      {(isAdding || linkedKind || edited) && (
        <DeadlineDialog
          key={edited?.id ?? linkedKind}
          deadline={edited}
          kind={edited?.kind ?? linkedKind}
          kinds={kinds}
          locations={locations}
          onDelete={() => {
            setDeleted(edited)
            close()
          }}
          onClose={close}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={`Delete “${deleted.title}”?`}
          action="Delete"
          onConfirm={() => remove.mutate({ id: deleted.id })}
          onClose={() => setDeleted(null)}
        >
          <p>Its reminders end, and it leaves your calendar.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

type DeadlineRowProps = { deadline: Deadline; page: Deadlines; onEdit: () => void }

function DeadlineRow({ deadline, page: { kinds, locations }, onEdit }: DeadlineRowProps) {
  const { title, dueOn, leadDays, yearly, done, locationId } = deadline
  const next = nextYear(dueOn)
  const moves = yearly && !done
  const save = useChange(saveDeadlineCall, {
    ...(moves && { done: `Moved to ${formatDay(next)}` }),
    failure: 'The deadline wasn’t changed',
  })
  const prepare = done ? null : kinds.find(({ id }) => id === deadline.kind)?.prepare
  const section = sectionOf(deadline)
  const [monthAndDay, year] = formatDay(dueOn).split(', ')
  const left = daysLeftWords(dueOn, today())
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-1 py-4">
      <time dateTime={dueOn} className={clsx('w-20 tabular-nums', done && 'text-muted')}>
        <span className="display block text-xl leading-7">{monthAndDay}</span>
        <span className="text-sm text-muted">{year}</span>
      </time>
      <div className="flex min-w-0 grow basis-48 flex-wrap justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <p className={clsx('leading-7 font-semibold [overflow-wrap:anywhere]', done && 'text-muted line-through')}>
            {title}
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
            <span className="[overflow-wrap:anywhere]">
              {locations.find(({ id }) => id === locationId)?.name ?? 'The whole business'}
            </span>
            {!done && (
              <span className={clsx(section === 'Passed' && 'font-semibold text-danger')}>
                {section === 'Passed' ? `Passed ${left}` : `Due ${left}`}
              </span>
            )}
            {!done && section === 'Later' && <span>Reminder {leadDays} days before</span>}
          </p>
          {prepare && (
            <Link to={prepare.path} className="text-link inline-flex min-h-11 items-center text-sm">
              {prepare.label}
            </Link>
          )}
        </div>
        <div className="flex items-start gap-1">
          {/* The same button, so that it keeps the focus. */}
          <Button
            variant="secondary"
            size="sm"
            pending={save.isPending}
            onClick={() => save.mutate({ ...deadline, ...(moves ? { dueOn: next } : { done: !done }) })}
          >
            {done ? 'Reopen' : moves ? `Done, next ${next.slice(0, 4)}` : 'Done'}
            <span className="sr-only"> {title}</span>
          </Button>
          <Button variant="quiet" size="sm" onClick={onEdit}>
            Edit<span className="sr-only"> {title}</span>
          </Button>
        </div>
      </div>
    </li>
  )
}
