import type { Email } from '../mailer.ts'
import { type EmailBlock, type EmailConfig, renderEmail } from '../render-email.ts'
import { defineEmailTexts } from './email-texts.ts'

type ToMember = { to: string; name: string | null; config: EmailConfig }

const invitationTexts = defineEmailTexts('Welcome', 'member-invitation', 'To imported members', {
  subject: 'Your {publication} account is ready',
  title: 'Your account is ready',
  preview: 'Sign in with an emailed link. You don’t need a password.',
  lead: 'We moved to a new home and set up your account, so you don’t need to sign up again. Enter this email address on the sign-in page and we’ll email you a link. You don’t need a password.',
  button: 'Sign in',
})

const addedTexts = defineEmailTexts('Welcome', 'member-added', 'To members that staff add', {
  subject: 'Confirm your email address for {publication}',
  title: 'We set up an account for you',
  preview: 'Sign in with an emailed link to confirm your address.',
  lead: 'We set up an account for this email address. To confirm it, enter it on the sign-in page and we’ll email you a link. You don’t need a password.',
  button: 'Sign in',
  ignore: 'If you don’t want an account, ignore this email.',
})

/** Asks a member that staff added to sign in, which confirms the address. */
export function memberAddedEmail({ to, name, config }: ToMember): Email {
  const { lead, button, ignore, ...heading } = addedTexts(config)
  const blocks: EmailBlock[] = [
    { kind: 'text', text: name ? `Hello ${name}. ${lead}` : lead },
    { kind: 'button', label: button, href: `${config.publicUrl}/auth/mail` },
    { kind: 'note', text: ignore },
  ]
  const reason = 'You get this email once, because someone at the publication added your address.'
  return { to, ...renderEmail(config, { ...heading, department: 'Account', blocks, reason }) }
}

/** Tells an imported member about the account, if the publisher chose to. */
export function memberInvitationEmail({ to, name, config }: ToMember): Email {
  const { lead, button, ...heading } = invitationTexts(config)
  const blocks: EmailBlock[] = [
    { kind: 'text', text: name ? `Hello ${name}. ${lead}` : lead },
    { kind: 'button', label: button, href: `${config.publicUrl}/auth/mail` },
  ]
  const reason = 'You get this email because you subscribed to our newsletter before it moved.'
  return { to, ...renderEmail(config, { ...heading, department: 'Account', blocks, reason }) }
}
