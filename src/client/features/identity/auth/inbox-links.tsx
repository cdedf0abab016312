import { ContactRound, ExternalLink } from 'lucide-react'
import { ButtonAnchor, type ButtonStyle } from '#client/ui/button.tsx'
import { mailboxPage } from '#shared/domain/mailbox-page.ts'
import { useSignUpRules } from './sign-up-rules.api.ts'

type MailboxLinkProps = { email: string; variant: ButtonStyle['variant'] }

/** Opens the mailbox of an address. Nothing if its provider isn't known. */
export function MailboxLink({ email, variant }: MailboxLinkProps) {
  const mailbox = mailboxPage(email, useSignUpRules().sender)
  if (!mailbox) return null
  return (
    <ButtonAnchor href={mailbox.address} target="_blank" rel="noopener noreferrer" variant={variant} size="sm">
      Open {mailbox.name}
      <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
      <span className="sr-only">(opens in a new tab)</span>
    </ButtonAnchor>
  )
}

/** Where an email from us is awaited: opens the mailbox, and saves our sender as a contact. */
export const InboxLinks = ({ email }: { email: string }) => (
  <div className="mt-6 flex flex-wrap gap-3">
    <MailboxLink email={email} variant="secondary" />
    <ButtonAnchor href="/contact.vcf" variant="quiet" size="sm">
      <ContactRound aria-hidden className="size-4" strokeWidth={1.75} />
      Add to contacts
    </ButtonAnchor>
  </div>
)
