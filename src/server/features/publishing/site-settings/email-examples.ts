import type { Email } from '#server/mail/mailer.ts'
import * as account from '#server/mail/texts/account-emails.ts'
import * as assignments from '#server/mail/texts/assignment-emails.ts'
import * as billing from '#server/mail/texts/billing-emails.ts'
import { freeConfirmationEmail } from '#server/mail/texts/free-edition-emails.ts'
import { memberInvitationEmail } from '#server/mail/texts/member-emails.ts'
import { type NoticeEvent, noticeEvents, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import * as teams from '#server/mail/texts/team-emails.ts'
import { type FirstDrops, type NextStep, planStartedEmail, welcomeEmail } from '#server/mail/texts/welcome-emails.ts'
import { planOf } from '#shared/domain/plans.ts'

type Example = (publicUrl: string) => Email

const to = 'ana@example.com'
const newEmail = 'ana.silva@example.com'
const owner = 'ben@example.com'
const day = new Date('2027-03-01T00:00:00Z')
const confirmable = (publicUrl: string) => ({ to, link: `${publicUrl}/auth`, code: '493021' })
const pro = (publicUrl: string) => ({ to, publicUrl, planName: planOf('pro_monthly').name, price: '$10 per month' })
const team = (publicUrl: string) => ({ to, publicUrl, planName: planOf('team_monthly').name, price: '$20 per month' })
const dates = { hasSeats: false, renewsAt: day, endsAt: null, isTrial: false }

const notice =
  (event: NoticeEvent): Example =>
  (publicUrl) =>
    securityNoticeEmail({ to, event, device: 'Firefox on Windows', when: day, publicUrl })

/** A drop as the welcome emails name it. */
const first: FirstDrops = {
  areas: ['Operations'],
  match: true,
  drops: [
    {
      id: 'example',
      slug: 'example',
      title: 'Ten minutes in your close',
      preview: '',
      date: '2027-02-22',
      tags: ['Operations'],
      checkedOn: null,
      readingMinutes: 6,
      touchSets: [],
    },
  ],
}

const welcome =
  (next: NextStep): Example =>
  (publicUrl) => ({ to, ...welcomeEmail({ first, next, publicUrl }) })

/** With a button, links and a heading. */
export const welcomeExample = welcome({ kind: 'portal' })

const started =
  (isReturning: boolean): Example =>
  (publicUrl) => ({ to, ...planStartedEmail({ ...pro(publicUrl), ...dates, isReturning, preferences: null, first }) })

/** Every email whose texts can be changed, with example data. */
const aboutAssignments = (publicUrl: string) => ({
  to,
  publicUrl,
  today: '2026-12-01',
  unsubscribe: { page: `${publicUrl}/unsubscribe`, oneClick: `${publicUrl}/unsubscribe` },
})
const assigned = {
  title: 'Closing handover note',
  path: '/portal/prompt-packs',
  dueOn: '2026-12-04',
  note: 'Try it at one store first.',
  locationName: null,
  from: owner,
}

export const emailExamples: Readonly<Record<string, Example>> = {
  confirmation: (url) => account.confirmationEmail(confirmable(url)),
  recovery: (url) => account.recoveryEmail(confirmable(url)),
  'magic-link': (url) => account.magicLinkEmail(confirmable(url)),
  'email-change-current': (url) => account.emailChangeCurrentEmail({ ...confirmable(url), newEmail }),
  'email-change-new': (url) => account.emailChangeNewEmail(confirmable(url)),
  invite: (url) => account.inviteEmail(confirmable(url)),
  reauthentication: () => account.reauthenticationEmail({ to, code: '493021' }),
  'address-taken': () => account.addressTakenEmail({ to }),
  'account-deleted': () => account.accountDeletedEmail({ to }),
  'payment-failed': (url) => billing.paymentFailedEmail({ ...pro(url), accessUntil: day }),
  'plan-switched': (url) =>
    billing.planSwitchedEmail({
      ...team(url),
      ...dates,
      formerPlanName: planOf('pro_monthly').name,
      hasSeats: true,
      losesSeats: false,
    }),
  'plan-canceled': (url) => billing.planCanceledEmail({ ...pro(url), ...dates, endsAt: day }),
  'plan-resumed': (url) => billing.planResumedEmail({ ...pro(url), ...dates }),
  'plan-paused': (url) => billing.planPausedEmail({ ...pro(url), ...dates, pauseStartsAt: day, pauseEndsAt: day }),
  'pause-ending-soon': (url) => billing.pauseEndingEmail({ ...pro(url), pauseEndsAt: day }),
  'pause-ended': (url) => billing.pauseEndedEmail({ ...pro(url), ...dates }),
  'same-card': (url) => billing.sameCardEmail({ to, publicUrl: url, otherAddress: 'd…@example.com' }),
  'plan-ending-soon': (url) => billing.planEndingSoonEmail({ ...pro(url), endsAt: day }),
  'plan-ended': (url) => billing.planEndedEmail(pro(url)),
  'plan-reactivated': (url) => billing.planReactivatedEmail(pro(url)),
  'card-expiring': (url) => billing.cardExpiringEmail({ ...pro(url), cardExpiresAt: day }),
  'trial-ending': (url) => billing.trialEndingEmail({ ...pro(url), endsAt: day }),
  'renewing-soon': (url) => billing.renewingSoonEmail({ ...pro(url), renewsAt: day }),
  'duplicate-canceled': (url) =>
    billing.duplicateCanceledEmail({
      ...team(url),
      keptPlanName: planOf('pro_monthly').name,
      refundedCents: 2000,
      currency: 'usd',
    }),
  'trial-refused': (url) => billing.trialRefusedEmail(pro(url)),
  'complimentary-access-granted': (publicUrl) => billing.complimentaryAccessGrantedEmail({ to, publicUrl, until: day }),
  'complimentary-access-ended': (publicUrl) => billing.complimentaryAccessEndedEmail({ to, publicUrl }),
  'team-invitation': (url) =>
    teams.teamInvitationEmail({ to, ownerEmail: owner, link: `${url}/join`, code: 'HX7K-93QM', days: 14 }),
  assigned: (publicUrl) => assignments.assignedEmail({ ...aboutAssignments(publicUrl), assignments: [assigned] }),
  'assignment-reminder': (publicUrl) =>
    assignments.assignmentReminderEmail({ ...aboutAssignments(publicUrl), assignments: [assigned] }),
  'assignment-summary': (publicUrl) =>
    assignments.assignmentSummaryEmail({
      ...aboutAssignments(publicUrl),
      assignments: [{ ...assigned, done: false, toName: newEmail }],
      counts: { open: 1, late: 0, done: 0 },
    }),
  'member-joined': (publicUrl) => teams.memberJoinedEmail({ to, memberEmail: newEmail, publicUrl }),
  'member-left': (publicUrl) => teams.memberLeftEmail({ to, memberEmail: newEmail, publicUrl }),
  'removed-from-team': (publicUrl) => teams.removedFromTeamEmail({ to, ownerEmail: owner, publicUrl }),
  'team-dissolved': (publicUrl) => teams.teamDissolvedEmail({ to, ownerEmail: owner, publicUrl }),
  'ownership-transferred': (publicUrl) => teams.ownershipTransferredEmail({ to, otherEmail: owner, publicUrl }),
  'ownership-received': (publicUrl) => teams.ownershipReceivedEmail({ to, otherEmail: owner, publicUrl }),
  welcome: welcome({ kind: 'plan' }),
  'welcome-member': welcomeExample,
  'welcome-invited': welcome({ kind: 'invitation' }),
  'welcome-checkout': welcome({ kind: 'checkout', plan: 'pro_monthly' }),
  'plan-started': started(false),
  'plan-started-again': started(true),
  'free-confirmation': (url) => freeConfirmationEmail({ to, link: `${url}/free/confirm` }),
  'member-invitation': (publicUrl) => memberInvitationEmail({ to, name: 'Ana', publicUrl }),
  ...Object.fromEntries(noticeEvents.map((event) => [`notice-${event.replaceAll('_', '-')}`, notice(event)])),
}
