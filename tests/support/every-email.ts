import type { Recipient } from '#server/features/publishing/mailings/compose/composer.ts'
import { followUpContent } from '#server/features/publishing/mailings/sending/create-follow-ups.ts'
import { pickFirstDrops } from '#server/features/reader/onboarding/first-drops.ts'
import type { Email } from '#server/mail/mailer.ts'
import * as account from '#server/mail/texts/account-emails.ts'
import { repliesEmail } from '#server/mail/texts/answer-emails.ts'
import * as assignment from '#server/mail/texts/assignment-emails.ts'
import * as billing from '#server/mail/texts/billing-emails.ts'
import { freeConfirmationEmail } from '#server/mail/texts/free-edition-emails.ts'
import * as gifts from '#server/mail/texts/gift-emails.ts'
import { memberAddedEmail, memberInvitationEmail } from '#server/mail/texts/member-emails.ts'
import * as price from '#server/mail/texts/price-emails.ts'
import * as publisher from '#server/mail/texts/publisher-emails.ts'
import * as purchases from '#server/mail/texts/purchase-emails.ts'
import * as referrals from '#server/mail/texts/referral-emails.ts'
import * as security from '#server/mail/texts/security-emails.ts'
import * as staff from '#server/mail/texts/staff-emails.ts'
import * as team from '#server/mail/texts/team-emails.ts'
import { type PlanStarted, planStartedEmail, welcomeEmail } from '#server/mail/texts/welcome-emails.ts'
import * as withdrawals from '#server/mail/texts/withdrawal-emails.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { forGood } from '#shared/domain/entitlement.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildContent, buildRecipient, buildSection, emailConfig, publicUrl, sampleDrop } from './newsletter-email.ts'

const to = 'ana@example.com'
const day = new Date('2026-12-01T00:00:00Z')

