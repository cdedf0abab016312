import type { SecurityEvent } from '#shared/domain/security-events.ts'
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

/** From whoever runs the publication: an account that waits to be taken. */
export const inviteMail = (mail: ConfirmableMail): Mail =>
  confirmable(mail, {
    subject: `You are invited to ${publication.name}`,
    title: 'You are invited',
    lead: `${publication.name} has made an account for this address. Please confirm that it is yours, and choose a password.`,
    button: 'Take the invitation',
    ignore: 'If you do not want it, ignore this mail and nothing happens.',
  })

/** Six digits for the session that asked for them; there is nothing to click, since the answer belongs into that page. */
export function reauthenticationMail({ to, code }: { to: string; code: string }): Mail {
  const title = 'Confirm that it is you'
  const lead =
    'You are about to change something about your account. Please enter this code on the page that asked for it.'
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'code', label: 'Enter this code:', code },
    {
      kind: 'note',
      text: 'The code works once, for an hour. If you did not ask, change your password: somebody is signed in as you.',
    },
  ]
  return { to, subject: `Your code for ${publication.name}`, ...layoutMail({ title, preview: lead, blocks, reason }) }
}

/** In place of a proof of a new address, where the address belongs to an account already and nobody is to learn it. */
export function addressTakenMail({ to }: { to: string }): Mail {
  const title = 'Nothing was changed'
  const lead = `Somebody asked to use this address for another account at ${publication.name}. It belongs to yours, so nothing was changed.`
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'note', text: 'If it was you: sign in with this address, or delete its account first.' },
  ]
  return { to, subject: `Your address at ${publication.name}`, ...layoutMail({ title, preview: lead, blocks, reason }) }
}

type NoticeWords = {
  subject: string
  lead: string
  /** Where to go if it was somebody else. */
  remedy: 'new-password' | 'security-page' | 'write-back'
}

/** Changes that the owner of an account hears of, whoever made them. */
const noticeWords = {
  password_changed: {
    subject: `Your password for ${publication.name} was changed`,
    lead: 'The password of your account was changed. Other devices have been signed out.',
    remedy: 'new-password',
  },
  former_access_ended: {
    subject: `Your ${publication.name} account starts anew`,
    lead: 'Your address was confirmed by mail. Anybody could have signed up with it before, so the password, passkeys and second step that the account had were removed, and all its devices were signed out. Please choose a password of your own.',
    remedy: 'new-password',
  },
  email_change_requested: {
    subject: `A new address was asked for at ${publication.name}`,
    lead: 'Somebody signed in as you asked to change the address of your account.',
    remedy: 'new-password',
  },
  email_changed: {
    subject: `Your address at ${publication.name} was changed`,
    lead: 'The address of your account was changed. Mail about the account goes to the new one from now on.',
    remedy: 'write-back',
  },
  factor_enrolled: {
    subject: `A second step was added to your ${publication.name} account`,
    lead: 'A second step at sign-in was added to your account. Other devices have been signed out.',
    remedy: 'new-password',
  },
  factor_removed: {
    subject: `A second step was removed from your ${publication.name} account`,
    lead: 'A second step at sign-in was removed from your account.',
    remedy: 'new-password',
  },
  passkey_added: {
    subject: `A passkey was added to your ${publication.name} account`,
    lead: 'A passkey was added to your account. It signs in without the password.',
    remedy: 'security-page',
  },
  passkey_removed: {
    subject: `A passkey was removed from your ${publication.name} account`,
    lead: 'A passkey was removed from your account. It does not sign in any longer.',
    remedy: 'security-page',
  },
  backup_codes_created: {
    subject: `New backup codes for your ${publication.name} account`,
    lead: 'New backup codes were made for your account. The older ones do not work any longer.',
    remedy: 'new-password',
  },
  backup_code_used: {
    subject: `A backup code of your ${publication.name} account was used`,
    lead: 'Somebody signed in to your account with a backup code in place of the usual second step.',
    remedy: 'new-password',
  },
  account_disabled: {
    subject: `Your ${publication.name} account was disabled`,
    lead: 'Your account was disabled and all its devices were signed out. Nothing in it was deleted.',
    remedy: 'write-back',
  },
  account_enabled: {
    subject: `Your ${publication.name} account works again`,
    lead: 'Your account was enabled again. You can sign in as before.',
    remedy: 'write-back',
  },
  data_exported: {
    subject: `Your ${publication.name} data was downloaded`,
    lead: 'A copy of everything in your account was downloaded.',
    remedy: 'new-password',
  },
  admin_granted: {
    subject: `You are an admin of ${publication.name} now`,
    lead: 'Your account was made an admin. It sees subscribers and settings of the publication.',
    remedy: 'write-back',
  },
  admin_revoked: {
    subject: `You are no longer an admin of ${publication.name}`,
    lead: 'Your account is no longer an admin. Everything else in it stays as it was.',
    remedy: 'write-back',
  },
} as const satisfies Partial<Record<SecurityEvent, NoticeWords>>

export type NoticeEvent = keyof typeof noticeWords

export type SecurityNotice = {
  to: string
  event: NoticeEvent
  /** "Firefox on Windows"; null when it was not done from a device of the account. */
  device: string | null
  when: Date
  /** Origin of the pages that the mail points to. */
  publicUrl: string
}

const momentFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Tells the owner of the account after the fact; carries nothing that could be misused. */
export function securityNoticeMail({ to, event, device, when, publicUrl }: SecurityNotice): Mail {
  const { subject, lead, remedy } = noticeWords[event]
  const moment = `${momentFormat.format(when)} UTC`
  const ifNotYou = {
    'new-password': `If this was not you, choose a new password at once: ${publicUrl}/reset-password`,
    'security-page': `If this was not you, look at your security settings at once: ${publicUrl}/account/security`,
    'write-back': 'If this was not you, or looks like a mistake, answer this mail.',
  }[remedy]
  const blocks: MailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'list', items: device ? [`When: ${moment}`, `Device: ${device}`] : [`When: ${moment}`] },
    { kind: 'note', text: ifNotYou },
  ]
  return { to, subject, ...layoutMail({ title: subject, preview: lead, blocks, reason }) }
}
