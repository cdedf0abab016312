import type { Email } from '#server/mail/mailer.ts'
import type { EmailConfig } from '#server/mail/render-email.ts'
import * as account from '#server/mail/texts/account-emails.ts'
import { repliesEmail } from '#server/mail/texts/answer-emails.ts'
import * as assignments from '#server/mail/texts/assignment-emails.ts'
import * as billing from '#server/mail/texts/billing-emails.ts'
import { freeConfirmationEmail } from '#server/mail/texts/free-edition-emails.ts'
import * as gifts from '#server/mail/texts/gift-emails.ts'
import { memberAddedEmail, memberInvitationEmail } from '#server/mail/texts/member-emails.ts'
import { priceChangingEmail, priceStaysEmail } from '#server/mail/texts/price-emails.ts'
import * as purchases from '#server/mail/texts/purchase-emails.ts'
import * as referrals from '#server/mail/texts/referral-emails.ts'
import { type NoticeEvent, noticeEvents, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import * as teams from '#server/mail/texts/team-emails.ts'
import { type FirstDrops, type NextStep, planStartedEmail, welcomeEmail } from '#server/mail/texts/welcome-emails.ts'
import * as withdrawals from '#server/mail/texts/withdrawal-emails.ts'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { isForTeam, type PlanTerms, plansOnSale } from '#shared/domain/plans.ts'

const giftDay = new Date('2026-12-24T00:00:00Z')
const giver = (config: EmailConfig) => ({
  config,
  ...{ to: 'gwen@example.com', recipientName: 'Remy', amountCents: 9900, currency: 'usd' },
  statusLink: `${config.publicUrl}/gift`,
})
const recipient = (config: EmailConfig) => ({
  config,
  ...{ to: 'remy@example.com', recipientName: 'Remy', giverName: 'Gwen', message: 'Happy birthday!', months: 12 },
  claimUntil: giftDay,
  claimLink: `${config.publicUrl}/gift`,
})

type Example = (config: EmailConfig) => Email

const to = 'ana@example.com'
const newEmail = 'ana.silva@example.com'
const owner = 'ben@example.com'
const day = new Date('2027-03-01T00:00:00Z')
const confirmable = (config: EmailConfig) => ({ to, config, link: `${config.publicUrl}/auth`, code: '493021' })
const plansOf = ({ settings: { publication } }: EmailConfig): [PlanTerms, ...PlanTerms[]] => {
  const [first = publication.plans[0], ...others] = plansOnSale(publication)
  return [first as PlanTerms, ...others]
}
const about = (config: EmailConfig, plan: PlanTerms) => ({
  to,
  config,
  planName: plan.name,
  price: pricePerInterval(plan),
})
const pro = (config: EmailConfig) => about(config, plansOf(config)[0])
const team = (config: EmailConfig) => about(config, plansOf(config).find(isForTeam) ?? plansOf(config)[0])
const newPrice = (config: EmailConfig) => {
  const [plan] = plansOf(config)
  const priceText = formatWholeMoney(Math.round(plan.priceCents * 1.2), plan.currency)
  return { oldPrice: pricePerInterval(plan), newPrice: pricePerInterval({ ...plan, priceText }), at: day }
}
const dates = { seats: 1, renewsAt: day, endsAt: null, isTrial: false }

const notice =
  (event: NoticeEvent): Example =>
  (config) =>
    securityNoticeEmail({ to, event, device: 'Firefox on Windows', when: day, timeZone: null, config })

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
  (config) => ({ to, ...welcomeEmail({ first, next, config }) })

/** With a button, links and a heading. */
export const welcomeExample = welcome({ kind: 'portal' })

const started =
  (isReturning: boolean): Example =>
  (config) => ({ to, ...planStartedEmail({ ...pro(config), ...dates, isReturning, preferences: null, first }) })

/** Every email whose texts can be changed, with example data. */
const aboutAssignments = (config: EmailConfig) => ({
  to,
  config,
  today: '2026-12-01',
  unsubscribe: { page: `${config.publicUrl}/unsubscribe`, oneClick: `${config.publicUrl}/unsubscribe` },
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
  confirmation: (config) => account.confirmationEmail(confirmable(config)),
  recovery: (config) => account.recoveryEmail(confirmable(config)),
  'magic-link': (config) => account.magicLinkEmail(confirmable(config)),
  'email-change-current': (config) => account.emailChangeCurrentEmail({ ...confirmable(config), newEmail }),
  'email-change-new': (config) => account.emailChangeNewEmail(confirmable(config)),
  invite: (config) => account.inviteEmail(confirmable(config)),
  reauthentication: (config) => account.reauthenticationEmail({ to, config, code: '493021' }),
  'address-taken': (config) => account.addressTakenEmail({ to, config }),
  'account-deleted': (config) => account.accountDeletedEmail({ to, config }),
  'invoice-overdue': (config) => billing.invoiceOverdueEmail({ ...team(config), accessUntil: day }),
  'payment-failed': (config) => billing.paymentFailedEmail({ ...pro(config), accessUntil: day }),
  'plan-switched': (config) =>
    billing.planSwitchedEmail({
      ...team(config),
      ...dates,
      formerPlanName: plansOf(config)[0].name,
      seats: 3,
      losesSeats: false,
    }),
  'seats-added': (config) => billing.seatsAddedEmail({ ...team(config), ...dates, seats: 5 }),
  'plan-canceled': (config) => billing.planCanceledEmail({ ...pro(config), ...dates, endsAt: day }),
  'plan-resumed': (config) => billing.planResumedEmail({ ...pro(config), ...dates }),
  'plan-paused': (config) =>
    billing.planPausedEmail({ ...pro(config), ...dates, pauseStartsAt: day, pauseEndsAt: day }),
  'pause-ending-soon': (config) => billing.pauseEndingEmail({ ...pro(config), pauseEndsAt: day }),
  'pause-ended': (config) => billing.pauseEndedEmail({ ...pro(config), ...dates }),
  'gift-receipt': (config) =>
    gifts.giftReceiptEmail({
      ...giver(config),
      recipientEmail: 'remy@example.com',
      deliverOn: '2026-12-24',
      months: 12,
    }),
  'gift-arrived': (config) => gifts.giftArrivedEmail(recipient(config)),
  'gift-reminder': (config) => gifts.giftReminderEmail(recipient(config)),
  'gift-claimed': (config) => gifts.giftClaimedEmail(giver(config)),
  'gift-bounced': (config) => gifts.giftBouncedEmail({ ...giver(config), recipientEmail: 'remy@example.com' }),
  'gift-extended': (config) => gifts.giftExtendedEmail({ ...giver(config), claimUntil: giftDay }),
  'gift-refunded': (config) => gifts.giftRefundedEmail({ ...giver(config), reason: 'unclaimed' }),
  'gift-started': (config) => gifts.giftStartedEmail({ to, config, giver: 'Gwen', until: giftDay }),
  'gift-credited': (config) =>
    gifts.giftCreditedEmail({ to, config, giver: 'Gwen', amountCents: 9900, currency: 'usd' }),
  'gift-credit-withdrawn': (config) =>
    gifts.giftCreditWithdrawnEmail({ to, config, amountCents: 4500, currency: 'usd' }),
  'referral-thanks': (config) => referrals.referralThanksEmail({ to, config, cents: 1000, currency: 'usd' }),
  'referral-welcome': (config) => referrals.referralWelcomeEmail({ to, config, cents: 1000, currency: 'usd' }),
  'referral-withdrawn': (config) => referrals.referralWithdrawnEmail({ to, config }),
  'referral-restored': (config) => referrals.referralRestoredEmail({ to, config }),
  'gift-link-used': (config) => gifts.giftLinkUsedEmail({ to, config, until: giftDay }),
  'gift-withdrawn': (config) => gifts.giftWithdrawnEmail({ to, config }),
  'gift-restored': (config) => gifts.giftRestoredEmail({ to, config, until: giftDay }),
  'same-card': (config) => billing.sameCardEmail({ to, config, otherAddress: 'd…@example.com' }),
  'plan-ending-soon': (config) => billing.planEndingSoonEmail({ ...pro(config), endsAt: day }),
  'plan-ended': (config) => billing.planEndedEmail(pro(config)),
  'plan-reactivated': (config) => billing.planReactivatedEmail(pro(config)),
  'discount-ending': (config) => billing.discountEndingEmail({ ...pro(config), endsAt: day }),
  'yearly-reminder': (config) => billing.yearlyReminderEmail({ ...pro(config), ...dates, startedAt: giftDay }),
  'withdrawal-link': (config) => withdrawals.withdrawalLinkEmail({ to, config, link: `${config.publicUrl}/withdraw` }),
  'withdrawal-receipt': (config) =>
    withdrawals.withdrawalReceiptEmail({
      ...{ to, config, name: 'Ana Silva', contractName: plansOf(config)[0].name, declaredAt: day, confirmedAt: day },
      ...{ refundCents: 1000, isDisputed: false, currency: 'usd', timeZone: 'America/New_York' },
    }),
  'card-expiring': (config) => billing.cardExpiringEmail({ ...pro(config), cardExpiresAt: day }),
  'trial-ending': (config) => billing.trialEndingEmail({ ...pro(config), endsAt: day }),
  'renewing-soon': (config) => billing.renewingSoonEmail({ ...pro(config), renewsAt: day, receipt: null }),
  'price-changing': (config) => priceChangingEmail({ ...pro(config), ...newPrice(config) }),
  'price-stays': (config) => priceStaysEmail({ ...pro(config), ...newPrice(config) }),
  'duplicate-canceled': (config) =>
    billing.duplicateCanceledEmail({
      ...team(config),
      keptPlanName: plansOf(config)[0].name,
      refundedCents: 2000,
      currency: 'usd',
    }),
  'trial-refused': (config) => billing.trialRefusedEmail(pro(config)),
  'access-bought': (config) =>
    purchases.accessBoughtEmail({ to, config, planName: 'Lifetime', amountCents: 30_000, currency: 'usd', until: day }),
  'item-bought': (config) =>
    purchases.itemBoughtEmail({ to, config, title: 'Marketing', amountCents: 1900, currency: 'usd', path: '/account' }),
  'bought-access-ended': (config) => purchases.boughtAccessEndedEmail({ to, config, planName: 'Lifetime' }),
  'complimentary-access-granted': (config) => billing.complimentaryAccessGrantedEmail({ to, config, until: day }),
  'complimentary-access-ended': (config) => billing.complimentaryAccessEndedEmail({ to, config }),
  'team-invitation': (config) =>
    teams.teamInvitationEmail({
      to,
      config,
      ownerEmail: owner,
      link: `${config.publicUrl}/join`,
      code: 'HX7K-93QM',
      days: 14,
    }),
  'team-domain-code': (config) =>
    teams.teamDomainCodeEmail({ to, config, ownerEmail: owner, domain: 'example.com', code: 'HX7K-93QM', minutes: 30 }),
  'joined-by-domain': (config) =>
    teams.joinedByDomainEmail({ to: owner, config, memberEmail: to, domain: 'example.com' }),
  'seat-request': (config) => teams.seatRequestEmail({ to: owner, config, memberEmail: to, seats: 1 }),
  'no-free-seat': (config) => teams.noFreeSeatEmail({ to, config, ownerEmail: owner, domain: 'example.com' }),
  'seat-request-accepted': (config) =>
    teams.seatRequestAnsweredEmail({ to, config, ownerEmail: owner, seats: '1 seat' }),
  'seat-request-declined': (config) =>
    teams.seatRequestDeclinedEmail({ to, config, ownerEmail: owner, seats: '1 seat' }),
  assigned: (config) => assignments.assignedEmail({ ...aboutAssignments(config), assignments: [assigned] }),
  'assignment-reminder': (config) =>
    assignments.assignmentReminderEmail({ ...aboutAssignments(config), assignments: [assigned] }),
  'task-question': (config) =>
    assignments.taskQuestionEmail({
      ...aboutAssignments(config),
      question: {
        title: 'Closing checklist',
        where: 'Oak Avenue',
        name: 'Luis',
        text: 'Which drawer do we count first?',
      },
    }),
  'deadline-reminder': (config) =>
    assignments.deadlineReminderEmail({
      ...aboutAssignments(config),
      when: 'in 60 days',
      deadlines: [{ title: 'Insurance certificate', dueOn: assigned.dueOn, locationName: 'Oak Avenue', prepare: null }],
    }),
  'assignment-summary': (config) =>
    assignments.assignmentSummaryEmail({
      ...aboutAssignments(config),
      assignments: [{ ...assigned, done: false, toName: newEmail }],
      counts: { open: 1, late: 0, done: 0 },
    }),
  replies: (config) =>
    repliesEmail({
      ...aboutAssignments(config),
      replies: [
        {
          ...{ id: 'example', issueId: 'example', drop: 'A week of reviews', name: 'Ben', answersQuestion: false },
          words: 'We count twice, and the second time before the rush.',
        },
      ],
    }),
  'member-joined': (config) => teams.memberJoinedEmail({ to, memberEmail: newEmail, config }),
  'member-left': (config) =>
    teams.memberLeftEmail({ to, memberEmail: newEmail, config, list: ['3 open assignments now for Harbor Street.'] }),
  'removed-from-team': (config) =>
    teams.removedFromTeamEmail({ to, ownerEmail: owner, config, list: ['Signed out on 2 devices.'] }),
  'team-dissolved': (config) => teams.teamDissolvedEmail({ to, ownerEmail: owner, config }),
  'ownership-transferred': (config) => teams.ownershipTransferredEmail({ to, otherEmail: owner, config }),
  'ownership-received': (config) => teams.ownershipReceivedEmail({ to, otherEmail: owner, config }),
  welcome: welcome({ kind: 'plan' }),
  'welcome-member': welcomeExample,
  'welcome-invited': welcome({ kind: 'invitation' }),
  'welcome-checkout': (config) => welcome({ kind: 'checkout', plan: plansOf(config)[0].key })(config),
  'plan-started': started(false),
  'plan-started-again': started(true),
  'free-confirmation': (config) => freeConfirmationEmail({ to, config, link: `${config.publicUrl}/free/confirm` }),
  'member-added': (config) => memberAddedEmail({ to, name: 'Ana', config }),
  'member-invitation': (config) => memberInvitationEmail({ to, name: 'Ana', config }),
  ...Object.fromEntries(noticeEvents.map((event) => [`notice-${event.replaceAll('_', '-')}`, notice(event)])),
}
