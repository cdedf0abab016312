import { type SecurityEvent, securityEvents } from '#shared/domain/security-events.ts'
import { formatLongInstant } from '#shared/domain/zoned-time.ts'
import type { Email } from '../mailer.ts'
import type { EmailConfig } from '../render-email.ts'
import { defineEmailTexts, type ToReader, textEmail } from './email-texts.ts'

const reason = 'You get emails about your account even if you’ve turned off our newsletters.'

type NoticeText = {
  subject: string
  lead: string
  /** Advice if it wasn't the owner. */
  remedy: 'choose-password' | 'reset-password' | 'review-security' | 'review-connections' | 'reply'
}

type Remedy = { text: string; button: { label: string; path: string; isQuiet: boolean } | null }

const remedies: Record<NoticeText['remedy'], Remedy> = {
  'choose-password': {
    text: 'To sign in, choose a new password.',
    button: { label: 'Choose a new password', path: '/reset-password', isQuiet: false },
  },
  'reset-password': {
    text: 'If this wasn’t you, reset your password right away.',
    button: { label: 'Reset password', path: '/reset-password', isQuiet: true },
  },
  'review-security': {
    text: 'If this wasn’t you, review your security settings right away.',
    button: { label: 'Review security settings', path: '/account/security', isQuiet: true },
  },
  'review-connections': {
    text: 'If this wasn’t you, disconnect it and reset your password right away.',
    button: { label: 'Connected assistants', path: '/account/assistants', isQuiet: true },
  },
  reply: { text: 'If this looks like a mistake, reply to this email.', button: null },
}

/** Changes that the account's owner is notified of, no matter who made them. */
const noticeTexts = {
  password_changed: {
    subject: 'Your {publication} password was changed',
    lead: 'The password for your account was changed, and your other devices were signed out.',
    remedy: 'reset-password',
  },
  former_access_ended: {
    subject: 'We secured your {publication} account',
    lead: 'You confirmed your email address. Anyone could have signed up with it before, so we removed the account’s password, passkeys, and two-step verification, and signed out all devices.',
    remedy: 'choose-password',
  },
  email_change_requested: {
    subject: 'Email change requested for {publication}',
    lead: 'Someone signed in to your account asked to change its email address.',
    remedy: 'reset-password',
  },
  email_change_started: {
    subject: 'Email change requested for {publication}',
    lead: 'We were asked to change the email address of your account, and sent a confirmation to the new one. Your address changes once it’s confirmed.',
    remedy: 'reply',
  },
  email_changed: {
    subject: 'Your {publication} email address was changed',
    lead: 'The email address of your account was changed. Emails about your account now go to the new address.',
    remedy: 'reply',
  },
  factor_enrolled: {
    subject: 'Two-step method added to your {publication} account',
    lead: 'A two-step verification method was added to your account, and your other devices were signed out.',
    remedy: 'reset-password',
  },
  factor_removed: {
    subject: 'Two-step method removed from your {publication} account',
    lead: 'A two-step verification method was removed from your account.',
    remedy: 'reset-password',
  },
  passkey_added: {
    subject: 'A passkey was added to your {publication} account',
    lead: 'A passkey was added to your account. You can use it to sign in without your password.',
    remedy: 'review-security',
  },
  passkey_removed: {
    subject: 'A passkey was removed from your {publication} account',
    lead: 'A passkey was removed from your account. It no longer works for signing in.',
    remedy: 'review-security',
  },
  assistant_connected: {
    subject: 'An assistant was connected to your {publication} account',
    lead: 'You allowed an assistant to use your account. You can see what it may do, and disconnect it, on your account page.',
    remedy: 'review-connections',
  },
  backup_codes_created: {
    subject: 'New backup codes for your {publication} account',
    lead: 'New backup codes were created for your account. The old ones no longer work.',
    remedy: 'reset-password',
  },
  backup_code_used: {
    subject: 'A backup code was used on your {publication} account',
    lead: 'Someone signed in to your account with a backup code.',
    remedy: 'reset-password',
  },
  account_disabled: {
    subject: 'Your {publication} account is disabled',
    lead: 'We disabled your account and signed out all devices. Nothing was deleted.',
    remedy: 'reply',
  },
  account_enabled: {
    subject: 'Your {publication} account is active again',
    lead: 'We enabled your account again. You can sign in as before.',
    remedy: 'reply',
  },
  data_exported: {
    subject: 'Your {publication} data was downloaded',
    lead: 'A copy of all your account data was downloaded.',
    remedy: 'reset-password',
  },
  data_exported_by_staff: {
    subject: 'We downloaded your {publication} data',
    lead: 'We downloaded a copy of all your account data, as we do when someone asks us for theirs.',
    remedy: 'reply',
  },
  accounts_merged: {
    subject: 'We merged your {publication} accounts',
    lead: 'We moved what your other account had to this one and deleted the other. You sign in here as before, with the same password and devices. What you unsubscribed from in either one stays off.',
    remedy: 'reply',
  },
  admin_granted: {
    subject: 'You’re now an admin of {publication}',
    lead: 'Your account can now manage subscribers, content, and settings.',
    remedy: 'reply',
  },
  admin_revoked: {
    subject: 'You’re no longer an admin of {publication}',
    lead: 'Your account no longer has admin access. Nothing else changed.',
    remedy: 'reply',
  },
} as const satisfies Partial<Record<SecurityEvent, NoticeText>>

/** The texts as the publisher has set them. */
const textsOf = Object.fromEntries(
  Object.entries(noticeTexts).map(([event, { subject, lead }]) => [
    event,
    defineEmailTexts('Security', `notice-${event.replaceAll('_', '-')}`, securityEvents[event as NoticeEvent], {
      subject,
      lead,
    }),
  ]),
) as Record<NoticeEvent, (config: EmailConfig) => { subject: string; lead: string }>

export type NoticeEvent = keyof typeof noticeTexts

export const noticeEvents = Object.keys(noticeTexts) as NoticeEvent[]

export type SecurityNotice = ToReader & {
  event: NoticeEvent
  /** "Firefox on Windows". Null when it wasn't done from one of the owner's devices. */
  device: string | null
  when: Date
  /** The owner’s, as far as it is known. */
  timeZone: string | null
}

/** Notifies the owner after the fact. Contains no token or code. */
export function securityNoticeEmail({ event, device, when, timeZone, ...to }: SecurityNotice): Email {
  const time = formatLongInstant(when, timeZone ?? 'UTC')
  const { text, button } = remedies[noticeTexts[event].remedy]
  const preview = [device ? `${device}, ${time}.` : `${time}.`, text].join(' ')
  return textEmail(to, { department: 'Security', reason }, { ...textsOf[event](to.config), preview }, [
    { kind: 'facts', facts: { When: time, Device: device } },
    text,
    button && { kind: 'button', ...button, href: to.config.publicUrl + button.path },
  ])
}
