import { Check } from 'lucide-react'
import { useState } from 'react'
import { ResendButton } from '#client/features/auth/resend-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { useConfirmNewEmail, useResendEmailChange } from './account.api.ts'
import { EmailChangeCodeForm } from './email-change-code-form.tsx'

type PendingAddressProps = {
  /** The present address, when it has to agree as well. */
  present: string | null
  wanted: string
}

/** A change that waits for its mailboxes. Their links do the same as the codes here. */
export function PendingEmailChange({ present, wanted }: PendingAddressProps) {
  const [agreed, setAgreed] = useState<readonly string[]>([])
  const { mutateAsync } = useConfirmNewEmail()
  const handleCode = async (mailbox: string, code: string) => {
    await mutateAsync({ mailbox, code })
    setAgreed((before) => [...before, mailbox])
  }
  const resend = useResendEmailChange()
  const mailboxes = present ? [wanted, present] : [wanted]
  // One request is one email, to the mailbox that it names.
  const waiting = mailboxes.filter((mailbox) => !agreed.includes(mailbox))
  return (
    <div className="mt-5">
      <Panel label="Address to be confirmed">
        <h4 className="font-semibold [overflow-wrap:anywhere]">Waiting for {wanted}</h4>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">
          {present
            ? 'A link and a code are in both mailboxes. Open both links, or type both codes here, in any order. One that you confirmed already need not be confirmed again.'
            : 'A link and a code are in its mailbox. Open the link, or type the code here.'}
        </p>
        <ul className="mt-5 grid gap-6 md:grid-cols-2">
          {mailboxes.map((mailbox) => (
            <li key={mailbox} className="min-w-0">
              {agreed.includes(mailbox) ? (
                <p className="flex items-start gap-2 [overflow-wrap:anywhere]">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" strokeWidth={1.75} />
                  {mailbox} has confirmed.
                </p>
              ) : (
                <EmailChangeCodeForm mailbox={mailbox} onCode={(code) => handleCode(mailbox, code)} />
              )}
            </li>
          ))}
        </ul>
        <div className="mt-6 border-t border-line pt-4">
          <div className="-ml-3">
            <ResendButton
              label="Send the mail again"
              waitFirst={0}
              variant="quiet"
              onSend={() => Promise.all(waiting.map((mailbox) => resend.mutateAsync(mailbox)))}
            />
          </div>
        </div>
      </Panel>
    </div>
  )
}
