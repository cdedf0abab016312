import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formProblem } from '#client/lib/problem-of.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { ProblemLine } from '#client/ui/problem.tsx'
import { Section } from '#client/ui/section.tsx'
import type { Mailing } from '#shared/contracts/admin-newsletter.ts'
import { instantOf } from '#shared/domain/zoned-time.ts'
import { readers } from './mailing-words.ts'
import { audienceQuery, checksQuery, useSendMailing } from './newsletter.api.ts'

/** Now, or at a time in the publication's own zone, wherever the publisher sits. */
export function SendSection({ mailing, version }: { mailing: Mailing; version: number | null }) {
  const [asking, setAsking] = useState(false)
  const [at, setAt] = useState<string | null>(null)
  const send = useSendMailing(mailing.id)
  const handleSchedule = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setAt(instantOf(`${form.get('day')}T${form.get('time')}`, mailing.time_zone))
    setAsking(true)
  }
  const handleSend = () => {
    if (version === null) return
    setAsking(false)
    send.mutate({ version, at })
  }
  return (
    <Section title="Send" lede="From here on the audience and the text are fixed. You can pause or stop at any moment.">
      <div className="grid gap-6">
        <form onSubmit={handleSchedule} className="flex flex-wrap items-end gap-3">
          <TextField label="Day" name="day" type="date" required />
          <TextField label="Time" name="time" type="time" required defaultValue="07:00" />
          <Button type="submit" variant="secondary" pending={send.isPending && at !== null} disabled={version === null}>
            Schedule
          </Button>
          <p className="basis-full text-sm text-muted">Time in {mailing.time_zone.replaceAll('_', ' ')}.</p>
        </form>
        <div>
          <Button
            pending={send.isPending && at === null}
            disabled={version === null}
            onClick={() => {
              setAt(null)
              setAsking(true)
            }}
          >
            Send now
          </Button>
          <ProblemLine className="mt-3">{formProblem(send.error)}</ProblemLine>
        </div>
      </div>
      {asking && version !== null && (
        <SendDialog mailing={mailing} version={version} at={at} onSend={handleSend} onClose={() => setAsking(false)} />
      )}
    </Section>
  )
}

type SendDialogProps = {
  mailing: Mailing
  version: number
  at: string | null
  onSend: () => void
  onClose: () => void
}

/** The last look: how many, what about, and what the checks still hold against it. */
function SendDialog({ mailing, version, at, onSend, onClose }: SendDialogProps) {
  const audience = useQuery(audienceQuery(mailing.id, mailing.audience))
  const checks = useQuery(checksQuery(mailing.id, version))
  const errors = checks.data?.problems.filter(({ severity }) => severity === 'error').length ?? 0
  const when =
    at &&
    new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: mailing.time_zone }).format(
      new Date(at),
    )
  return (
    <Dialog title={at ? 'Schedule it?' : 'Send it now?'} onClose={onClose}>
      <div className="mt-3 grid gap-3 text-muted">
        <p className="font-semibold text-ink [overflow-wrap:anywhere]">{mailing.subject || 'No subject yet'}</p>
        <p>
          {audience.data ? `${readers(audience.data.receiving)} get it` : 'It goes out'}
          {when ? `, beginning ${when}.` : ', beginning now.'}
        </p>
        {errors > 0 && (
          <p className="font-medium text-danger">
            The checks found {errors} {errors === 1 ? 'thing' : 'things'} to mend first.
          </p>
        )}
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={onSend}>{at ? 'Schedule' : 'Send now'}</Button>
        <Button variant="secondary" onClick={onClose}>
          Not yet
        </Button>
      </div>
    </Dialog>
  )
}
