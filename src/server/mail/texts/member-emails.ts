import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

type ToMember = ToReader & { name: string | null }

const signInEmail = (reason: string) =>
  emailKind<ButtonTexts & { ignore?: string }, object>(
    'Welcome',
    { department: 'Account', reason },
    (texts, _more, { publicUrl }) => [
      { kind: 'button', label: texts.button, href: `${publicUrl}/auth/mail` },
      texts.ignore && { kind: 'note', text: texts.ignore },
    ],
  )
const hello = ({ name }: ToMember) => ({ greeting: name ? `Hello ${name}. ` : '' })

/** Tells an imported member about the account, if the publisher chose to. */
export const memberInvitationEmail = signInEmail(
  'You get this email because you subscribed to our newsletter before it moved.',
)('member-invitation', 'To imported members', {
  subject: 'Your {publication} account is ready',
  title: 'Your account is ready',
  preview: 'Sign in with an emailed link. You don’t need a password.',
  lead: 'We moved to a new home and set up your account, so you don’t need to sign up again. Enter this email address on the sign-in page and we’ll email you a link. You don’t need a password.',
  button: 'Sign in',
})(hello)

/** Asks a member that staff added to sign in, which confirms the address. */
export const memberAddedEmail = signInEmail(
  'You get this email once, because someone at the publication added your address.',
)('member-added', 'To members that staff add', {
  subject: 'Confirm your email address for {publication}',
  title: 'We set up an account for you',
  preview: 'Sign in with an emailed link to confirm your address.',
  lead: 'We set up an account for this email address. To confirm it, enter it on the sign-in page and we’ll email you a link. You don’t need a password.',
  button: 'Sign in',
  ignore: 'If you don’t want an account, ignore this email.',
})(hello)
