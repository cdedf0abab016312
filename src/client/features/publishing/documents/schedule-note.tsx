import { CalendarClock, TriangleAlert } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '#client/lib/error-message.ts'
import { StepUpDeclined } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { formatLongInstant } from '#shared/domain/zoned-time.ts'

type ScheduleNoteProps = {
  stored: StoredDocument
  /** The text differs from the scheduled one. */
  isEdited: boolean
  pending: boolean
  update: { run: () => void; isPending: boolean; error: Error | null }
  onCancel: () => void
}

/** Shown below the editor's toolbar if a document is scheduled, or if scheduled publishing failed. */
export function ScheduleNote({ stored, isEdited, pending, update, onCancel }: ScheduleNoteProps) {
  const { scheduled, publishFailure } = stored
  const zone = useContext(PublicationTimeZone) ?? 'UTC'
  if (scheduled) {
    return (
      <div
        role="status"
        className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-3 border-accent bg-accent-soft px-4 py-3 text-sm"
      >
        <CalendarClock aria-hidden className="size-5 shrink-0 text-accent-ink" strokeWidth={1.75} />
        <div className="min-w-0 grow basis-64">
          <p className="font-semibold text-accent-ink">Publishes {formatLongInstant(scheduled.at, zone)}</p>
          {scheduled.email && (
            <p>
              Then{' '}
              <Link to={`/admin/newsletter/${scheduled.email.id}`} className="text-link">
                its email
              </Link>{' '}
              goes out: “{scheduled.email.subject}”
            </p>
          )}
          {isEdited && <p>You’ve edited it since. These edits aren’t scheduled yet.</p>}
          <InlineError className="mt-1">
            {update.error && !(update.error instanceof StepUpDeclined)
              ? `${errorMessage(update.error)} Choose Reschedule to see what to fix.`
              : undefined}
          </InlineError>
        </div>
        {isEdited && (
          <Button size="sm" pending={update.isPending} onClick={update.run}>
            {scheduled.email ? 'Save and update the email' : 'Save and update the schedule'}
          </Button>
        )}
        <Button variant="secondary" size="sm" pending={pending} onClick={onCancel}>
          Cancel schedule
        </Button>
      </div>
    )
  }
  if (!publishFailure) return null
  return (
    <div
      role="alert"
      className="mt-4 flex flex-wrap items-start gap-x-4 gap-y-2 border-l-3 border-danger bg-danger-soft px-4 py-3 text-sm"
    >
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-danger" strokeWidth={1.75} />
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold text-danger">
          Not published as scheduled: {formatLongInstant(publishFailure.scheduledAt, zone)}
        </p>
        <ul className="mt-1 list-disc pl-5">
          {publishFailure.problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
        <p className="mt-1">Fix the problem, then publish or schedule it again.</p>
      </div>
      <Button variant="secondary" size="sm" pending={pending} onClick={onCancel}>
        Dismiss
      </Button>
    </div>
  )
}
