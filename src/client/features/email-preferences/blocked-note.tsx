import { useId } from 'react'
import { useCodeEntry } from '#client/features/auth/use-code-entry.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { CodeField } from '#client/ui/code-field.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { EmailPreferences } from '#shared/contracts/email-preferences.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useSendEmailCode, useTryAddressAgain } from './email-preferences.api.ts'

type Blocked = EmailPreferences['blocked'][number]

const streamWords: Record<Blocked['stream'], string> = { drops: 'drops', news: 'product news', all: 'drops and news' }

/** Why nothing comes although it is chosen, and what can be done. */
export function BlockedNote({ blocked, email }: { blocked: EmailPreferences['blocked']; email: string }) {
  const bounced = blocked.find(({ reason }) => reason === 'bounced')
  const others = blocked.filter(({ reason }) => reason !== 'bounced')
  return (
    <div className="mb-12 grid gap-6">
      {bounced && <BouncedPanel since={bounced.since} email={email} />}
      {others.map(({ stream, reason, since }) => (
        <p key={`${stream} ${reason}`} className="border-l-3 border-accent bg-accent-soft px-4 py-3">
          {reason === 'complained'
            ? `A mail of ours was reported as spam from your mailbox on ${formatDay(since)}, so we stopped ${streamWords[stream]}. Choose it again below if that was a mistake.`
            : `We have written no ${streamWords[stream]} to this address since ${formatDay(since)}, as we were asked to. Write to us if that should change.`}
        </p>
      ))}
    </div>
  )
}

function BouncedPanel({ since, email }: { since: string; email: string }) {
  const code = useSendEmailCode()
  return (
    <Panel label="Mail came back">
      <h3 className="display text-xl">Mail to your address came back</h3>
      <p className="mt-2 max-w-[60ch] text-muted wrap-anywhere">
        Since {formatDay(since)} we send neither drops nor news to {email}. If the mailbox works again, we mail a code
        to it; type it here, and everything goes on.
      </p>
      {code.isSuccess ? (
        <CodeForm email={email} />
      ) : (
        <>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button pending={code.isPending} onClick={() => code.mutate()}>
              Try again
            </Button>
            <ButtonLink to="/account/profile" variant="secondary">
              Change address
            </ButtonLink>
          </div>
          <InlineError className="mt-3">{formErrorMessage(code.error)}</InlineError>
        </>
      )}
    </Panel>
  )
}

function CodeForm({ email }: { email: string }) {
  const again = useTryAddressAgain()
  const handleCode = async (code: string) => {
    await again.mutateAsync(code)
    toast.success('Your address works again', { id: 'address-again' })
  }
  const { pending, handleSubmit, field } = useCodeEntry(handleCode)
  const id = useId()
  return (
    <form onSubmit={handleSubmit} aria-labelledby={id} className="mt-5 grid max-w-md gap-3" noValidate>
      <span id={id} className="sr-only">
        Show that {email} works
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
