import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { z } from 'zod'
import { alwaysStaleQuery, callQuery } from '#client/lib/calls.ts'
import { CallError, formErrorMessage } from '#client/lib/error-message.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError, OptionList, SelectField, TextField } from '#client/ui/form.tsx'
import { mailingErrorsSchema, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { type Audience, everyone } from '#shared/contracts/publishing/newsletter.ts'
import { problemSchema } from '#shared/contracts/publishing/publishable.ts'
import type { DropEmail } from '#shared/contracts/publishing/publishing.ts'
import { adminSegmentsCall } from '#shared/contracts/publishing/segments.ts'
import { adminSendingSettingsCall } from '#shared/contracts/publishing/sending-settings.ts'
import { problemOfPublishTime } from '#shared/domain/check-schedule-time.ts'
import { maxSubjectLength } from '#shared/domain/subject-test.ts'
import { instantOf, localTimeOf, zoneLabel } from '#shared/domain/zoned-time.ts'
import { AudienceCount } from './audience-count.tsx'
import { describeCheck } from './describe-checks.ts'
import { ErrorList } from './error-list.tsx'

type ScheduleDialogProps = {
  /** "drop", "guide" */
  one: string
  zone: string
  /** Initial value: the current schedule, or else `day` at the default time. */
  at: string | null
  day: string
  /** Publishes at once instead, with the email. */
  isNow?: boolean
  /** The email of a drop. Undefined for anything else, and for drops that were emailed before. */
  email: { issueId: string; current: EmailChoice | null; suggested: EmailChoice } | undefined
  pending: boolean
  error: Error | null
  onSchedule: (at: string | null, email: DropEmail | null) => void
  onClose: () => void
}

const defaultTime = '07:00'

/** Asks for a day and time in the publication's time zone. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { one, zone, at, day, isNow = false, email, pending, error, onSchedule, onClose } = props
  const [chosenEmail, setChosenEmail] = useState(email?.current ?? (isNow ? (email?.suggested ?? null) : null))
  // Errors of the email's checks. Shown ones are accepted with the next click.
  const errors = chosenEmail ? errorsOf(error) : []
  // Publishing refuses these, so they can't be accepted.
  const problems = problemsIn(error)
  const [timeProblem, setTimeProblem] = useState<string | null>(null)
  const [chosenDay, chosenTime] = at ? localTimeOf(at, zone).split('T') : [day, defaultTime]
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const accepted = chosenEmail && { ...chosenEmail, acceptedErrors: errors }
    if (isNow) return onSchedule(null, accepted)
    const form = new FormData(event.currentTarget)
    const chosen = instantIn(zone, `${form.get('day')}T${form.get('time')}`)
    const wrong = chosen ? problemOfPublishTime(new Date(chosen), new Date()) : 'Enter a valid date.'
    setTimeProblem(wrong)
    if (chosen && !wrong) onSchedule(chosen, accepted)
  }
  return (
    <Dialog title={isNow ? `Publish and email this ${one}` : `Schedule this ${one}`} onClose={onClose}>
      <p className="mt-2 text-muted">
        {isNow
          ? 'It appears in the portal right away, with today as its date. Then the email goes out.'
          : `It appears in the portal at this time, with the text as it is now${email ? ', and has that day as its date' : ''}.`}
      </p>
      <form onSubmit={handleSubmit} className="mt-5">
        {!isNow && (
          <>
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
          </>
        )}
        {email && <DropEmailFields value={chosenEmail} suggested={email.suggested} onChange={setChosenEmail} />}
        {email && chosenEmail && (
          <div className="mt-4">
            <AudienceCount of={{ issueId: email.issueId }} audience={chosenEmail.audience} />
          </div>
        )}
        <div role="alert" className="mt-4 grid gap-4 empty:mt-0">
          {errors.length > 0 && <ErrorList title="The email has errors:" errors={errors} />}
          {problems.length > 0 && <ErrorList title={`This ${one} can’t be published:`} errors={problems} />}
        </div>
        <InlineError className="mt-3">
          {timeProblem ?? (errors.length + problems.length > 0 ? undefined : formErrorMessage(error))}
        </InlineError>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" pending={pending} variant={errors.length > 0 ? 'danger' : 'primary'}>
            {isNow
              ? errors.length > 0
                ? 'Send anyway'
                : chosenEmail
                  ? 'Publish and email'
                  : 'Publish now'
              : errors.length > 0
                ? 'Schedule anyway'
                : chosenEmail
                  ? 'Schedule both'
                  : 'Schedule'}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const refusalSchema = z.object({ problems: z.array(problemSchema) })

function problemsIn(error: Error | null): string[] {
  if (!(error instanceof CallError) || error.code !== 'not_publishable') return []
  return (refusalSchema.safeParse(error.body).data?.problems ?? []).map((problem) => describeCheck(problem))
}

function errorsOf(error: Error | null): string[] {
  if (!(error instanceof CallError) || error.code !== 'mailing_has_errors') return []
  return (mailingErrorsSchema.safeParse(error.body).data?.errors ?? []).map(problemText)
}

/** Null for dates out of range, which a date field accepts. */
function instantIn(zone: string, local: string): string | null {
  try {
    return instantOf(local, zone)
  } catch {
    return null
  }
}

type EmailChoice = Omit<DropEmail, 'acceptedErrors'>

const segmentsQuery = alwaysStaleQuery(['admin-segments'], adminSegmentsCall, {})

const settingsQuery = callQuery(['admin-sending-settings'], adminSendingSettingsCall, {})

type DropEmailFieldsProps = {
  /** Null while the drop is only published. */
  value: EmailChoice | null
  /** Values when the email is turned on. */
  suggested: EmailChoice
  onChange: (value: EmailChoice | null) => void
}

/** The email that goes out with a drop: audience, subject and preview text. */
function DropEmailFields({ value, suggested, onChange }: DropEmailFieldsProps) {
  const { data: settings } = useQuery(settingsQuery)
  return (
    <fieldset className="mt-5 grid gap-4">
      <legend className="sr-only">Email</legend>
      <Choice
        type="checkbox"
        label="Also email it"
        description={ownWords`Sent as soon as the drop is in the portal, never before.`}
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? suggested : null)}
      />
      {value && (
        <>
          <AudienceSelect value={value.audience} onChange={(audience) => onChange({ ...value, audience })} />
          <TextField
            label="Subject"
            required
            maxLength={maxSubjectLength}
            autoComplete="off"
            value={value.subject}
            onChange={({ target }) => onChange({ ...value, subject: target.value })}
          />
          <TextField
            label="Preview text"
            maxLength={maxSubjectLength}
            autoComplete="off"
            hint="Shown after the subject in most inboxes."
            value={value.preheader}
            onChange={({ target }) => onChange({ ...value, preheader: target.value })}
          />
          {settings?.readerHours && (
            <Choice
              type="checkbox"
              label="Email each reader at their own hour"
              description="Within 24 hours, in their time zone."
              checked={value.readerHours ?? true}
              onChange={({ target }) => onChange({ ...value, readerHours: target.checked })}
            />
          )}
        </>
      )}
    </fieldset>
  )
}

