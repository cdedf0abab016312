import type { ReactNode } from 'react'
import { type AuthEmailPurpose, useSendAuthEmail, useVerifyEmailCode } from './auth-emails.api.ts'
import { CodeForm } from './code-form.tsx'
import { ResendButton } from './resend-button.tsx'

type MailedCodeFormProps = {
  purpose: AuthEmailPurpose
  email: string
  /** Where a link to sign in leads; the portal unless told. */
  signInPath?: string
  /** Seconds until another mail may be asked for; above zero when one has just left. */
  waitFirst: number
  /** What was sent, and to whom. */
  children: ReactNode
  onVerified: () => void
  /** A way back to another address, where there is one. */
  aside?: ReactNode
}

/** What follows on a mail: the link works by itself, the six digits are typed here, and another mail can be asked for. */
export function EmailCodeForm(props: MailedCodeFormProps) {
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
      <div className="mt-8">
        <CodeForm label="Code from the mail" action="Continue" autoFocus={waitFirst > 0} onCode={handleCode} />
      </div>
      <div className="mt-8 grid gap-4 border-t border-line pt-6">
        <p className="text-muted">Nothing there after a few minutes? Look among the unwanted mail.</p>
        <div className="flex flex-wrap items-start gap-3">
          <ResendButton label="Send another" waitFirst={waitFirst} onSend={() => send.mutateAsync(email)} />
          {aside}
        </div>
      </div>
    </>
  )
}
