import type { Email } from '../mailer.ts'
import { type EmailBlock, type EmailConfig, renderEmail } from '../render-email.ts'
import { defineEmailTexts } from './email-texts.ts'

const confirmationTexts = defineEmailTexts('Welcome', 'free-confirmation', 'To confirm the free edition', {
  subject: 'Confirm your free edition of {publication}',
  title: 'One click, and it’s yours',
  preview: 'Confirm your address to get the free edition.',
  lead: 'Confirm that you want the free edition of {publication}. You don’t need a password, and you can unsubscribe in every email.',
  button: 'Confirm my address',
  ignore: 'If you didn’t ask for it, do nothing. You won’t get another email.',
})

/** The link of the double opt-in. */
export function freeConfirmationEmail({ to, config, link }: { to: string; config: EmailConfig; link: string }): Email {
  const { lead, button, ignore, ...heading } = confirmationTexts(config)
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'button', label: button, href: link },
    { kind: 'text', text: ignore },
  ]
  const reason = 'You get this email because someone entered this address on our site.'
  return { to, ...renderEmail(config, { ...heading, department: '', blocks, reason }) }
}
