import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, type Fact, renderEmail } from '../render-email.ts'

/** A link to open on this device and a code to type on another one. */
export type ConfirmableEmail = { to: string; link: string; code: string }

const department = 'Account'
const validFor = 'The link and the code work once and expire in one hour.'
const accountReason = 'You get emails about your account even if you’ve turned off our newsletters.'

type ConfirmableText = {
  subject: string
  preview: string
  title: string
  lead: string
  facts?: readonly Fact[]
  button: string
  ignore: string
}

const confirmable = (
  { to, link, code }: ConfirmableEmail,
  { subject, preview, title, lead, facts, button, ignore }: ConfirmableText,
): Email => {
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    ...(facts ? [{ kind: 'facts', facts } as const] : []),
    { kind: 'button', label: button, href: link },
    { kind: 'code', label: 'Or enter this code:', code },
    { kind: 'note', text: `${validFor} ${ignore}` },
  ]
  return { to, subject, ...renderEmail({ department, title, preview, blocks, reason: accountReason }) }
}

export const confirmationEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, {
    subject: `Confirm your email address for ${publication.name}`,
    preview: 'Use the button or the code inside within one hour.',
    title: 'Confirm your email address',
    lead: `Thanks for signing up for ${publication.name}. Confirm your email address so you receive every drop and can reset your password.`,
    button: 'Confirm email address',
    ignore: 'If you didn’t sign up, you can ignore this email.',
  })

export const recoveryEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, {
    subject: `Reset your ${publication.name} password`,
    preview: 'Your current one works until you choose another.',
    title: 'Reset your password',
    lead: 'We received a request to reset your password. Your current password works until you choose a new one.',
    button: 'Choose a new password',
    ignore: 'If you didn’t ask for this, ignore this email. Your password stays the same.',
  })

export const magicLinkEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, {
    subject: `Your sign-in link for ${publication.name}`,
    preview: 'It works once, within the next hour. You don’t need your password.',
    title: `Sign in to ${publication.name}`,
    lead: 'Use this link to sign in without your password.',
    button: 'Sign in',
    ignore: 'If you didn’t ask for this, ignore this email. Never share the code with anyone.',
  })

/** Sent to the current address. */
export const emailChangeCurrentEmail = (email: ConfirmableEmail & { newEmail: string }): Email =>
  confirmable(email, {
    subject: `Confirm your ${publication.name} email change`,
    preview: `The new address is ${email.newEmail}.`,
    title: 'Confirm your email change',
    lead: `You asked to change your email address to ${email.newEmail}. The change takes effect once you confirm it from both addresses.`,
    facts: [
      ['Current address', email.to],
      ['New address', email.newEmail],
    ],
    button: 'Confirm email change',
    ignore:
      'If you didn’t ask for this, don’t confirm it, and change your password right away: someone else is signed in to your account.',
  })

/** Sent to the new address. */
export const emailChangeNewEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, {
    subject: `Confirm your new email for ${publication.name}`,
    preview: 'The change takes effect once both addresses are confirmed.',
    title: 'Confirm your new email address',
    lead: `You asked to use this email address for your ${publication.name} account.`,
    button: 'Confirm new email address',
    ignore: 'If you didn’t ask for this, ignore this email. Nothing changes.',
  })

/** Sent for an account that the publisher created. */
export const inviteEmail = (email: ConfirmableEmail): Email =>
  confirmable(email, {
    subject: `You’re invited to ${publication.name}`,
    preview: 'Accept the invitation to choose a password and sign in.',
    title: `You’re invited to ${publication.name}`,
    lead: 'We created an account for you. Accept the invitation to confirm your email address and choose a password.',
    button: 'Accept invitation',
    ignore: 'If you don’t want an account, ignore this email.',
  })

/** A code without a link: it must be entered on the page that asked for it. */
export function reauthenticationEmail({ to, code }: { to: string; code: string }): Email {
  const title = 'Your verification code'
  const lead = 'Enter this code to confirm that it’s you.'
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'code', label: 'Verification code:', code },
    {
      kind: 'note',
      text: 'The code works once and expires in one hour. If you didn’t ask for it, change your password right away: someone else is signed in to your account.',
    },
  ]
  const subject = `Your ${publication.name} verification code`
  const preview = 'Enter it on the page that asked for it. It expires in one hour.'
  return { to, subject, ...renderEmail({ department, title, preview, blocks, reason: accountReason }) }
}

/** Sent instead of a confirmation when the new address already belongs to an account: the requester learns nothing. */
export function addressTakenEmail({ to }: { to: string }): Email {
  const title = 'Your account didn’t change'
  const lead = `Someone tried to use this email address for another ${publication.name} account. It belongs to yours, so nothing changed.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'note', text: 'If that was you, sign in with this email address, or delete its account first.' },
  ]
  const subject = `This email already has a ${publication.name} account`
  const preview = 'Someone tried to use it for another one. Nothing changed.'
  return { to, subject, ...renderEmail({ department, title, preview, blocks, reason: accountReason }) }
}

export function accountDeletedEmail({ to }: { to: string }): Email {
  const lead = `We deleted your ${publication.name} account and everything in it.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    {
      kind: 'list',
      items: [
        'If you had a plan, it’s canceled and you won’t be charged again.',
        'We keep receipts for past payments as long as tax law requires.',
        'You’re signed out on all devices and won’t get our newsletters anymore.',
      ],
    },
    { kind: 'text', text: 'Thanks for reading. You’re always welcome back.' },
    {
      kind: 'note',
      text: 'If you didn’t do this, reply to this email and change the password for your email account.',
    },
  ]
  const title = 'Your account is deleted'
  const reason = 'This is the last email about your account.'
  const subject = `Your ${publication.name} account is deleted`
  const preview = 'Any plan is canceled, and you’re signed out on all devices.'
  return { to, subject, ...renderEmail({ department, title, preview, blocks, reason }) }
}
