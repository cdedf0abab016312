import type { EmailBlock, Facts } from '../render-email.ts'
import { type ButtonTexts, emailKind, type ToReader } from './email-texts.ts'

const department = 'Team'
const reason = 'You get emails about your account even if you’ve turned off our newsletters.'

type Invitation = ToReader & { ownerEmail: string; link: string; code: string; days: number }

const invitationEmail = emailKind<ButtonTexts & { note: string }, { facts: Facts; link: string; code: string }>(
  'Team',
  {
    department,
    reason: 'You get this email because a reader invited you. We won’t email you again unless you accept.',
  },
  (texts, { facts, link, code }) => [
    { kind: 'facts', facts },
    { kind: 'button', label: texts.button, href: link },
    { kind: 'code', label: 'Or enter this code under Join a team:', code },
    { kind: 'note', text: texts.note },
  ],
)

/** The recipient may not have an account yet. */
export const teamInvitationEmail = invitationEmail('team-invitation', 'Invitation to a team', {
  subject: 'You’re invited to a {publication} team',
  title: 'You’re invited to a {publication} team',
  preview: 'A seat is free for you. The invitation expires in {days} days.',
  lead: '{owner} has a Team plan at {publication}, {tagline}, and is offering you a seat. It’s free for you.',
  button: 'Join the team',
  note: 'The link and the code work once and expire in {days} days. They only work for an account with this email address. If you don’t want the seat, ignore this email.',
})(({ to, ownerEmail, link, code, days }: Invitation) => ({
  values: { owner: ownerEmail, days: String(days) },
  facts: { 'Seat for': to, 'Cost to you': 'None', 'Expires in': `${days} days` },
  link,
  code,
}))

type TeamTexts = ButtonTexts & { note?: string }
type TeamMore = { list?: readonly string[]; path?: string }

const teamBlocks = (isQuiet: boolean) =>
  emailKind<TeamTexts, TeamMore>(
    'Team',
    { department, reason },
    (texts, { list, path = '/account/team' }, { publicUrl }) => {
      const button: EmailBlock = { kind: 'button', label: texts.button, href: publicUrl + path, isQuiet }
      const note: EmailBlock | undefined = texts.note ? { kind: 'note', text: texts.note } : undefined
      return [list && { kind: 'list', items: list }, texts.more, ...(isQuiet ? [note, button] : [button, note])]
    },
  )

/** The button is what the reader does next. */
const teamEmail = teamBlocks(false)
/** The reader needs to do nothing. */
const quietTeamEmail = teamBlocks(true)

/** What happened besides, line by line; empty for nothing. */
type WithList = { list: readonly string[] }
const listOf = ({ list }: WithList) => (list.length > 0 ? { list } : {})

type AboutMember = ToReader & { memberEmail: string }
const aboutMember = ({ memberEmail }: AboutMember) => ({ values: { member: memberEmail } })

export const memberJoinedEmail = quietTeamEmail('member-joined', 'Someone joined the team', {
  subject: '{member} joined your team',
  title: '{member} joined your team',
  preview: 'They can now open everything in your plan.',
  lead: '{member} accepted your invitation.',
  more: 'They can now open everything in your plan, with their own preferences.',
  note: 'Not who you expected? You can remove them anytime.',
  button: 'View team',
})(aboutMember)

export const memberLeftEmail = teamEmail('member-left', 'Someone left the team', {
  subject: '{member} left your team',
  title: '{member} left your team',
  preview: 'Their seat is available again.',
  lead: '{member} left your team, so their seat is available again.',
  button: 'Invite someone else',
})((about: AboutMember & WithList) => ({ ...aboutMember(about), ...listOf(about) }))

type AboutTeam = ToReader & { ownerEmail: string }
const aboutTeam = ({ ownerEmail }: AboutTeam) => ({ values: { owner: ownerEmail }, path: '/#pricing' })

const choosePlanTexts = {
  more: 'We keep your account and preferences. To keep reading, choose your own plan.',
  button: 'View plans',
}

export const removedFromTeamEmail = teamEmail('removed-from-team', 'Removed from a team', {
  subject: 'You were removed from a {publication} team',
  title: 'You were removed from a {publication} team',
  preview: 'By {owner}. We keep your account and preferences.',
  lead: '{owner} removed you from their {publication} team, so you no longer have access through it.',
  ...choosePlanTexts,
})((about: AboutTeam & WithList) => ({ ...aboutTeam(about), ...listOf(about) }))

export const teamDissolvedEmail = teamEmail('team-dissolved', 'Team ended', {
  subject: 'Your {publication} team has ended',
  title: 'Your {publication} team has ended',
  preview: '{owner} deleted their account. We keep yours.',
  lead: '{owner} deleted their {publication} account, which ended the team. You no longer have access through it.',
  ...choosePlanTexts,
})(aboutTeam)

type OwnershipTransfer = ToReader & { otherEmail: string }

/** To the former owner, whose card pays until the new owner replaces it. */
export const ownershipTransferredEmail = quietTeamEmail('ownership-transferred', 'Team transferred to someone', {
  subject: 'Your team has a new owner',
  title: 'Your team has a new owner',
  preview: 'The plan and its invoices now belong to {owner}.',
  lead: 'You transferred ownership of your {publication} team to {owner}.',
  note: 'If you didn’t do this, reply to this email right away.',
  button: 'View team',
})(({ otherEmail }: OwnershipTransfer) => ({
  values: { owner: otherEmail },
  list: [
    `The plan and its invoices now belong to ${otherEmail}.`,
    'Your card stays on the plan until they add their own. Ask them to do so before the next renewal.',
    'You keep a seat on the team.',
  ],
}))

export const ownershipReceivedEmail = teamEmail('ownership-received', 'Team received from someone', {
  subject: 'You’re now the owner of your team',
  title: 'You’re now the owner of your team',
  preview: '{owner} transferred it to you. Add your card before the next renewal.',
  lead: '{owner} transferred ownership of their {publication} team to you.',
  button: 'View team',
  note: 'If you don’t want to own it, reply to this email.',
})(({ otherEmail }: OwnershipTransfer) => ({
  values: { owner: otherEmail },
  list: [
    'You can invite and remove members, and you manage the plan and its invoices.',
    `The plan is charged to ${otherEmail}’s card until you add yours. Please do so under Manage before the next renewal.`,
  ],
}))
