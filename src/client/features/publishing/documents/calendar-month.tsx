import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { ownWords } from '#client/lib/publication.ts'
import type { CalendarDrop, ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { weeksOfMonth } from '#shared/domain/publishing-calendar.ts'
import { CalendarEntries } from './calendar-entries.tsx'
import { formatLongDay, formatMonth, formatWeek } from './calendar-labels.ts'
import { GapMark } from './gap-mark.tsx'

export type CalendarViewProps = {
  calendar: ContentCalendar
  onNew: (day: string) => void
  onMove: (drop: CalendarDrop) => void
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The month as a table, for wide screens. */
export function CalendarMonth({ calendar, onNew, onMove }: CalendarViewProps) {
  const { month, gaps } = calendar
  return (
    <table className="w-full table-fixed border-collapse border-b border-line text-sm">
      <caption className="sr-only">{formatMonth(month)}</caption>
      <thead>
        <tr className="border-b-2 border-ink text-left text-muted">
          <th scope="col" className="w-[11%] py-2 font-medium">
            Week
          </th>
          {weekdays.map((name) => (
            <th key={name} scope="col" className="px-2 py-2 font-medium" abbr={name}>
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOfMonth(month).map((days) => (
          <tr key={days[0]} className="border-t border-line align-top">
            <th scope="row" className="py-2 pr-2 text-left font-medium text-muted tabular-nums">
              {formatWeek(days[0] ?? '')}
              {gaps.includes(days[0] ?? '') && <GapMark week={days[0] ?? ''} calendar={calendar} onNew={onNew} />}
            </th>
            {days.map((day) => (
              <Day key={day} day={day} calendar={calendar} onNew={onNew} onMove={onMove} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ day, calendar, onNew, onMove }: CalendarViewProps & { day: string }) {
  const { month, today } = calendar
  const isToday = day === today
  return (
    <td
      aria-current={isToday ? 'date' : undefined}
      className={clsx('group/day h-28 border-l border-line px-2 pt-1 pb-2', day.slice(0, 7) !== month && 'bg-sunken')}
    >
      <div className="flex min-h-9 items-center justify-between">
        <time
          dateTime={day}
          className={clsx(
            'tabular-nums',
            isToday
              ? 'grid size-7 place-items-center rounded-full bg-primary font-semibold text-on-primary'
              : 'text-muted',
          )}
        >
          {Number(day.slice(8))}
        </time>
        {day >= today && (
          <button
            type="button"
            aria-label={ownWords`New drop on ${formatLongDay(day)}`}
            title={ownWords`New drop`}
            onClick={() => onNew(day)}
            className="-mr-1 grid size-9 place-items-center rounded-md text-muted transition-opacity group-focus-within/day:opacity-100 group-hover/day:opacity-100 hover:bg-sunken hover:text-ink pointer-fine:opacity-0"
          >
            <Plus aria-hidden className="size-4" strokeWidth={1.75} />
          </button>
        )}
      </div>
      <CalendarEntries calendar={calendar} day={day} onMove={onMove} className="grid gap-3" />
    </td>
  )
}
