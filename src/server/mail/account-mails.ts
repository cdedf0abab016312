import { publication } from '#shared/publication.ts'
import { layoutMail, type MailBlock } from './layout.ts'
import type { Mail } from './mail.ts'

/** What every account mail with something to confirm carries: a link for the mouse and a code for the other device. */
export type ConfirmableMail = { to: string; link: string; code: string }

const validFor = 'The link and the code work once, for an hour.'
const reason = 'This mail is about your account, so it comes whatever letters you subscribe to.'

const confirmable = (
  { to, link, code }: ConfirmableMail,
  words: { subject: string; title: string; lead: string; button: string; ignore: string },
): Mail => {
  const blocks: MailBlock[] = [
    { kind: 'text', text: words.lead },
    { kind: 'button', label: words.button, href: link },
    { kind: 'code', label: 'Or enter this code:', code },
    { kind: 'note', text: `${validFor} ${words.ignore}` },
  ]
  return { to, subject: words.subject, ...layoutMail({ title: words.title, preview: words.lead, blocks, reason }) }
}

export const confirmAddressMail = (mail: ConfirmableMail): Mail =>
  confirmable(mail, {
    subject: `Confirm your address for ${publication.name}`,
    title: 'Confirm your address',
    lead: `Somebody, hopefully you, made an account at ${publication.name} with this address. Please confirm that it is yours.`,
    button: 'Confirm my address',
    ignore: 'If it was not you, ignore this mail and nothing is confirmed.',
  })

export const recoveryMail = (mail: ConfirmableMail): Mail =>
  confirmable(mail, {
    subject: `Choose a new password for ${publication.name}`,
    title: 'Choose a new password',
    lead: 'You asked to choose a new password. Your present one works until you have.',
    button: 'Choose a new password',
    ignore: 'If you did not ask, ignore this mail and nothing changes.',
  })

export const magicLinkMail = (mail: ConfirmableMail): Mail =>
  confirmable(mail, {
    subject: `Your sign-in link for ${publication.name}`,
    title: 'Sign in',
    lead: 'You asked for a link to sign in without your password.',
    button: 'Sign in',
    ignore: 'If you did not ask, ignore this mail. Do not pass the code on to anybody.',
  })

/** To the present mailbox: consent to leave it. */
export const leaveAddressMail = (mail: ConfirmableMail & { newEmail: string }): Mail =>
  confirmable(mail, {
    subject: `Confirm the change of your address at ${publication.name}`,
    title: 'Change your address?',
    lead: `You asked to change the address of your account to ${mail.newEmail}. It changes once both mailboxes have agreed.`,
    button: 'Agree to the change',
    ignore: 'If you did not ask, ignore this mail, and change your password: somebody is signed in as you.',
  })

/** To the new mailbox: proof that it is theirs. */
export const newAddressMail = (mail: ConfirmableMail): Mail =>
  confirmable(mail, {
    subject: `Confirm your new address for ${publication.name}`,
    title: 'Confirm your new address',
    lead: `You asked to use this address for your account at ${publication.name}.`,
    button: 'Confirm my new address',
    ignore: 'If you did not ask, ignore this mail and nothing changes.',
  })

/** Tells the owner of the account after the fact; carries nothing that could be misused. */
export const passwordChangedMail = (mail: { to: string; recoverUrl: string }): Mail => {
  const lead = 'The password of your account was changed. Other devices have been signed out.'
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'note', text: `If this was not you, choose a new password at once: ${mail.recoverUrl}` },
  ]
  const title = 'Your password was changed'
  return {
    to: mail.to,
    subject: `Your password for ${publication.name} was changed`,
    ...layoutMail({ title, preview: lead, blocks, reason }),
  }
}
