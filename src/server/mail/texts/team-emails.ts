import { formatCount } from '#shared/domain/format-count.ts'
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

const codeEmail = emailKind<ButtonTexts & { note: string }, { code: string }>(
  'Team',
  { department, reason: 'You get this email because someone entered this address. We won’t email you again about it.' },
  (texts, { code }, { publicUrl }) => [
    { kind: 'code', label: 'The code:', code },
    { kind: 'button', label: texts.button, href: `${publicUrl}/account/team`, isQuiet: true },
    { kind: 'note', text: texts.note },
  ],
)

/** The recipient may not have an account. */
export const teamDomainCodeEmail = codeEmail('team-domain-code', 'Code for a team’s domain', {
  subject: 'Your code to give {domain} access',
  title: 'Give {domain} access to a team',
  preview: 'The code works once, for {minutes} minutes.',
  lead: '{owner} wants everyone with an address at {domain} to get a seat on their {publication} team. To allow it, give them this code.',
  button: 'Enter the code',
  note: 'The code works once, for {minutes} minutes. If you don’t know {owner}, ignore this email and tell no one the code.',
})((sent: ToReader & { ownerEmail: string; domain: string; code: string; minutes: number }) => ({
  values: { owner: sent.ownerEmail, domain: sent.domain, minutes: String(sent.minutes) },
  code: sent.code,
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

export const joinedByDomainEmail = quietTeamEmail('joined-by-domain', 'Someone joined by their email domain', {
  subject: '{member} joined your team',
  title: '{member} joined your team',
  preview: 'They signed in with an address at {domain}.',
  lead: '{member} signed in with a confirmed address at {domain}, which gives access to your team.',
  more: 'They can now open everything in your plan, with their own preferences.',
  note: 'Not who you expected? If you remove them, they only get a seat again if you invite them.',
  button: 'View team',
})((about: AboutMember & { domain: string }) => ({ values: { member: about.memberEmail, domain: about.domain } }))

export const seatRequestEmail = teamEmail('seat-request', 'Request for seats', {
  subject: '{member} asks for a seat on your team',
  title: '{member} asks for a seat on your team',
  preview: 'You decide. Nothing is charged until you add a seat.',
  lead: 'Your team has no free seat for what {member} asks for: {seats}.',
  more: 'You can say yes or no on your team’s page. Before a seat is added, you see what it costs.',
  button: 'Answer the request',
})(({ memberEmail, seats }: AboutMember & { seats: number }) => ({
  values: { member: memberEmail, seats: formatCount(seats, 'seat') },
}))

export const memberLeftEmail = teamEmail('member-left', 'Someone left the team', {
  subject: '{member} left your team',
  title: '{member} left your team',
  preview: 'Their seat is available again.',
  lead: '{member} left your team, so their seat is available again.',
  button: 'Invite someone else',
})((about: AboutMember & WithList) => ({ ...aboutMember(about), ...listOf(about) }))

type AboutTeam = ToReader & { ownerEmail: string }
const aboutTeam = ({ ownerEmail }: AboutTeam) => ({ values: { owner: ownerEmail }, path: '/#pricing' })

export const noFreeSeatEmail = quietTeamEmail('no-free-seat', 'No free seat in a team', {
  subject: 'Your team has no free seat yet',
  title: 'Your team has no free seat yet',
  preview: 'We asked {owner} for one.',
  lead: 'Your address at {domain} gives you a seat on the {publication} team of {owner}, but all seats are taken. We asked them for one and told them your address. You’ll get an email with their answer.',
  button: 'View your request',
})(({ ownerEmail, domain }: AboutTeam & { domain: string }) => ({ values: { owner: ownerEmail, domain } }))

type SeatAnswer = AboutTeam & { seats: string }
const aboutAnswer = ({ ownerEmail, seats }: SeatAnswer) => ({ values: { owner: ownerEmail, seats } })

export const seatRequestAnsweredEmail = teamEmail('seat-request-accepted', 'Request for seats accepted', {
  subject: 'Your team has room: {seats}',
  title: 'Your team has room: {seats}',
  preview: '{owner} said yes.',
  lead: '{owner} said yes to your request: {seats}. A seat for yourself is ready now. Seats for others are filled by invitation.',
  button: 'View team',
})(aboutAnswer)

export const seatRequestDeclinedEmail = quietTeamEmail('seat-request-declined', 'Request for seats declined', {
  subject: 'Your request for a seat was declined',
  title: 'Your request for a seat was declined',
  preview: '{owner} isn’t adding a seat now.',
  lead: '{owner} declined your request: {seats}. Contact them if you have questions.',
  button: 'View team',
})(aboutAnswer)

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
