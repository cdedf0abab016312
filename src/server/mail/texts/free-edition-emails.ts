import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

const freeEmail = emailKind<ButtonTexts & { ignore: string }, { link: string }>(
  'Welcome',
  { department: 'Free edition', reason: 'You get this email because someone entered this address on our site.' },
  (texts, { link }) => [{ kind: 'button', label: texts.button, href: link }, texts.ignore],
)

/** The link of the double opt-in. */
export const freeConfirmationEmail = freeEmail('free-confirmation', 'To confirm the free edition', {
  subject: 'Confirm your free edition of {publication}',
  title: 'One click, and it’s yours',
  preview: 'Confirm your address to get the free edition.',
  lead: 'Confirm that you want the free edition of {publication}. You don’t need a password, and you can unsubscribe in every email.',
  button: 'Confirm my address',
  ignore: 'If you didn’t ask for it, do nothing. You won’t get another email.',
})(({ link }: ToReader & { link: string }) => ({ link }))
