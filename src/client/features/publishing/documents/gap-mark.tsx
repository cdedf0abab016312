import { ownWords } from '#client/lib/publication.ts'
import type { ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { addDays } from '#shared/domain/publishing-calendar.ts'
import { formatLongDay } from './calendar-labels.ts'

type GapMarkProps = { week: string; calendar: ContentCalendar; onNew: (day: string) => void }

/** Marks a week without a drop. A week that isn't over offers to plan one, on the usual day if there is still time. */
export function GapMark({ week, calendar: { today, nextFreeDay }, onNew }: GapMarkProps) {
  const last = addDays(week, 6)
  if (last < today || nextFreeDay === null)
    return <span className="mt-1 block text-xs text-muted">{ownWords`No drop`}</span>
  const usual = addDays(week, new Date(`${nextFreeDay}T00:00:00Z`).getUTCDay())
  const day = usual >= today ? usual : today
  return (
    <span className="mt-1 block">
      <span className="block border-l-3 border-accent pl-2 text-xs font-semibold text-accent-ink">{ownWords`No drop yet`}</span>
      <button
        type="button"
        onClick={() => onNew(day)}
        className="mt-1 inline-flex min-h-11 items-center rounded-sm text-xs font-semibold text-primary underline underline-offset-4 sm:min-h-9"
      >
        {ownWords`Plan a drop`}
        <span className="sr-only"> on {formatLongDay(day)}</span>
      </button>
    </span>
  )
}