/** All account, billing and team emails by name, with the settings of a publication. */
export function emailsOf(config: typeof emailConfig): Record<string, Email> {
  const confirmable = {
    to,
    config,
    link: `${publicUrl}/auth/v1/verify?token=${'0f'.repeat(32)}&type=signup`,
    code: '493021',
  }
  const plan = { to, planName: 'Pro Monthly', price: '$10 per month', config }
  const mailing = { to, id: '0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f', subject: 'Ten minutes in your close', config }
  const issues = ['a-week-of-reviews', 'follow-up-open-estimates', 'ten-minutes-in-your-close'].map((slug) => {
    const { title, date, preheader } = sampleDrop(slug)
    const tags = slug.startsWith('ten') ? (['Operations', 'Finance'] as const) : (['Sales', 'Technology'] as const)
    return {
      id: slug,
      slug,
      title,
      date: date ?? '',
      preview: preheader,
      tags: [...tags],
      checkedOn: null,
      readingMinutes: 6,
      touchSets: [],
    }
  })

  const preferences: Preferences = {
    focusAreas: ['Finance', 'Sales'],
    aiLevel: 'beginner',
    goals: [],
    franchiseType: null,
  }
  const first = pickFirstDrops(publicationDefaults, issues, preferences)
  const proPlan = { ...plan, seats: 1, renewsAt: day, endsAt: null, isTrial: false }
  const started = (given: Partial<PlanStarted> = {}): Email => ({
    to,
    ...planStartedEmail({ ...proPlan, isReturning: false, preferences, first, ...given }),
  })

  const aboutAssignments = {
    to,
    config,
    today: '2026-11-27',
    unsubscribe: {
      page: `${publicUrl}/unsubscribe?token=${'t'.repeat(80)}`,
      oneClick: `${publicUrl}/unsubscribe/one-click/${'t'.repeat(80)}`,
    },
  }
  const assigned = {
    title: 'Sort a week of reviews by what customers complain about',
    path: '/portal/weekly-drops/a-week-of-reviews#section-1',
    dueOn: '2026-12-04',
    note: 'Try it with the reviews of Oak Avenue first.',
    locationName: null,
    from: 'ben@example.com',
  }
  const alsoAssigned = {
    ...assigned,
    title: 'Closing handover note',
    dueOn: null,
    note: '',
    locationName: 'Oak Avenue',
  }

  const reply = {
    id: '0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f',
    issueId: 'a-week-of-reviews',
    drop: 'A week of reviews',
    name: 'Ben, two stores',
    words: 'We sort them on Monday, before the order goes out. See https://evil.example/reviews?a=1&b=<2>',
    answersQuestion: false,
  }

  const giver = {
    to,
    config,
    recipientName: 'Remy',
    amountCents: 9900,
    currency: 'usd',
    statusLink: `${publicUrl}/gift/status#gift=${'t'.repeat(43)}`,
  }
  const recipient = {
    to,
    config,
    recipientName: 'Remy',
    giverName: 'Gwen',
    message: 'Happy birthday!\nFor the quiet hour before opening.',
    months: 12,
    claimUntil: day,
    claimLink: `${publicUrl}/gift/claim#gift=${'t'.repeat(43)}`,
  }

  const staffChange = { to, role: 'editor', by: 'ben@example.com', config } as const

  return {
    confirmation: account.confirmationEmail(confirmable),
    recovery: account.recoveryEmail(confirmable),
    'magic-link': account.magicLinkEmail(confirmable),
    'email-change-current': account.emailChangeCurrentEmail({ ...confirmable, newEmail: 'ana.silva@shop.example' }),
    'email-change-new': account.emailChangeNewEmail(confirmable),
    invite: account.inviteEmail(confirmable),
    reauthentication: account.reauthenticationEmail({ to, config, code: '493021' }),
    'address-taken': account.addressTakenEmail({ to, config }),
    ...Object.fromEntries(
      security.noticeEvents.map((event) => [
        `notice-${event.replaceAll('_', '-')}`,
        security.securityNoticeEmail({ to, event, device: 'Firefox on Windows', when: day, timeZone: null, config }),
      ]),
    ),
    'invoice-overdue': billing.invoiceOverdueEmail({ ...plan, accessUntil: day }),
    'payment-failed': billing.paymentFailedEmail({ ...plan, accessUntil: day }),
    'plan-switched': billing.planSwitchedEmail({
      ...proPlan,
      planName: 'Team Monthly',
      price: '$20 per month',
      formerPlanName: 'Pro Monthly',
      seats: 3,
      losesSeats: false,
    }),
    'seats-added': billing.seatsAddedEmail({
      ...proPlan,
      planName: 'Team',
      price: '$45 per month for 5 seats',
      renewsAt: day,
      seats: 5,
    }),
    'plan-canceled': billing.planCanceledEmail({ ...proPlan, endsAt: day }),
    'plan-resumed': billing.planResumedEmail(proPlan),
    'plan-paused': billing.planPausedEmail({ ...proPlan, pauseStartsAt: day, pauseEndsAt: day }),
    'pause-ending-soon': billing.pauseEndingEmail({ ...plan, pauseEndsAt: day }),
    'pause-ended': billing.pauseEndedEmail(proPlan),
    'same-card': billing.sameCardEmail({ ...plan, otherAddress: 'd…@example.com' }),
    'access-bought': purchases.accessBoughtEmail({
      ...{ to, config, planName: 'Lifetime', amountCents: 30_000, currency: 'usd', until: forGood },
    }),
    'item-bought': purchases.itemBoughtEmail({
      ...{ to, config, title: 'Marketing', amountCents: 1900, currency: 'usd', path: '/items/prompt-pack/marketing' },
    }),
    'bought-access-ended': purchases.boughtAccessEndedEmail({ to, config, planName: 'Lifetime' }),
    'gift-receipt': gifts.giftReceiptEmail({
      ...giver,
      recipientEmail: 'remy@example.com',
      deliverOn: '2026-12-24',
      months: 12,
    }),
    'gift-arrived': gifts.giftArrivedEmail(recipient),
    'gift-reminder': gifts.giftReminderEmail(recipient),
    'gift-claimed': gifts.giftClaimedEmail(giver),
    'gift-bounced': gifts.giftBouncedEmail({ ...giver, recipientEmail: 'remy@example.com' }),
    'gift-extended': gifts.giftExtendedEmail({ ...giver, claimUntil: day }),
    'gift-refunded': gifts.giftRefundedEmail({ ...giver, reason: 'unclaimed' }),
    'gift-started': gifts.giftStartedEmail({ to, config, giver: 'Gwen', until: day }),
    'gift-credited': gifts.giftCreditedEmail({ to, config, giver: 'Gwen', amountCents: 9900, currency: 'usd' }),
    'gift-credit-withdrawn': gifts.giftCreditWithdrawnEmail({ to, config, amountCents: 4500, currency: 'usd' }),
    'referral-thanks': referrals.referralThanksEmail({ to, config, cents: 1000, currency: 'usd' }),
    'referral-welcome': referrals.referralWelcomeEmail({ to, config, cents: 1000, currency: 'usd' }),
    'referral-withdrawn': referrals.referralWithdrawnEmail({ to, config }),
    'referral-restored': referrals.referralRestoredEmail({ to, config }),
    'gift-link-used': gifts.giftLinkUsedEmail({ to, config, until: day }),
    'gift-withdrawn': gifts.giftWithdrawnEmail({ to, config }),
    'gift-restored': gifts.giftRestoredEmail({ to, config, until: day }),
    'plan-ending-soon': billing.planEndingSoonEmail({ ...plan, endsAt: day }),
    'plan-ended': billing.planEndedEmail(plan),
    'plan-reactivated': billing.planReactivatedEmail(plan),
    'card-expiring': billing.cardExpiringEmail({ ...plan, cardExpiresAt: day }),
    'renewing-soon': billing.renewingSoonEmail({
      ...plan,
      planName: 'Pro Yearly',
      price: '$99 per year',
      renewsAt: day,
      receipt: { worth: '$61.20', price: '$99.00', isBelow: true, offer: true },
    }),
    'price-changing': price.priceChangingEmail({
      ...plan,
      oldPrice: '$7 per month',
      newPrice: '$10 per month',
      at: day,
    }),
    'price-stays': price.priceStaysEmail({ ...plan, oldPrice: '$7 per month', newPrice: '$10 per month', at: day }),
    'discount-ending': billing.discountEndingEmail({ ...plan, endsAt: day }),
    'yearly-reminder': billing.yearlyReminderEmail({
      ...plan,
      ...{ seats: 1, renewsAt: day, endsAt: null, isTrial: false, startedAt: day },
    }),
    'withdrawal-link': withdrawals.withdrawalLinkEmail({
      ...{ to: plan.to, config: plan.config, link: `${publicUrl}/withdraw/confirm?token=abc` },
    }),
    'withdrawal-receipt': withdrawals.withdrawalReceiptEmail({
      ...{ to: plan.to, config: plan.config, name: 'Ana Silva', contractName: 'Pro Monthly', declaredAt: day },
      ...{ confirmedAt: day, refundCents: 1000, isDisputed: false, currency: 'usd', timeZone: 'America/New_York' },
    }),
    'trial-ending': billing.trialEndingEmail({ ...plan, endsAt: day }),
    'trial-refused': billing.trialRefusedEmail(plan),
    'duplicate-canceled': billing.duplicateCanceledEmail({
      ...plan,
      planName: 'Team Monthly',
      keptPlanName: 'Pro Monthly',
      refundedCents: 2000,
      currency: 'usd',
    }),
    'duplicate-report': billing.duplicateReportEmail({
      ...plan,
      planName: 'Team Monthly',
      keptPlanName: 'Pro Monthly',
      refundedCents: 2000,
      currency: 'usd',
      outcome: 'canceled',
      subscriptionId: 'sub_1S2AbCdEfGhIjKlM',
      memberEmail: 'ben@example.com',
      userId: '0199e0b0-0000-7000-8000-000000000001',
    }),
    'complimentary-access-granted': billing.complimentaryAccessGrantedEmail({ to, config, until: day }),
    'complimentary-access-ended': billing.complimentaryAccessEndedEmail({ to, config }),
    'free-confirmation': freeConfirmationEmail({
      to,
      config,
      link: `${publicUrl}/free/confirm?token=${'t'.repeat(120)}`,
    }),
    'member-added': memberAddedEmail({ to, name: 'Ana', config }),
    'member-invitation': memberInvitationEmail({ to, name: 'Ana', config }),
    'team-invitation': team.teamInvitationEmail({
      to,
      config,
      ownerEmail: 'owner.of.three.locations@franchise-group.example',
      link: `${publicUrl}/join/${'k'.repeat(43)}`,
      code: 'HX7K-93QM',
      days: 14,
    }),
    'team-domain-code': team.teamDomainCodeEmail({
      to,
      config,
      ownerEmail: 'owner.of.three.locations@franchise-group.example',
      ...{ domain: 'franchise-group.example', code: 'HX7K-93QM', minutes: 30 },
    }),
    'joined-by-domain': team.joinedByDomainEmail({
      to,
      config,
      memberEmail: 'ben@franchise-group.example',
      domain: 'franchise-group.example',
    }),
    'seat-request': team.seatRequestEmail({ to, config, memberEmail: 'ben@example.com', seats: 2 }),
    'no-free-seat': team.noFreeSeatEmail({ to, config, ownerEmail: 'owner@example.com', domain: 'example.com' }),
    'seat-request-accepted': team.seatRequestAnsweredEmail({
      ...{ to, config, ownerEmail: 'owner@example.com', seats: '1 seat' },
    }),
    'seat-request-declined': team.seatRequestDeclinedEmail({
      ...{ to, config, ownerEmail: 'owner@example.com', seats: '1 seat' },
    }),
    'member-joined': team.memberJoinedEmail({ to, memberEmail: 'ben@example.com', config }),
    'member-left': team.memberLeftEmail({
      to,
      memberEmail: 'ben@example.com',
      config,
      list: ['3 open assignments now for Harbor Street.'],
    }),
    'removed-from-team': team.removedFromTeamEmail({
      to,
      ownerEmail: 'ben@example.com',
      config,
      list: ['Signed out on 2 devices.'],
    }),
    'team-dissolved': team.teamDissolvedEmail({ to, ownerEmail: 'ben@example.com', config }),
    'ownership-transferred': team.ownershipTransferredEmail({ to, otherEmail: 'ben@example.com', config }),
    'ownership-received': team.ownershipReceivedEmail({ to, otherEmail: 'ben@example.com', config }),
    assigned: assignment.assignedEmail({ ...aboutAssignments, assignments: [assigned] }),
    'assignment-reminder': assignment.assignmentReminderEmail({
      ...aboutAssignments,
      assignments: [{ ...assigned, dueOn: '2026-11-27' }, alsoAssigned],
    }),
    'task-question': assignment.taskQuestionEmail({
      ...aboutAssignments,
      question: {
        title: 'Closing handover note',
        where: 'Harbor Street',
        name: 'Luis',
        text: 'Which drawer do we count first?',
      },
    }),
    'deadline-reminder': assignment.deadlineReminderEmail({
      ...aboutAssignments,
      when: 'in 7 days',
      deadlines: [
        {
          title: 'Insurance certificate',
          dueOn: '2026-12-04',
          locationName: 'Oak Avenue',
          prepare: {
            label: 'Read your insurance certificate',
            path: '/portal/weekly-drops/field-audit-prep#insurance-certificate',
          },
        },
        { title: 'Fire inspection', dueOn: '2027-01-26', locationName: null, prepare: null },
      ],
    }),
    'assignment-summary': assignment.assignmentSummaryEmail({
      ...aboutAssignments,
      counts: { open: 2, late: 1, done: 1 },
      assignments: [
        { ...assigned, dueOn: '2026-11-20', done: false, toName: 'Oak Avenue' },
        { ...alsoAssigned, done: false, toName: 'cora@example.com' },
        { ...alsoAssigned, title: 'Job ad for a shift lead', done: true, toName: 'cora@example.com' },
      ],
    }),
    replies: repliesEmail({ ...aboutAssignments, replies: [{ ...reply, name: 'Gwen', answersQuestion: true }] }),
    'staff-invitation': staff.staffInvitationEmail({
      to,
      config,
      invitedBy: 'ben@example.com',
      role: 'support',
      link: `${publicUrl}/staff/join#invitation=${'k'.repeat(43)}`,
      days: 7,
    }),
    'staff-role': staff.staffAccessChangedEmail({ ...staffChange, change: 'role' }),
    'staff-suspended': staff.staffAccessChangedEmail({ ...staffChange, change: 'suspended' }),
    'staff-reactivated': staff.staffAccessChangedEmail({ ...staffChange, change: 'reactivated' }),
    'staff-removed': staff.staffAccessChangedEmail({ ...staffChange, change: 'removed' }),
    'staff-joined': staff.newStaffEmail({ to, email: 'cora@example.com', role: 'viewer', by: null, config }),
    'staff-new-owner': staff.newStaffEmail({
      to,
      email: 'cora@example.com',
      role: 'owner',
      by: 'ben@example.com',
      config,
    }),
    'mailing-not-sent': publisher.mailingNotSentEmail({
      ...mailing,
      timeZone: 'America/New_York',
      sendFailure: {
        reason: 'checks',
        errors: ['Section 2, text, line 4: https://example.com/hours is not there', 'Subject: “TODO” was left in'],
        scheduledAt: '2026-12-01T12:00:00.000Z',
        at: '2026-12-01T12:00:04.000Z',
      },
    }),
    'publishing-failed': publisher.publishingFailedEmail({
      to,
      kind: 'issue',
      id: 'a-week-of-reviews',
      title: 'A week of reviews',
      failure: {
        scheduledAt: '2026-11-24T12:00:00Z',
        at: '2026-11-24T12:00:20Z',
        problems: [{ path: 'sections.0.body', message: 'There is no block named “how-we-test”' }],
      },
      timeZone: 'America/New_York',
      config,
    }),
    'backup-problem': publisher.backupProblemEmail({
      to,
      problem: { kind: 'failed', since: '2026-11-22T03:17:00Z', error: 'The disk is full.' },
      timeZone: 'America/New_York',
      config,
    }),
    'webhook-failures': publisher.webhookDisabledEmail({
      to,
      url: 'https://crm.example.com/hooks/front-counter',
      reason: 'failures',
      config,
    }),
    'staff-events': publisher.staffEventsEmail({ to, kind: 'canceled', count: 3, config }),
    'staff-summary': publisher.staffSummaryEmail({
      to,
      counts: { member: 1204, canceled: 3, 'payment-failed': 2, answer: 0 },
      config,
    }),
    'mailing-paused': publisher.mailingPausedEmail({ ...mailing, reason: 'bounces' }),
    'account-deleted': account.accountDeletedEmail({ to, config }),
    welcome: { to, ...welcomeEmail({ first, next: { kind: 'plan' }, config }) },
    'welcome-member': { to, ...welcomeEmail({ first, next: { kind: 'portal' }, config }) },
    'welcome-invited': { to, ...welcomeEmail({ first, next: { kind: 'invitation' }, config }) },
    'welcome-checkout': { to, ...welcomeEmail({ first, next: { kind: 'checkout', plan: 'pro_monthly' }, config }) },
    'plan-started': started(),
    'plan-started-trial-without-answers': started({
      preferences: null,
      first: pickFirstDrops(publicationDefaults, issues, null),
      isTrial: true,
    }),
    'team-started-again': started({
      planName: 'Team Monthly',
      price: '$20 per month',
      seats: 3,
      isReturning: true,
    }),
  }
}

