import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useSixDigitCode } from '#client/features/identity/auth/use-six-digit-code.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
import type { EmailPreferences } from '#shared/contracts/publishing/email-preferences.ts'
import type { Stream } from '#shared/contracts/publishing/newsletter.ts'
import { formatDay } from '#shared/domain/format.ts'
import { newsletterStream } from '#shared/domain/newsletters.ts'
import { useConfirmAddress } from './email-preferences.api.ts'

/** Emails a six-digit code to the account’s address. Account emails are sent even after bounces. */
function useSendEmailCode() {
  return useMutation({
    mutationFn: async () => {
      const { auth } = await loadBackend()
      const { error } = await auth.reauthenticate()
      if (error) throw error
    },
  })
}

type Blocked = EmailPreferences['blocked'][number]

const streamLabels: Record<Stream | 'all', string> = {
  drops: ownWords`drops`,
  news: 'product news',
  'follow-ups': '“Did it work?” emails',
  assignments: 'emails about assignments and deadlines',
  replies: 'emails about replies to your answers',
  all: ownWords`drops, news, “Did it work?” emails, and emails about assignments, deadlines and replies`,
}

type BlockedNoteProps = Pick<EmailPreferences, 'blocked' | 'newsletters'> & { email: string }

/** Explains why chosen emails are not sent, and what the reader can do. */
export function BlockedNote({ blocked, newsletters, email }: BlockedNoteProps) {
  const labelOf = (stream: Blocked['stream']) =>
    streamLabels[stream as keyof typeof streamLabels] ??
    newsletters.find(({ id }) => stream === newsletterStream(id))?.name ??
    'a newsletter'
  const bounced = blocked.find(({ reason }) => reason === 'bounced')
  const others = blocked.filter(({ reason }) => reason !== 'bounced')
  return (
    <div className="mb-12 grid gap-6">
      {bounced && <BouncedPanel since={bounced.since} email={email} />}
      {others.map(({ stream, reason, since }) => (
        <p key={`${stream} ${reason}`} className="border-l-3 border-accent bg-accent-soft px-4 py-3">
          {reason === 'complained'
            ? `One of our emails was marked as spam in your mailbox on ${formatDay(since)}, so we stopped sending ${labelOf(stream)}. If that was a mistake, choose what you want to receive below and save.`
            : `We stopped sending ${labelOf(stream)} to this address on ${formatDay(since)}, as requested. Contact us to start receiving them again.`}
        </p>
      ))}
    </div>
  )
}

function BouncedPanel({ since, email }: { since: string; email: string }) {
  const code = useSendEmailCode()
  return (
    <Panel label="Undeliverable email">
      <h3 className="display text-xl">We can’t reach your email address</h3>
      <p className="mt-2 max-w-[60ch] text-muted wrap-anywhere">
        Emails to {email} bounced, so we stopped sending {streamLabels.all} on {formatDay(since)}. If your mailbox works
        again, request a code and enter it here to resume.
      </p>
      {code.isSuccess ? (
        <CodeForm email={email} />
      ) : (
        <>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button pending={code.isPending} onClick={() => code.mutate()}>
              Send code
            </Button>
            <ButtonLink to="/account/profile" variant="secondary">
              Change email address
            </ButtonLink>
          </div>
          <InlineError className="mt-3">{formErrorMessage(code.error)}</InlineError>
        </>
      )}
    </Panel>
  )
}

function CodeForm({ email }: { email: string }) {
  const confirm = useConfirmAddress()
  const handleCode = async (code: string) => {
    await confirm.mutateAsync(code)
    toast.success('Your email address is confirmed', { id: 'address-again' })
  }
  const { pending, handleSubmit, field } = useSixDigitCode(handleCode)
  const id = useId()
  return (
    <form onSubmit={handleSubmit} aria-labelledby={id} className="mt-5 grid max-w-md gap-3" noValidate>
      <span id={id} className="sr-only">
        Confirm that {email} works
      </span>
      <CodeField label={`Code sent to ${email}`} {...field} />
      <div>
        <Button type="submit" pending={pending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