const keyOf = (audience: Audience): string => {
  if (JSON.stringify(audience) === JSON.stringify(everyone)) return 'everyone'
  const { viewIds, segmentIds, newsletterId } = audience
  const only = (part: Partial<Audience>) => JSON.stringify(audience) === JSON.stringify({ ...everyone, ...part })
  if (viewIds.length === 1 && only({ viewIds })) return `view ${viewIds[0]}`
  if (segmentIds.length === 1 && only({ segmentIds })) return `segment ${segmentIds[0]}`
  if (newsletterId !== null && only({ newsletterId })) return `newsletter ${newsletterId}`
  return 'other'
}

function AudienceSelect({ value, onChange }: { value: Audience; onChange: (audience: Audience) => void }) {
  const views = useQuery(memberViewsQuery).data?.items ?? []
  const segments = useQuery(segmentsQuery).data?.items ?? []
  const newsletters = (useQuery(newslettersQuery).data?.items ?? []).filter(
    ({ id: newsletterId, retiredAt }) => retiredAt === null || newsletterId === value.newsletterId,
  )
  const chosen = keyOf(value)
  const handleChange = (key: string) => {
    const [kind, one = ''] = key.split(' ')
    if (kind === 'everyone') onChange(everyone)
    if (kind === 'view') onChange({ ...everyone, viewIds: [one] })
    if (kind === 'newsletter') onChange({ ...everyone, newsletterId: Number(one) })
    if (kind === 'segment') onChange({ ...everyone, segmentIds: [one] })
  }
  return (
    <SelectField label="Audience" value={chosen} onChange={({ target }) => handleChange(target.value)}>
      <option value="everyone">{ownWords`Everyone who gets drops`}</option>
      {newsletters.length > 0 && (
        <optgroup label="Subscribers of a newsletter">
          <OptionList of={newsletters.map(({ id: newsletterId, name }) => [`newsletter ${newsletterId}`, name])} />
        </optgroup>
      )}
      {views.length > 0 && (
        <optgroup label="Views of the members list">
          <OptionList of={views.map((view) => [`view ${view.id}`, view.name])} />
        </optgroup>
      )}
      {segments.length > 0 && (
        <optgroup label="Segments">
          <OptionList of={segments.map((segment) => [`segment ${segment.id}`, segment.name])} />
        </optgroup>
      )}
      {chosen === 'other' && <option value="other">As set on the mailing’s page</option>}
    </SelectField>
  )
}