/** With the default settings. */
export const everyEmail = emailsOf(emailConfig)

/** Who gets the newsletter emails below. */
export const newsletterRecipient: Recipient = buildRecipient({
  reader: { focusAreas: ['Finance'], aiLevel: 'beginner', goals: [], franchiseType: 'Food & Beverage' },
  changes: ['tool:transcriber', 'guide:ai-use-policy'],
})

/** A newsletter email of each kind. */

export const everyNewsletterEmail = {
  issue: sampleDrop(),
  digest: buildContent({
    kind: 'digest',
    subject: 'Your November digest',
    preheader: 'Fifteen things to try, those for you first.',
    title: 'November 2026',
    date: null,
    intro: 'Hello {{first_name|there}}. Everything we published this month, most relevant to your business first.',
    sections: ['a-week-of-reviews', 'follow-up-open-estimates', 'ten-minutes-in-your-close'].flatMap(
      (slug) => sampleDrop(slug).sections,
    ),
    closing: '',
    path: '/portal/weekly-drops',
  }),
  news: buildContent({
    kind: 'news',
    subject: 'Drops are read aloud now',
    preheader: 'Press play at the top of a drop.',
    title: 'Listen to a drop on the way to work',
    date: null,
    intro:
      'Hello {{first_name|there}},\n\nstarting this week, you can listen to every drop:\n\n1. Open a drop.\n2. Press *play* at its top.\n3. Put the phone away.\n\n> Reply to this email and tell us how it sounds.',
    sections: [],
    closing: '[See it in your portal](https://frontcounter.example/portal)',
    path: null,
  }),
  series: buildContent({
    kind: 'series',
    subject: 'Three things most owners try first',
    preheader: 'Each takes ten minutes.',
    title: 'Three things most owners try first',
    date: null,
    intro:
      'Hello {{first_name|there}},\n\nthese three take ten minutes each:\n\n- answer a difficult review,\n- write the closing handover note,\n- follow up on an open estimate.',
    sections: [],
    closing: '[Open your portal](https://frontcounter.example/portal)',
    path: null,
  }),
  personal: buildContent({
    kind: 'personal',
    subject: 'About your refund',
    preheader: 'Hello, it is on its way. It takes up to ten days.',
    title: 'About your refund',
    date: null,
    sender: 'Ada Quill',
    intro: 'Hello {{first_name|there}},\n\nyour refund is on its way. It takes up to ten days.\n\nAda',
    sections: [],
    closing: '',
    path: null,
  }),
  'follow-up': followUpContent([
    {
      kind: 'prompt',
      id: 'shift-handover',
      title: 'Write the shift handover',
      path: '/portal/prompt-packs#shift-handover',
    },
    { kind: 'section', id: 'time-clock', title: 'Let the time clock settle it', path: '/portal/weekly-drops/a-drop#1' },
  ]),
  /** All Markdown elements, and items that the reader kept and that have changed. */
  specimen: buildContent({
    changes: [
      {
        key: 'tool:transcriber',
        title: 'Meeting transcriber',
        path: '/portal/tools#transcriber',
        note: 'The free plan now ends after 30 days.',
      },
      { key: 'guide:ai-use-policy', title: 'AI use policy', path: '/portal/guides#ai-use-policy', note: '' },
    ],
    title: 'Everything an email can contain',
    poll: { issueId: 'a-drop', question: 'Did you try it?', answers: ['Yes', 'Not yet, & why'] },
    question: 'What would you try?',
    intro: 'Hello {{first_name|there}} in **bold**, *italic*, `code()` and [a link](https://shop.test/a?b=1&c=2).',
    sections: [
      buildSection({
        heading: 'Lists, quotes, code and a table',
        minutes: 5,
        aiLevel: 'advanced',
        focusAreas: ['Technology', 'Customer Service'],
        path: '/portal/weekly-drops/a-drop#1',
        body: [
          '### A heading inside',
          '#### A smaller one with [a link](https://shop.test/Path?q=Yes)',
          `[![A till](/media/${'a'.repeat(64)}.png#1200x600)](https://shop.test/picture) and <https://shop.test/bare>`,
          '[In the portal](/portal/tools)',
          `\`\`\`\ncurl https://api.example.net/v1/locations/4711/shifts/2025-03-03/close\n\`\`\``,
          '- One\n- Two\n  - Nested',
          '> [!PROMPT]\n> A prompt with a [blank].\n>\n> - A list in it',
          '```\n=MEDIAN(FILTER(C2:C,D2:D="before"))\n```',
          '---',
          `![A till with its drawer open](/media/${'a'.repeat(64)}.png#1200x600)`,
          '| Task | Minutes |\n| --- | ---: |\n| [Wipe](https://shop.test/wipe) | 4 |',
        ].join('\n\n'),
        examples: { food: 'See [the kitchen](https://shop.test/kitchen).' },
      }),
      buildSection({ heading: '', path: '/portal/weekly-drops/a-drop#2', body: '> [!PROMPT]\n> Write [name] a note.' }),
    ],
  }),
}
