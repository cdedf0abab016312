import type { Email } from '../mailer.ts'
import type { EmailBlock, EmailConfig, Fact } from '../render-email.ts'
import { defineEmailTexts, textEmail } from './email-texts.ts'

const section = 'Team'
const reason = 'You get emails about your account even if you’ve turned off our newsletters.'

const teamEmail = (
  email: { to: string; config: EmailConfig },
  texts: Parameters<typeof textEmail>[2],
  blocks: readonly EmailBlock[],
): Email => textEmail(email, { department: 'Team', reason }, texts, blocks)

type Invitation = { to: string; config: EmailConfig; ownerEmail: string; link: string; code: string; days: number }

const invitationTexts = defineEmailTexts(section, 'team-invitation', 'Invitation to a team', {
  subject: 'You’re invited to a {publication} team',
  title: 'You’re invited to a {publication} team',
  preview: 'A seat is free for you. The invitation expires in {days} days.',
  lead: '{owner} has a Team plan at {publication}, {tagline}, and is offering you a seat. It’s free for you.',
  button: 'Join the team',
  note: 'The link and the code work once and expire in {days} days. They only work for an account with this email address. If you don’t want the seat, ignore this email.',
})

/** The recipient may not have an account yet. */
export function teamInvitationEmail({ ownerEmail, link, code, days, ...email }: Invitation): Email {
  const texts = invitationTexts(email.config, { owner: ownerEmail, days: String(days) })
  const reason = 'You get this email because a reader invited you. We won’t email you again unless you accept.'
  const facts: Fact[] = [
    ['Seat for', email.to],
    ['Cost to you', 'None'],
    ['Expires in', `${days} days`],
  ]
  return textEmail(email, { department: 'Team', reason }, texts, [
    { kind: 'facts', facts },
    { kind: 'button', label: texts.button, href: link },
    { kind: 'code', label: 'Or enter this code under Join a team:', code },
    { kind: 'note', text: texts.note },
  ])
}

type AboutMember = { to: string; memberEmail: string; config: EmailConfig }

const joinedTexts = defineEmailTexts(section, 'member-joined', 'Someone joined the team', {
  subject: '{member} joined your team',
  title: '{member} joined your team',
  preview: 'They can now open everything in your plan.',
  lead: '{member} accepted your invitation.',
  more: 'They can now open everything in your plan, with their own preferences.',
  note: 'Not who you expected? You can remove them anytime.',
  button: 'View team',
})

export function memberJoinedEmail({ to, memberEmail, config }: AboutMember): Email {
  const texts = joinedTexts(config, { member: memberEmail })
  return teamEmail({ to, config }, texts, [
    { kind: 'text', text: texts.more },
    { kind: 'note', text: texts.note },
    viewTeam(config, texts.button),
  ])
}

const leftTexts = defineEmailTexts(section, 'member-left', 'Someone left the team', {
  subject: '{member} left your team',
  title: '{member} left your team',
  preview: 'Their seat is available again.',
  lead: '{member} left your team, so their seat is available again.',
  button: 'Invite someone else',
})

export function memberLeftEmail({ to, memberEmail, config }: AboutMember): Email {
  const texts = leftTexts(config, { member: memberEmail })
  return teamEmail({ to, config }, texts, [
    { kind: 'button', label: texts.button, href: `${config.publicUrl}/account/team` },
  ])
}

type AboutTeam = { to: string; ownerEmail: string; config: EmailConfig }

const viewTeam = (config: EmailConfig, label: string): EmailBlock => ({
  kind: 'button',
  label,
  href: `${config.publicUrl}/account/team`,
  isQuiet: true,
})

const choosePlan = (config: EmailConfig, { more, button }: { more: string; button: string }): EmailBlock[] => [
  { kind: 'text', text: more },
  { kind: 'button', label: button, href: `${config.publicUrl}/#pricing` },
]

const choosePlanTexts = {
  more: 'We keep your account and preferences. To keep reading, choose your own plan.',
  button: 'View plans',
}

const removedTexts = defineEmailTexts(section, 'removed-from-team', 'Removed from a team', {
  subject: 'You were removed from a {publication} team',
  title: 'You were removed from a {publication} team',
  preview: 'By {owner}. We keep your account and preferences.',
  lead: '{owner} removed you from their {publication} team, so you no longer have access through it.',
  ...choosePlanTexts,
})

export function removedFromTeamEmail({ to, ownerEmail, config }: AboutTeam): Email {
  const texts = removedTexts(config, { owner: ownerEmail })
  return teamEmail({ to, config }, texts, choosePlan(config, texts))
}

const dissolvedTexts = defineEmailTexts(section, 'team-dissolved', 'Team ended', {
  subject: 'Your {publication} team has ended',
  title: 'Your {publication} team has ended',
  preview: '{owner} deleted their account. We keep yours.',
  lead: '{owner} deleted their {publication} account, which ended the team. You no longer have access through it.',
  ...choosePlanTexts,
})

export function teamDissolvedEmail({ to, ownerEmail, config }: AboutTeam): Email {
  const texts = dissolvedTexts(config, { owner: ownerEmail })
  return teamEmail({ to, config }, texts, choosePlan(config, texts))
}

type OwnershipTransfer = { to: string; otherEmail: string; config: EmailConfig }

const transferredTexts = defineEmailTexts(section, 'ownership-transferred', 'Team transferred to someone', {
  subject: 'Your team has a new owner',
  title: 'Your team has a new owner',
  preview: 'The plan and its invoices now belong to {owner}.',
  lead: 'You transferred ownership of your {publication} team to {owner}.',
  note: 'If you didn’t do this, reply to this email right away.',
  button: 'View team',
})

/** To the former owner, whose card pays until the new owner replaces it. */
export function ownershipTransferredEmail({ to, otherEmail, config }: OwnershipTransfer): Email {
  const texts = transferredTexts(config, { owner: otherEmail })
  return teamEmail({ to, config }, texts, [
    {
      kind: 'list',
      items: [
        `The plan and its invoices now belong to ${otherEmail}.`,
        'Your card stays on the plan until they add their own. Ask them to do so before the next renewal.',
        'You keep a seat on the team.',
      ],
    },
    { kind: 'note', text: texts.note },
    viewTeam(config, texts.button),
  ])
}

const receivedTexts = defineEmailTexts(section, 'ownership-received', 'Team received from someone', {
  subject: 'You’re now the owner of your team',
  title: 'You’re now the owner of your team',
  preview: '{owner} transferred it to you. Add your card before the next renewal.',
  lead: '{owner} transferred ownership of their {publication} team to you.',
  button: 'View team',
  note: 'If you don’t want to own it, reply to this email.',
})

export function ownershipReceivedEmail({ to, otherEmail, config }: OwnershipTransfer): Email {
  const texts = receivedTexts(config, { owner: otherEmail })
  return teamEmail({ to, config }, texts, [
    {
      kind: 'list',
      items: [
        'You can invite and remove members, and you manage the plan and its invoices.',
        `The plan is charged to ${otherEmail}’s card until you add yours. Please do so under Manage before the next renewal.`,
      ],
    },
    { kind: 'button', label: texts.button, href: `${config.publicUrl}/account/team` },
    { kind: 'note', text: texts.note },
  ])
}
