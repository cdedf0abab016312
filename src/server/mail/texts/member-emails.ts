import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

/** Tells an imported member about the account, if the publisher chose to. */
export function memberInvitationEmail({
  to,
  name,
  publicUrl,
}: {
  to: string
  name: string | null
  publicUrl: string
}): Email {
  const blocks: EmailBlock[] = [
    {
      kind: 'text',
      text: `${name ? `Hello ${name}. ` : ''}We moved to a new home and set up your account, so you don’t need to sign up again. Enter this email address on the sign-in page and we’ll email you a link. You don’t need a password.`,
    },
    { kind: 'button', label: 'Sign in', href: `${publicUrl}/auth/mail` },
  ]
  return {
    to,
    subject: `Your ${publication.name} account is ready`,
    ...renderEmail({
      department: 'Account',
      title: 'Your account is ready',
      preview: 'Sign in with an emailed link. You don’t need a password.',
      blocks,
      reason: `You get this email because you subscribed to our newsletter before it moved.`,
    }),
  }
}
