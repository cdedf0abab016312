import type { EmailBlock, Facts } from '../render-email.ts'
import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

/** A link to open on this device and a code to type on another one. */
export type ConfirmableEmail = ToReader & { link: string; code: string }

const about = {
  department: 'Account',
  reason: 'You get emails about your account even if you’ve turned off our newsletters.',
} as const

const confirmableEmail = emailKind<ButtonTexts & { ignore: string }, { link: string; code: string; facts?: Facts }>(
  'Account',
  about,
  (texts, { link, code, facts }) => [
    facts && { kind: 'facts', facts },
    { kind: 'button', label: texts.button, href: link },
    { kind: 'code', label: 'Or enter this code:', code },
    { kind: 'note', text: `The link and the code work once and expire in one hour. ${texts.ignore}` },
  ],
)
const linkOf = ({ link, code }: ConfirmableEmail) => ({ link, code })

/** Without a link. */
const noteEmail = emailKind<Omit<ButtonTexts, 'button'> & { note: string }, { reason?: string; blocks?: EmailBlock[] }>(
  'Account',
  about,
  (texts, { blocks = [] }) => [...blocks, texts.more, { kind: 'note', text: texts.note }],
)

export const confirmationEmail = confirmableEmail('confirmation', 'Confirm email address', {
  subject: 'Confirm your email address for {publication}',
  preview: 'Use the button or the code inside within one hour.',
  title: 'Confirm your email address',
  lead: 'Thanks for signing up for {publication}. Confirm your email address so you receive every drop and can reset your password.',
  button: 'Confirm email address',
  ignore: 'If you didn’t sign up, you can ignore this email.',
})(linkOf)

export const recoveryEmail = confirmableEmail('recovery', 'Reset password', {
  subject: 'Reset your {publication} password',
  preview: 'Your current one works until you choose another.',
  title: 'Reset your password',
  lead: 'We received a request to reset your password. Your current password works until you choose a new one.',
  button: 'Choose a new password',
  ignore: 'If you didn’t ask for this, ignore this email. Your password stays the same.',
})(linkOf)

export const magicLinkEmail = confirmableEmail('magic-link', 'Sign-in link', {
  subject: 'Your sign-in link for {publication}',
  preview: 'It works once, within the next hour. You don’t need your password.',
  title: 'Sign in to {publication}',
  lead: 'Use this link to sign in without your password.',
  button: 'Sign in',
  ignore: 'If you didn’t ask for this, ignore this email. Never share the code with anyone.',
})(linkOf)

/** Sent to the current address. */
export const emailChangeCurrentEmail = confirmableEmail(
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
)(({ newEmail, ...email }: ConfirmableEmail & { newEmail: string }) => ({
  ...linkOf(email),
  values: { newEmail },
  facts: { 'Current address': email.to, 'New address': newEmail },
}))

/** Sent to the new address. */
export const emailChangeNewEmail = confirmableEmail('email-change-new', 'Change email address (new address)', {
  subject: 'Confirm your new email for {publication}',
  preview: 'The change takes effect once it’s confirmed.',
  title: 'Confirm your new email address',
  lead: 'You asked to use this email address for your {publication} account.',
  button: 'Confirm new email address',
  ignore: 'If you didn’t ask for this, ignore this email. Nothing changes.',
})(linkOf)

/** Sent for an account that the publisher created. */
export const inviteEmail = confirmableEmail('invite', 'Invitation', {
  subject: 'You’re invited to {publication}',
  preview: 'Accept the invitation to choose a password and sign in.',
  title: 'You’re invited to {publication}',
  lead: 'We created an account for you. Accept the invitation to confirm your email address and choose a password.',
  button: 'Accept invitation',
  ignore: 'If you don’t want an account, ignore this email.',
})(linkOf)

/** A code without a link: it must be entered on the page that asked for it. */
export const reauthenticationEmail = noteEmail('reauthentication', 'Verification code', {
  subject: 'Your {publication} verification code',
  preview: 'Enter it on the page that asked for it. It expires in one hour.',
  title: 'Your verification code',
  lead: 'Enter this code to confirm that it’s you.',
  note: 'The code works once and expires in one hour. If you didn’t ask for it, change your password right away: someone else is signed in to your account.',
})(({ code }: ToReader & { code: string }) => ({ blocks: [{ kind: 'code', label: 'Verification code:', code }] }))

/** Sent instead of a confirmation when the new address already belongs to an account: the requester learns nothing. */
export const addressTakenEmail = noteEmail('address-taken', 'Email address already has an account', {
  subject: 'This email already has a {publication} account',
  preview: 'Someone tried to use it for another one. Nothing changed.',
  title: 'Your account didn’t change',
  lead: 'Someone tried to use this email address for another {publication} account. It belongs to yours, so nothing changed.',
  note: 'If that was you, sign in with this email address, or delete its account first.',
})(() => ({}))

export const accountDeletedEmail = noteEmail('account-deleted', 'Account deleted', {
  subject: 'Your {publication} account is deleted',
  preview: 'Any plan is canceled, and you’re signed out on all devices.',
  title: 'Your account is deleted',
  lead: 'We deleted your {publication} account and everything in it.',
  more: 'Thanks for reading. You’re always welcome back.',
  note: 'If you didn’t do this, reply to this email and change the password for your email account.',
})(() => ({
  reason: 'This is the last email about your account.',
  blocks: [
    {
      kind: 'list',
      items: [
        'If you had a plan, it’s canceled and you won’t be charged again.',
        'We keep receipts for past payments as long as tax law requires.',
        'You’re signed out on all devices and won’t get our newsletters anymore.',
      ],
    },
  ],
}))
