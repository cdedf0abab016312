import type { Email } from '../mailer.ts'
import type { EmailConfig, Fact } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

/** A link to open on this device and a code to type on another one. */
export type ConfirmableEmail = { to: string; config: EmailConfig; link: string; code: string }

const section = 'Account'
const validFor = 'The link and the code work once and expire in one hour.'
const about = {
  department: 'Account',
  reason: 'You get emails about your account even if you’ve turned off our newsletters.',
} as const

type ConfirmableText = Parameters<typeof textEmail>[2] & { facts?: readonly Fact[]; button: string; ignore: string }

const confirmable = (email: ConfirmableEmail, texts: ConfirmableText): Email =>
  textEmail(email, about, texts, [
    texts.facts && { kind: 'facts', facts: texts.facts },
    { kind: 'button', label: texts.button, href: email.link },
    { kind: 'code', label: 'Or enter this code:', code: email.code },
    { kind: 'note', text: `${validFor} ${texts.ignore}` },
  ])

const confirmationTexts = defineEmailTexts(section, 'confirmation', 'Confirm email address', {
  subject: 'Confirm your email address for {publication}',
  preview: 'Use the button or the code inside within one hour.',
  title: 'Confirm your email address',
  lead: 'Thanks for signing up for {publication}. Confirm your email address so you receive every drop and can reset your password.',
  button: 'Confirm email address',
  ignore: 'If you didn’t sign up, you can ignore this email.',
})

export const confirmationEmail = (email: ConfirmableEmail): Email => confirmable(email, confirmationTexts(email.config))

const recoveryTexts = defineEmailTexts(section, 'recovery', 'Reset password', {
  subject: 'Reset your {publication} password',
  preview: 'Your current one works until you choose another.',
  title: 'Reset your password',
  lead: 'We received a request to reset your password. Your current password works until you choose a new one.',
  button: 'Choose a new password',
  ignore: 'If you didn’t ask for this, ignore this email. Your password stays the same.',
})

export const recoveryEmail = (email: ConfirmableEmail): Email => confirmable(email, recoveryTexts(email.config))

const magicLinkTexts = defineEmailTexts(section, 'magic-link', 'Sign-in link', {
  subject: 'Your sign-in link for {publication}',
  preview: 'It works once, within the next hour. You don’t need your password.',
  title: 'Sign in to {publication}',
  lead: 'Use this link to sign in without your password.',
  button: 'Sign in',
  ignore: 'If you didn’t ask for this, ignore this email. Never share the code with anyone.',
})

export const magicLinkEmail = (email: ConfirmableEmail): Email => confirmable(email, magicLinkTexts(email.config))

const emailChangeCurrentTexts = defineEmailTexts(
  section,
  'email-change-current',
  'Change email address (current address)',
  {
    subject: 'Confirm your {publication} email change',
    preview: 'The new address is {newEmail}.',
    title: 'Confirm your email change',
    lead: 'You asked to change your email address to {newEmail}. The change takes effect once you confirm it from both addresses.',
    button: 'Confirm email change',
    ignore:
      'If you didn’t ask for this, don’t confirm it, and change your password right away: someone else is signed in to your account.',
  },
)

/** Sent to the current address. */
export const emailChangeCurrentEmail = (email: ConfirmableEmail & { newEmail: string }): Email =>
  confirmable(email, {
    ...emailChangeCurrentTexts(email.config, { newEmail: email.newEmail }),
    facts: [
      ['Current address', email.to],
      ['New address', email.newEmail],
    ],
  })

const emailChangeNewTexts = defineEmailTexts(section, 'email-change-new', 'Change email address (new address)', {
  subject: 'Confirm your new email for {publication}',
  preview: 'The change takes effect once it’s confirmed.',
  title: 'Confirm your new email address',
  lead: 'You asked to use this email address for your {publication} account.',
  button: 'Confirm new email address',
  ignore: 'If you didn’t ask for this, ignore this email. Nothing changes.',
})

/** Sent to the new address. */
export const emailChangeNewEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, emailChangeNewTexts(email.config))

const inviteTexts = defineEmailTexts(section, 'invite', 'Invitation', {
  subject: 'You’re invited to {publication}',
  preview: 'Accept the invitation to choose a password and sign in.',
  title: 'You’re invited to {publication}',
  lead: 'We created an account for you. Accept the invitation to confirm your email address and choose a password.',
  button: 'Accept invitation',
  ignore: 'If you don’t want an account, ignore this email.',
})

/** Sent for an account that the publisher created. */
export const inviteEmail = (email: ConfirmableEmail): Email => confirmable(email, inviteTexts(email.config))

const reauthenticationTexts = defineEmailTexts(section, 'reauthentication', 'Verification code', {
  subject: 'Your {publication} verification code',
  preview: 'Enter it on the page that asked for it. It expires in one hour.',
  title: 'Your verification code',
  lead: 'Enter this code to confirm that it’s you.',
  note: 'The code works once and expires in one hour. If you didn’t ask for it, change your password right away: someone else is signed in to your account.',
})

/** A code without a link: it must be entered on the page that asked for it. */
export function reauthenticationEmail(email: { to: string; config: EmailConfig; code: string }): Email {
  const texts = reauthenticationTexts(email.config)
  return textEmail(email, about, texts, [
    { kind: 'code', label: 'Verification code:', code: email.code },
    { kind: 'note', text: texts.note },
  ])
}

const addressTakenTexts = defineEmailTexts(section, 'address-taken', 'Email address already has an account', {
  subject: 'This email already has a {publication} account',
  preview: 'Someone tried to use it for another one. Nothing changed.',
  title: 'Your account didn’t change',
  lead: 'Someone tried to use this email address for another {publication} account. It belongs to yours, so nothing changed.',
  note: 'If that was you, sign in with this email address, or delete its account first.',
})

/** Sent instead of a confirmation when the new address already belongs to an account: the requester learns nothing. */
export function addressTakenEmail(email: { to: string; config: EmailConfig }): Email {
  const texts = addressTakenTexts(email.config)
  return textEmail(email, about, texts, [{ kind: 'note', text: texts.note }])
}

const accountDeletedTexts = defineEmailTexts(section, 'account-deleted', 'Account deleted', {
  subject: 'Your {publication} account is deleted',
  preview: 'Any plan is canceled, and you’re signed out on all devices.',
  title: 'Your account is deleted',
  lead: 'We deleted your {publication} account and everything in it.',
  more: 'Thanks for reading. You’re always welcome back.',
  note: 'If you didn’t do this, reply to this email and change the password for your email account.',
})

export function accountDeletedEmail(email: { to: string; config: EmailConfig }): Email {
  const texts = accountDeletedTexts(email.config)
  const items = [
    'If you had a plan, it’s canceled and you won’t be charged again.',
    'We keep receipts for past payments as long as tax law requires.',
    'You’re signed out on all devices and won’t get our newsletters anymore.',
  ]
  return textEmail(email, { ...about, reason: 'This is the last email about your account.' }, texts, [
    { kind: 'list', items },
    { kind: 'text', text: texts.more },
    { kind: 'note', text: texts.note },
  ])
}
