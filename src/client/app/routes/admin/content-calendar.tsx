import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, ChevronUp, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useSearchParams } from 'react-router'
import { CalendarEntries } from '#client/features/publishing/documents/calendar-entries.tsx'
import { formatMonth, formatShortDay, formatWeek } from '#client/features/publishing/documents/calendar-labels.ts'
import { CalendarMonth, type CalendarViewProps } from '#client/features/publishing/documents/calendar-month.tsx'
import { useCreateDocument } from '#client/features/publishing/documents/content.api.ts'
import { GapMark } from '#client/features/publishing/documents/gap-mark.tsx'
import { type MovableDrop, MoveDropDialog } from '#client/features/publishing/documents/move-drop-dialog.tsx'
import { UndatedDrops } from '#client/features/publishing/documents/undated-drops.tsx'
import { useMediaQuery } from '#client/features/publishing/documents/use-media-query.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button, iconButtonStyles } from '#client/ui/button.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'
import { addDays, addMonths, weeksOfMonth } from '#shared/domain/publishing-calendar.ts'
import { zoneLabel } from '#shared/domain/zoned-time.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Calendar" />
      <div className="pt-6 sm:pt-8">
        <ContentCalendar />
      </div>
    </>
  )
}

/** Null for the current month. The month shown before stays until the next one arrives. */
const calendarQuery = (month: string | null) =>
  alwaysStaleQuery(
    ['admin-content-calendar', month],
    adminContentCalendarCall,
    { month },
    { placeholderData: keepPreviousData },
  )

const monthPattern = /^20\d\d-(?:0[1-9]|1[0-2])$/

/** Drops and mailings by month: what is planned, what went out, and which weeks have no drop. */
function ContentCalendar() {
  const [searchParams] = useSearchParams()
  const wanted = searchParams.get('month')
  const query = useQuery(calendarQuery(wanted && monthPattern.test(wanted) ? wanted : null))
  const create = useCreateDocument('issue')
  const [moving, setMoving] = useState<MovableDrop | null>(null)
  const isWide = useMediaQuery('(min-width: 60rem)')
  const { data: calendar } = query
  if (query.isError && !calendar) return <LoadError what="the calendar" query={query} />
  if (!calendar) return <SkeletonText lines={6} height="h-20" />
  const { month, today, timeZone } = calendar
  const createOn = (day?: string) => {
    if (!create.isPending) create.mutate({ title: '', date: day })
  }
  const view = { calendar, onNew: createOn, onMove: setMoving }
  return (
    <div className="grid gap-8">
      <section aria-labelledby="calendar-month">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="-ml-3 flex items-center">
            <MonthLink month={addMonths(month, -1)} icon={ChevronLeft} label="Previous month" />
            <MonthLink month={addMonths(month, 1)} icon={ChevronRight} label="Next month" />
            <h2 id="calendar-month" className="display ml-2 text-2xl" aria-live="polite">
              {formatMonth(month)}
            </h2>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {month !== today.slice(0, 7) && (
              <Link to="?" className="inline-flex min-h-11 items-center rounded-sm text-sm font-medium text-primary">
                Back to this month
              </Link>
            )}
            <Button pending={create.isPending} onClick={() => createOn()}>
              <Plus aria-hidden className="size-4" strokeWidth={1.75} />
              {ownWords`New drop`}
            </Button>
          </div>
        </div>
        {isWide ? <CalendarMonth {...view} /> : <CalendarWeeks {...view} />}
        <p className="mt-3 text-sm text-muted">Times and days are in {zoneLabel(timeZone, new Date())}.</p>
      </section>
      <UndatedDrops calendar={calendar} onMove={setMoving} />
      {moving && <MoveDropDialog drop={moving} calendar={calendar} onClose={() => setMoving(null)} />}
    </div>
  )
}

type MonthLinkProps = { month: string; icon: typeof ChevronLeft; label: string }

const MonthLink = ({ month, icon: Icon, label }: MonthLinkProps) => (
  <Link
    to={`?month=${month}`}
    className={iconButtonStyles}
    aria-label={`${label}: ${formatMonth(month)}`}
    title={label}
  >
    <Icon aria-hidden className="size-5" strokeWidth={1.75} />
  </Link>
)

/** The month as a list by week, for phones. Days without an entry aren't listed. */
function CalendarWeeks({ calendar, onNew, onMove }: CalendarViewProps) {
  const { today, drops, mailings, gaps } = calendar
  const busy = new Set([...drops, ...mailings].map(({ day }) => day))
  const weeks = weeksOfMonth(calendar.month)
  const isPast = ([week = '']: readonly string[]) => addDays(week, 6) < today
  const [shownMonth, setShownMonth] = useState('')
  const listRef = useRef<HTMLDivElement>(null)
  // This month starts with this week; other months have no week to start with.
  const hidden = calendar.month === today.slice(0, 7) && shownMonth !== calendar.month ? weeks.filter(isPast) : []
  const handleShow = () => {
    // The button leaves; the weeks that it shows take the focus.
    flushSync(() => setShownMonth(calendar.month))
    listRef.current?.focus()
  }
  return (
    <div ref={listRef} tabIndex={-1} className="divide-y divide-line border-b border-line outline-none">
      {hidden.length > 0 && (
        <Button variant="quiet" size="sm" className="-ml-3 mb-1" onClick={handleShow}>
          <ChevronUp aria-hidden className="size-4" strokeWidth={1.75} />
          Show {hidden.length === 1 ? 'the past week' : `${hidden.length} past weeks`}
        </Button>
      )}
      {weeks.slice(hidden.length).map((days) => {
        const [week = ''] = days
        const listed = days.filter((day) => busy.has(day))
        const isCurrent = days.includes(today)
        return (
          <section key={week} className="py-4" aria-label={`Week of ${formatWeek(week)}`}>
            <div className="flex flex-wrap items-center justify-between gap-x-4">
              <h3 className="font-semibold tabular-nums">
                {formatWeek(week)}
                {isCurrent && <span className="ml-2 text-sm font-normal text-muted">This week</span>}
              </h3>
              {addDays(week, 6) >= today && !gaps.includes(week) && (
                <Button variant="quiet" size="sm" onClick={() => onNew(days.find((day) => day >= today) ?? week)}>
                  <Plus aria-hidden className="size-4" strokeWidth={1.75} />
                  {ownWords`New drop`}
                  <span className="sr-only">, week of {formatWeek(week)}</span>
                </Button>
              )}
            </div>
            {gaps.includes(week) && <GapMark week={week} calendar={calendar} onNew={onNew} />}
            {listed.length > 0 && (
              <ol className="mt-2 grid gap-4">
                {listed.map((day) => (
                  <li key={day}>
                    <p className="text-sm text-muted">
                      <time dateTime={day}>{formatShortDay(day)}</time>
                      {day === today && ' · Today'}
                    </p>
                    <CalendarEntries calendar={calendar} day={day} onMove={onMove} className="mt-1 grid gap-3" />
                  </li>
                ))}
              </ol>
            )}
          </section>
        )
      })}
    </div>
  )
}
