import { Link } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import {
  adminSeriesMembersCall,
  adminSetSeriesStatusCall,
  type Series,
  type SeriesGroup,
  seriesGroups,
} from '#shared/contracts/operations/series.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { SeriesStatusTag } from './series-status-tag.tsx'

type SeriesStatusSectionProps = { series: Series; version: number; isSaved: boolean }

const notes = {
  off: 'Nothing is sent until you turn it on.',
  on: 'Members enter and move on each minute.',
  paused:
    'Everyone stays where they are, and emails in the queue wait. Members still enter, and go on when you resume.',
} as const

/** Whether the series runs, and how many members are where. */
export function SeriesStatusSection({ series, version, isSaved }: SeriesStatusSectionProps) {
  const { id, status, totals } = series
  const setStatus = useChange(adminSetSeriesStatusCall)
  const { role } = useStaffRole()
  const seesMembers = role !== null && adminSeriesMembersCall.roles.includes(role)
  const wanted = status === 'on' ? 'paused' : 'on'
  const label = status === 'on' ? 'Pause series' : status === 'paused' ? 'Resume series' : 'Turn on series'
  const groups = (Object.keys(seriesGroups) as SeriesGroup[]).filter((group) => totals[group] > 0)
  return (
    <section aria-label="Status" className="pb-8">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <SeriesStatusTag status={status} />
        <p className="min-w-0 grow text-muted">{notes[status]}</p>
        <Button
          variant={status === 'on' ? 'secondary' : 'primary'}
          pending={setStatus.isPending}
          disabled={!isSaved}
          onClick={() => setStatus.mutate({ id, version, status: wanted })}
        >
          {label}
        </Button>
      </div>
      {!isSaved && status !== 'on' && <p className="mt-2 text-sm text-muted">Save your changes first.</p>}
      <FormError>{formErrorMessage(setStatus.error)}</FormError>
      {totals.entered > 0 && (
        <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm tabular-nums">
          <li>Entered: {formatNumber(totals.entered)}</li>
          {groups.map((group) => {
            const text = `${seriesGroups[group]}: ${formatNumber(totals[group])}`
            return (
              <li key={group}>
                {seesMembers ? (
                  <Link
                    className="text-link inline-flex min-h-11 items-center sm:min-h-0"
                    to={`/admin/newsletter/series/${id}/members?group=${group}`}
                  >
                    {text}
                  </Link>
                ) : (
                  text
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
