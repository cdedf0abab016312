import type { Email } from '../mailer.ts'
import type { EmailConfig } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

const confirmationTexts = defineEmailTexts('Welcome', 'free-confirmation', 'To confirm the free edition', {
  subject: 'Confirm your free edition of {publication}',
  title: 'One click, and it’s yours',
  preview: 'Confirm your address to get the free edition.',
  lead: 'Confirm that you want the free edition of {publication}. You don’t need a password, and you can unsubscribe in every email.',
  button: 'Confirm my address',
  ignore: 'If you didn’t ask for it, do nothing. You won’t get another email.',
})

const reason = 'You get this email because someone entered this address on our site.'

/** The link of the double opt-in. */
export function freeConfirmationEmail(email: { to: string; config: EmailConfig; link: string }): Email {
  const texts = confirmationTexts(email.config)
  return textEmail(email, { department: 'Free edition', reason }, texts, [
    { kind: 'button', label: texts.button, href: email.link },
    { kind: 'text', text: texts.ignore },
  ])
}
