import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

const reason = 'You get emails about your account even if you’ve turned off our newsletters.'

type TeamText = { title: string; preview: string; lead: string }

const teamEmail = (to: string, { title, preview, lead }: TeamText, blocks: readonly EmailBlock[]): Email => ({
  to,
  subject: title,
  ...renderEmail({ department: 'Team', title, preview, blocks: [{ kind: 'text', text: lead }, ...blocks], reason }),
})

type Invitation = { to: string; ownerEmail: string; link: string; code: string; days: number }

/** The recipient may not have an account yet. */
export function teamInvitationEmail({ to, ownerEmail, link, code, days }: Invitation): Email {
  const title = `You’re invited to a ${publication.name} team`
  const lead = `${ownerEmail} has a Team plan at ${publication.name}, ${publication.tagline}, and is offering you a seat. It’s free for you.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    {
      kind: 'facts',
      facts: [
        ['Seat for', to],
        ['Cost to you', 'None'],
        ['Expires in', `${days} days`],
      ],
    },
    { kind: 'button', label: 'Join the team', href: link },
    { kind: 'code', label: 'Or enter this code under Join a team:', code },
    {
      kind: 'note',
      text: `The link and the code work once and expire in ${days} days. They only work for an account with this email address. If you don’t want the seat, ignore this email.`,
    },
  ]
  return {
    to,
    subject: title,
    ...renderEmail({
      department: 'Team',
      title,
      preview: `A seat is free for you. The invitation expires in ${days} days.`,
      blocks,
      reason: 'You get this email because a reader invited you. We won’t email you again unless you accept.',
    }),
  }
}

type AboutMember = { to: string; memberEmail: string; publicUrl: string }

export const memberJoinedEmail = ({ to, memberEmail, publicUrl }: AboutMember): Email =>
  teamEmail(
    to,
    {
      title: `${memberEmail} joined your team`,
      preview: 'They can now open everything in your plan.',
      lead: `${memberEmail} accepted your invitation.`,
    },
    [
      { kind: 'text', text: 'They can now open everything in your plan, with their own preferences.' },
      { kind: 'note', text: 'Not who you expected? You can remove them anytime.' },
      viewTeam(publicUrl),
    ],
  )

export const memberLeftEmail = ({ to, memberEmail, publicUrl }: AboutMember): Email =>
  teamEmail(
    to,
    {
      title: `${memberEmail} left your team`,
      preview: 'Their seat is available again.',
      lead: `${memberEmail} left your team, so their seat is available again.`,
    },
    [{ kind: 'button', label: 'Invite someone else', href: `${publicUrl}/account/team` }],
  )

type AboutTeam = { to: string; ownerEmail: string; publicUrl: string }

const viewTeam = (publicUrl: string): EmailBlock => ({
  kind: 'button',
  label: 'View team',
  href: `${publicUrl}/account/team`,
  isQuiet: true,
})

const choosePlan = (publicUrl: string): EmailBlock[] => [
  { kind: 'text', text: 'We keep your account and preferences. To keep reading, choose your own plan.' },
  { kind: 'button', label: 'View plans', href: `${publicUrl}/#pricing` },
]

export const removedFromTeamEmail = ({ to, ownerEmail, publicUrl }: AboutTeam): Email =>
  teamEmail(
    to,
    {
      title: `You were removed from a ${publication.name} team`,
      preview: `By ${ownerEmail}. We keep your account and preferences.`,
      lead: `${ownerEmail} removed you from their ${publication.name} team, so you no longer have access through it.`,
    },
    choosePlan(publicUrl),
  )

export const teamDissolvedEmail = ({ to, ownerEmail, publicUrl }: AboutTeam): Email =>
  teamEmail(
    to,
    {
      title: `Your ${publication.name} team has ended`,
      preview: `${ownerEmail} deleted their account. We keep yours.`,
      lead: `${ownerEmail} deleted their ${publication.name} account, which ended the team. You no longer have access through it.`,
    },
    choosePlan(publicUrl),
  )

type OwnershipTransfer = { to: string; otherEmail: string; publicUrl: string }

/** To the former owner, whose card pays until the new owner replaces it. */
export const ownershipTransferredEmail = ({ to, otherEmail, publicUrl }: OwnershipTransfer): Email =>
  teamEmail(
    to,
    {
      title: 'Your team has a new owner',
      preview: `The plan and its invoices now belong to ${otherEmail}.`,
      lead: `You transferred ownership of your ${publication.name} team to ${otherEmail}.`,
    },
    [
      {
        kind: 'list',
        items: [
          `The plan and its invoices now belong to ${otherEmail}.`,
          'Your card stays on the plan until they add their own. Ask them to do so before the next renewal.',
          'You keep a seat on the team.',
        ],
      },
      { kind: 'note', text: 'If you didn’t do this, reply to this email right away.' },
      viewTeam(publicUrl),
    ],
  )

export const ownershipReceivedEmail = ({ to, otherEmail, publicUrl }: OwnershipTransfer): Email =>
  teamEmail(
    to,
    {
      title: 'You’re now the owner of your team',
      preview: `${otherEmail} transferred it to you. Add your card before the next renewal.`,
      lead: `${otherEmail} transferred ownership of their ${publication.name} team to you.`,
    },
    [
      {
        kind: 'list',
        items: [
          'You can invite and remove members, and you manage the plan and its invoices.',
          `The plan is charged to ${otherEmail}’s card until you add yours. Please do so under Manage before the next renewal.`,
        ],
      },
      { kind: 'button', label: 'View team', href: `${publicUrl}/account/team` },
      { kind: 'note', text: 'If you don’t want to own it, reply to this email.' },
    ],
  )
