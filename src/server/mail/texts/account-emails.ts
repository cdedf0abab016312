import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

/** What every account mail with something to confirm carries: a link for the mouse and a code for the other device. */
export type ConfirmableEmail = { to: string; link: string; code: string }

const validFor = 'The link and the code work once, for an hour.'
const reason = 'This mail is about your account, so it comes whatever letters you subscribe to.'

const confirmable = (
  { to, link, code }: ConfirmableEmail,
  words: { subject: string; title: string; lead: string; button: string; ignore: string },
): Email => {
  const blocks: EmailBlock[] = [
    { kind: 'text', text: words.lead },
    { kind: 'button', label: words.button, href: link },
    { kind: 'code', label: 'Or enter this code:', code },
    { kind: 'note', text: `${validFor} ${words.ignore}` },
  ]
  return { to, subject: words.subject, ...renderEmail({ title: words.title, preview: words.lead, blocks, reason }) }
}

export const confirmationEmail = (mail: ConfirmableEmail): Email =>
  confirmable(mail, {
    subject: `Confirm your address for ${publication.name}`,
    title: 'Confirm your address',
    lead: `Somebody, hopefully you, made an account at ${publication.name} with this address. Please confirm that it is yours.`,
    button: 'Confirm my address',
    ignore: 'If it was not you, ignore this mail and nothing is confirmed.',
  })

export const recoveryEmail = (mail: ConfirmableEmail): Email =>
  confirmable(mail, {
    subject: `Choose a new password for ${publication.name}`,
    title: 'Choose a new password',
    lead: 'You asked to choose a new password. Your present one works until you have.',
    button: 'Choose a new password',
    ignore: 'If you did not ask, ignore this mail and nothing changes.',
  })

export const magicLinkEmail = (mail: ConfirmableEmail): Email =>
  confirmable(mail, {
    subject: `Your sign-in link for ${publication.name}`,
    title: 'Sign in',
    lead: 'You asked for a link to sign in without your password.',
    button: 'Sign in',
    ignore: 'If you did not ask, ignore this mail. Do not pass the code on to anybody.',
  })

/** To the present mailbox: consent to leave it. */
export const emailChangeCurrentEmail = (mail: ConfirmableEmail & { newEmail: string }): Email =>
  confirmable(mail, {
    subject: `Confirm the change of your address at ${publication.name}`,
    title: 'Change your address?',
    lead: `You asked to change the address of your account to ${mail.newEmail}. It changes once both mailboxes have agreed.`,
    button: 'Agree to the change',
    ignore: 'If you did not ask, ignore this mail, and change your password: somebody is signed in as you.',
  })

/** To the new mailbox: proof that it is theirs. */
export const emailChangeNewEmail = (mail: ConfirmableEmail): Email =>
  confirmable(mail, {
    subject: `Confirm your new address for ${publication.name}`,
    title: 'Confirm your new address',
    lead: `You asked to use this address for your account at ${publication.name}.`,
    button: 'Confirm my new address',
    ignore: 'If you did not ask, ignore this mail and nothing changes.',
  })

/** From whoever runs the publication: an account that waits to be taken. */
export const inviteEmail = (mail: ConfirmableEmail): Email =>
  confirmable(mail, {
    subject: `You are invited to ${publication.name}`,
    title: 'You are invited',
    lead: `${publication.name} has made an account for this address. Please confirm that it is yours, and choose a password.`,
    button: 'Take the invitation',
    ignore: 'If you do not want it, ignore this mail and nothing happens.',
  })

/** Six digits for the session that asked for them; there is nothing to click, since the answer belongs into that page. */
export function reauthenticationEmail({ to, code }: { to: string; code: string }): Email {
  const title = 'Confirm that it is you'
  const lead =
    'You are about to change something about your account. Please enter this code on the page that asked for it.'
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'code', label: 'Enter this code:', code },
    {
      kind: 'note',
      text: 'The code works once, for an hour. If you did not ask, change your password: somebody is signed in as you.',
    },
  ]
  return { to, subject: `Your code for ${publication.name}`, ...renderEmail({ title, preview: lead, blocks, reason }) }
}

/** In place of a proof of a new address, where the address belongs to an account already and nobody is to learn it. */
export function addressTakenEmail({ to }: { to: string }): Email {
  const title = 'Nothing was changed'
  const lead = `Somebody asked to use this address for another account at ${publication.name}. It belongs to yours, so nothing was changed.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'note', text: 'If it was you: sign in with this address, or delete its account first.' },
  ]
  return {
    to,
    subject: `Your address at ${publication.name}`,
    ...renderEmail({ title, preview: lead, blocks, reason }),
  }
}

/** The last mail to an account: it tells its owner that somebody has ended it, and what that means. */
export function accountDeletedEmail({ to }: { to: string }): Email {
  const lead = `Your account at ${publication.name} was deleted, with everything that was kept in it.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    {
      kind: 'list',
      items: [
        'A subscription that was running is canceled now, and nothing is charged any more.',
        'Receipts of past payments are kept as long as the tax law asks.',
        'All devices are signed out, and no letters will come.',
      ],
    },
    { kind: 'text', text: 'Thank you for reading. You are welcome back at any time.' },
    { kind: 'note', text: 'If it was not you, answer this mail, and choose a new password for your mailbox.' },
  ]
  const title = 'Your account is deleted'
  const reason = 'This is the last mail about your account.'
  return { to, subject: `Goodbye from ${publication.name}`, ...renderEmail({ title, preview: lead, blocks, reason }) }
}
