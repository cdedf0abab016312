import type { SecurityEvent } from '#shared/domain/security-events.ts'
import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

const reason = 'This mail is about your account, so it comes whatever letters you subscribe to.'

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
    lead: 'The address of your account was changed. Email about the account goes to the new one from now on.',
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
export function securityNoticeEmail({ to, event, device, when, publicUrl }: SecurityNotice): Email {
  const { subject, lead, remedy } = noticeWords[event]
  const moment = `${momentFormat.format(when)} UTC`
  const ifNotYou = {
    'new-password': `If this was not you, choose a new password at once: ${publicUrl}/reset-password`,
    'security-page': `If this was not you, look at your security settings at once: ${publicUrl}/account/security`,
    'write-back': 'If this was not you, or looks like a mistake, answer this mail.',
  }[remedy]
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'list', items: device ? [`When: ${moment}`, `Device: ${device}`] : [`When: ${moment}`] },
    { kind: 'note', text: ifNotYou },
  ]
  return { to, subject, ...renderEmail({ title: subject, preview: lead, blocks, reason }) }
}
