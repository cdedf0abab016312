import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { audienceQuery } from '#client/features/publishing/documents/audience-count.tsx'
import { freePart, readers } from '#client/features/publishing/documents/reader-counts.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { problemOfSchedule } from '#shared/domain/check-schedule-time.ts'
import { formatDay } from '#shared/domain/format.ts'
import { problemOfTestSize } from '#shared/domain/subject-test.ts'
import { formatLongInstant, instantOf, localTimeOf, zoneLabel } from '#shared/domain/zoned-time.ts'
import { CheckErrors } from './accept-errors-dialog.tsx'
import { PostalAddressLink } from './checks-section.tsx'
import { checksQuery } from './email-preview.api.ts'
import { useSendMailing } from './mailings.api.ts'
import { sendingSettingsQuery } from './settings.api.ts'

/** Sends now or schedules, in the publication's time zone. */
export function SendSection({ mailing, version }: { mailing: Mailing; version: number | null }) {
  const [asking, setAsking] = useState(false)
  const [at, setAt] = useState<string | null>(null)
  const [scheduleError, setScheduleError] = useState<string | null>(null)
  const send = useSendMailing(mailing.id)
  const handleSchedule = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = instantIn(mailing.timeZone, `${form.get('day')}T${form.get('time')}`)
    const problem = chosen ? problemOfSchedule(new Date(chosen), new Date()) : 'Enter a valid date.'
    setScheduleError(problem)
    if (problem) return
    ask(chosen)
  }
  const ask = (when: string | null) => {
    if (send.isPending) return
    send.reset()
    setAt(when)
    setAsking(true)
  }
  const handleSend = (acceptedErrors: string[]) => {
    if (version === null || send.isPending) return
    // The dialog stays open until the call succeeds; a reauthentication dialog may open on top of it.
    send.mutate({ version, at, acceptedErrors }, { onSuccess: () => setAsking(false) })
  }
  return (
    <Section
      title="Send"
      lede="The text is final once you send or schedule. Recipients are chosen when sending starts. You can pause or stop at any time."
    >
      <div className="grid gap-6">
        <form onSubmit={handleSchedule} className="flex flex-wrap items-end gap-3">
          <TextField
            label="Day"
            name="day"
            type="date"
            required
            aria-invalid={scheduleError !== null || undefined}
            onChange={() => setScheduleError(null)}
          />
          <TextField
            label="Time"
            name="time"
            type="time"
            required
            defaultValue="07:00"
            onChange={() => setScheduleError(null)}
          />
          <Button type="submit" variant="secondary" pending={send.isPending && at !== null} disabled={version === null}>
            Schedule
          </Button>
          <InlineError className="basis-full">{scheduleError}</InlineError>
          <p className="basis-full text-sm text-muted">
            Time zone: {zoneLabel(mailing.timeZone, new Date())}. You can change it in the newsletter settings.
          </p>
        </form>
        <div>
          <Button
            pending={send.isPending && at === null}
            disabled={version === null}
            onClick={() => {
              setScheduleError(null)
              ask(null)
            }}
          >
            Send now
          </Button>
        </div>
      </div>
      {asking && version !== null && (
        <SendDialog
          mailing={mailing}
          version={version}
          at={at}
          pending={send.isPending}
          problem={formErrorMessage(send.error)}
          onSend={handleSend}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

/** Null for a date out of range, which a date field accepts. */
function instantIn(timeZone: string, local: string): string | null {
  try {
    return instantOf(local, timeZone)
  } catch {
    return null
  }
}

type SendDialogProps = {
  mailing: Mailing
  version: number
  at: string | null
  pending: boolean
  problem: string | undefined
  /** Receives the errors that the publisher accepts. */
  onSend: (acceptedErrors: string[]) => void
  onClose: () => void
}

/** Confirmation with the number of recipients and the errors that have to be accepted. */
function SendDialog({ mailing, version, at, pending, problem, onSend, onClose }: SendDialogProps) {
  const audience = useQuery(audienceQuery({ id: mailing.id }, mailing.audience))
  const checks = useQuery(checksQuery({ of: 'mailing', id: mailing.id, version }))
  const testProblem =
    mailing.subjectTest && audience.data
      ? problemOfTestSize(
          audience.data.receiving,
          1 + mailing.subjectTest.otherSubjects.length,
          mailing.subjectTest.share,
        )
      : null
  const errors = (checks.data?.problems ?? []).filter(({ severity }) => severity === 'error').map(problemText)
  const hasNoPostalAddress = checks.data?.problems.some(({ check }) => check === 'postal-address') ?? false
  const verb = at ? 'Schedule' : 'Send'
  const when = at && formatLongInstant(at, mailing.timeZone)
  const startsLater = useWarmUpAhead(at, mailing.timeZone)
  return (
    <Dialog title={at ? 'Schedule this mailing?' : 'Send this mailing now?'} onClose={onClose}>
      <div className="mt-3 grid gap-3 text-muted">
        <p className="font-semibold text-ink [overflow-wrap:anywhere]">{mailing.subject || 'No subject yet'}</p>
        <p>
          {audience.data ? `Sends to ${readers(audience.data.receiving)}${freePart(audience.data.free)}` : 'Sends'}
          {when ? `, starting ${when}.` : ', starting now.'}
        </p>
        {startsLater && (
          <p>
            Warm-up starts on {formatDay(startsLater)}. This mailing is sent before that, so no warm-up limit applies.
          </p>
        )}
        {testProblem && <p role="status">{testProblem}</p>}
        {checks.isFetching && <p role="status">Checking links…</p>}
        {errors.length > 0 && <CheckErrors errors={errors} />}
        {hasNoPostalAddress && (
          <p>
            <PostalAddressLink />
          </p>
        )}
      </div>
      <InlineError className="mt-4">{problem}</InlineError>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          disabled={hasNoPostalAddress}
          variant={errors.length > 0 ? 'danger' : 'primary'}
          pending={pending || checks.isFetching}
          onClick={() => onSend(errors)}
        >
          {errors.length > 0 ? `${verb} anyway` : at ? 'Schedule' : 'Send now'}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}

/** First day of a warm-up that starts after the mailing is sent, or null. */
function useWarmUpAhead(at: string | null, timeZone: string): string | null {
  const { data } = useQuery(sendingSettingsQuery)
  const startedOn = data?.limits.warmUp?.startedOn
  const day = localTimeOf(at ?? new Date().toISOString(), timeZone).slice(0, 10)
  return startedOn && startedOn > day ? startedOn : null
}
