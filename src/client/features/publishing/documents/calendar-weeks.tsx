import { ChevronUp, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { addDays, weeksOfMonth } from '#shared/domain/publishing-calendar.ts'
import { CalendarEntries } from './calendar-entries.tsx'
import { formatShortDay, formatWeek } from './calendar-labels.ts'
import type { CalendarViewProps } from './calendar-month.tsx'
import { GapMark } from './gap-mark.tsx'

/** The month as a list by week, for phones. Days without an entry aren't listed. */
export function CalendarWeeks({ calendar, onNew, onMove }: CalendarViewProps) {
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
