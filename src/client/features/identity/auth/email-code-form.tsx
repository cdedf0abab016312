import type { ReactNode } from 'react'
import { type AuthEmailPurpose, useSendAuthEmail, useVerifyEmailCode } from './auth-emails.api.ts'
import { InboxLinks } from './inbox-links.tsx'
import { ResendButton } from './resend-button.tsx'
import { CodeForm } from './six-digit-code-form.tsx'

type EmailCodeFormProps = {
  purpose: AuthEmailPurpose
  email: string
  /** The page a sign-in link opens; the portal by default. */
  signInPath?: string
  /** Seconds until another email can be requested; above zero if one was just sent. */
  waitFirst: number
  children: ReactNode
  onVerified: () => void
  /** Shown beside the resend button. */
  aside?: ReactNode
}

/** Takes the code of an email that was just sent, and resends it. Its link needs no form. */
export function EmailCodeForm(props: EmailCodeFormProps) {
  const { purpose, email, signInPath, waitFirst, children, onVerified, aside } = props
  const send = useSendAuthEmail(purpose, signInPath)
  const verify = useVerifyEmailCode(purpose)

  const handleCode = async (code: string) => {
    await verify.mutateAsync({ email, code })
    onVerified()
  }

  return (
    <>
      <div className="grid gap-2">{children}</div>
      <InboxLinks email={email} />
      <div className="mt-8">
        <CodeForm label="Code from the email" action="Continue" autoFocus={waitFirst > 0} onCode={handleCode} />
      </div>
      <div className="mt-8 grid gap-4 border-t border-line pt-6">
        <p className="text-muted">Didn’t get it after a few minutes? Check your spam folder.</p>
        <div className="flex flex-wrap items-start gap-3">
          <ResendButton label="Resend email" waitFirst={waitFirst} onSend={() => send.mutateAsync(email)} />
          {aside}
        </div>
      </div>
    </>
  )
}
