import { Link } from 'react-router'
import { useSendAuthEmail } from './auth-emails.api.ts'
import { MailboxLink } from './inbox-links.tsx'
import { ResendButton } from './resend-button.tsx'

/** Loaded only for readers who haven't confirmed their address. */
export default function ConfirmEmailBanner({ email }: { email: string }) {
  const send = useSendAuthEmail('confirmation')
  return (
    <section aria-label="Confirm your email" className="border-b border-line bg-sunken print:hidden">
      <div className="page flex flex-wrap items-center justify-between gap-x-6 py-1.5 text-sm max-sm:pt-3 max-sm:in-data-[mode=sandbox]:pt-6">
        <p className="wrap-anywhere">
          <strong className="font-semibold">Confirm your email address.</strong>{' '}
          <span className="text-muted">We sent you a link and a code.</span>
        </p>
        <div className="-mx-3 flex flex-wrap items-center">
          <Link
            to="/auth/confirm"
            className="inline-flex min-h-11 items-center rounded-md px-3 font-semibold text-primary underline underline-offset-4 hover:text-primary-hover sm:min-h-9"
          >
            Enter code
          </Link>
          <MailboxLink email={email} variant="quiet" />
          <ResendButton label="Resend email" waitFirst={0} variant="quiet" onSend={() => send.mutateAsync(email)} />
        </div>
      </div>
    </section>
  )
}
