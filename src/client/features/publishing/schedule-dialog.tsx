import { type SubmitEvent, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { problemOfPublishTime } from '#shared/domain/check-schedule-time.ts'
import { instantOf, localTimeOf, zoneLabel } from '#shared/domain/zoned-time.ts'

type ScheduleDialogProps = {
  /** "drop", "guide" */
  one: string
  zone: string
  /** Initial value: the current schedule, or else `day` at the default time. */
  at: string | null
  day: string
  pending: boolean
  problem: string | undefined
  onSchedule: (at: string) => void
  onClose: () => void
}

const defaultTime = '07:00'

/** Asks for a day and time in the publication's time zone. */
export function ScheduleDialog({ one, zone, at, day, pending, problem, onSchedule, onClose }: ScheduleDialogProps) {
  const [timeProblem, setTimeProblem] = useState<string | null>(null)
  const [chosenDay, chosenTime] = at ? localTimeOf(at, zone).split('T') : [day, defaultTime]
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = instantIn(zone, `${form.get('day')}T${form.get('time')}`)
    const wrong = chosen ? problemOfPublishTime(new Date(chosen), new Date()) : 'Enter a valid date.'
    setTimeProblem(wrong)
    if (chosen && !wrong) onSchedule(chosen)
  }
  return (
    <Dialog title={`Schedule this ${one}`} onClose={onClose}>
      <p className="mt-2 text-muted">
        It appears in the portal at this time, with the text as it is now. To publish later edits, schedule it again.
      </p>
      <form onSubmit={handleSubmit} className="mt-5">
        <div className="flex flex-wrap gap-3">
          <TextField
            label="Day"
            name="day"
            type="date"
            required
            defaultValue={chosenDay}
            aria-invalid={timeProblem !== null || undefined}
            onChange={() => setTimeProblem(null)}
          />
          <TextField
            label="Time"
            name="time"
            type="time"
            required
            defaultValue={chosenTime}
            onChange={() => setTimeProblem(null)}
          />
        </div>
        <p className="mt-3 text-sm text-muted">Time zone: {zoneLabel(zone, new Date())}.</p>
        <InlineError className="mt-3">{timeProblem ?? problem}</InlineError>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" pending={pending}>
            Schedule
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Null for dates out of range, which a date field accepts. */
function instantIn(zone: string, local: string): string | null {
  try {
    return instantOf(local, zone)
  } catch {
    return null
  }
}
