import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { iconButtonStyles } from '#client/ui/icon-button.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'
import { addMonths } from '#shared/domain/publishing-calendar.ts'
import { zoneLabel } from '#shared/domain/zoned-time.ts'
import { formatMonth } from './calendar-labels.ts'
import { CalendarMonth } from './calendar-month.tsx'
import { CalendarWeeks } from './calendar-weeks.tsx'
import { useCreateDocument } from './content.api.ts'
import { type MovableDrop, MoveDropDialog } from './move-drop-dialog.tsx'
import { UndatedDrops } from './undated-drops.tsx'
import { useMediaQuery } from './use-media-query.ts'

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
export function ContentCalendar() {
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
