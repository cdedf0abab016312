import { publication } from '#shared/publication.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, renderEmail } from '../render-email.ts'

const reason = 'This mail is about your account, so it comes whatever letters you subscribe to.'

const compose = (to: string, title: string, lead: string, blocks: readonly EmailBlock[]): Email => ({
  to,
  subject: title,
  ...renderEmail({ title, preview: lead, blocks: [{ kind: 'text', text: lead }, ...blocks], reason }),
})

type Invitation = { to: string; ownerEmail: string; link: string; code: string; days: number }

/** To somebody who may have no account yet; it says who asks, since that is what makes it worth opening. */
export function teamInvitationEmail({ to, ownerEmail, link, code, days }: Invitation): Email {
  const title = `${ownerEmail} invites you to their ${publication.name} team`
  const lead = `${ownerEmail} has a Team plan at ${publication.name}, ${publication.tagline}, and would like to give you a seat. It costs you nothing.`
  const blocks: EmailBlock[] = [
    { kind: 'text', text: lead },
    { kind: 'button', label: 'Take the seat', href: link },
    { kind: 'code', label: 'Or enter this code under Join a team:', code },
    {
      kind: 'note',
      text: `The link and the code work once, for ${days} days, for an account with this address (${to}). If you do not want the seat, ignore this mail and nothing happens.`,
    },
  ]
  const words = 'You were invited by a reader of ours. Without your answer we write no more than this.'
  return {
    to,
    subject: `A seat for you in a ${publication.name} team`,
    ...renderEmail({ title, preview: lead, blocks, reason: words }),
  }
}

type AboutMember = { to: string; memberEmail: string; publicUrl: string }

export const memberJoinedEmail = ({ to, memberEmail, publicUrl }: AboutMember): Email =>
  compose(to, `${memberEmail} joined your team`, `${memberEmail} took the seat that you offered.`, [
    { kind: 'text', text: 'They read everything that your plan opens, with preferences of their own.' },
    { kind: 'note', text: `Not who you expected? Remove them at any time: ${publicUrl}/account/team` },
  ])

export const memberLeftEmail = ({ to, memberEmail, publicUrl }: AboutMember): Email =>
  compose(to, `${memberEmail} left your team`, `${memberEmail} gave back their seat, so it is free again.`, [
    { kind: 'note', text: `Invite somebody else: ${publicUrl}/account/team` },
  ])

type AboutTeam = { to: string; ownerEmail: string; publicUrl: string }

const ownPlanNote = (publicUrl: string): EmailBlock => ({
  kind: 'note',
  text: `Your account and your preferences stay as they are. To go on reading, choose a plan of your own: ${publicUrl}/#pricing`,
})

export const removedFromTeamEmail = ({ to, ownerEmail, publicUrl }: AboutTeam): Email =>
  compose(
    to,
    'Your team seat has ended',
    `${ownerEmail} has given your seat in their ${publication.name} team back. It opens nothing any longer.`,
    [ownPlanNote(publicUrl)],
  )

export const teamDissolvedEmail = ({ to, ownerEmail, publicUrl }: AboutTeam): Email =>
  compose(
    to,
    'Your team has ended',
    `${ownerEmail} has left ${publication.name}, and the team with them. Your seat opens nothing any longer.`,
    [ownPlanNote(publicUrl)],
  )

type Handover = { to: string; otherEmail: string; publicUrl: string }

/** To the one who pays until the card is changed, and should know it. */
export const ownershipTransferredEmail = ({ to, otherEmail, publicUrl }: Handover): Email =>
  compose(to, 'Your team has a new owner', `You handed your ${publication.name} team over to ${otherEmail}.`, [
    {
      kind: 'list',
      items: [
        `The plan, its invoices and its payment card belong to ${otherEmail} now.`,
        'Your card stays on the plan until they put in their own. Ask them to do so before the next renewal.',
        'You keep a seat in the team.',
      ],
    },
    {
      kind: 'note',
      text: `If this was not you, answer this mail at once. Your place in the team: ${publicUrl}/account/team`,
    },
  ])

export const ownershipReceivedEmail = ({ to, otherEmail, publicUrl }: Handover): Email =>
  compose(to, 'You own the team now', `${otherEmail} handed their ${publication.name} team over to you.`, [
    {
      kind: 'list',
      items: [
        'You invite and remove members, and the plan with its invoices is yours.',
        `The card of ${otherEmail} pays until you put in your own. Please do so under Manage before the next renewal.`,
      ],
    },
    { kind: 'note', text: `Your team: ${publicUrl}/account/team. If you do not want it, answer this mail.` },
  ])
