import type { Email } from '../mailer.ts'
import type { EmailConfig } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

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

const signInEmail = (
  { name, ...email }: ToMember,
  texts: Parameters<typeof textEmail>[2] & { button: string; ignore?: string },
  reason: string,
): Email => {
  const lead = name ? `Hello ${name}. ${texts.lead}` : texts.lead
  return textEmail(email, { department: 'Account', reason }, { ...texts, lead }, [
    { kind: 'button', label: texts.button, href: `${email.config.publicUrl}/auth/mail` },
    texts.ignore && { kind: 'note', text: texts.ignore },
  ])
}

/** Asks a member that staff added to sign in, which confirms the address. */
export const memberAddedEmail = (email: ToMember): Email =>
  signInEmail(
    email,
    addedTexts(email.config),
    'You get this email once, because someone at the publication added your address.',
  )

/** Tells an imported member about the account, if the publisher chose to. */
export const memberInvitationEmail = (email: ToMember): Email =>
  signInEmail(
    email,
    invitationTexts(email.config),
    'You get this email because you subscribed to our newsletter before it moved.',
  )
