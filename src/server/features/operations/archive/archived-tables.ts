import { ne, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { restoreHold } from '#server/db/restore-hold.ts'
import * as schema from '#server/db/schema/index.ts'

/** A table that is written to `data/<file>.ndjson`, one row per line. */
export type ArchivedTable = {
  file: string
  table: PgTable
  /** For the README in the archive. */
  about: string
  /** Columns that are left out, by their name in the schema. */
  without?: readonly string[]
  /** Which rows; default: all. */
  where?: SQL
  /** Triggers fill it while other tables are imported. Its own rows replace those. */
  filledByTriggers?: true
}

/** Tokens and pending changes of accounts. The password hash is a file of its own, written on request only. */
const secretsOfUsers = [
  'encryptedPassword',
  'confirmationToken',
  'confirmationSentAt',
  'recoveryToken',
  'recoverySentAt',
  'emailChangeTokenNew',
  'emailChangeTokenCurrent',
  'emailChange',
  'emailChangeSentAt',
  'emailChangeConfirmStatus',
  'phoneChange',
  'phoneChangeToken',
  'phoneChangeSentAt',
  'reauthenticationToken',
  'reauthenticationSentAt',
] as const

/** Computed from the published text. */
const searchOfItems = ['headings', 'summary', 'body', 'search', 'bodyWeight'] as const

/** In the order in which an import inserts them: a table follows the tables that it references. */
export const archivedTables: readonly ArchivedTable[] = [
  {
    file: 'settings',
    table: schema.publicationSettings,
    // A hold belongs to this installation.
    where: ne(schema.publicationSettings.name, restoreHold),
    about: 'Settings that were changed in the admin, by name.',
  },
  {
    file: 'setting-versions',
    table: schema.publicationSettingVersions,
    about: 'Earlier versions of the settings.',
  },
  {
    file: 'content-loaded',
    table: schema.seedState,
    about: 'Which version of the content folder was loaded, and which lists were reordered by hand.',
  },
  { file: 'drops', table: schema.issues, about: 'Drops as readers see them. `publishedAt` is null if one is hidden.' },
  { file: 'drop-sections', table: schema.issueSections, about: 'Sections of the drops, in Markdown.' },
  { file: 'prompt-packs', table: schema.promptCategories, about: 'Prompt packs as readers see them.' },
  { file: 'prompts', table: schema.prompts, about: 'Prompts of the packs.' },
  { file: 'guides', table: schema.guides, about: 'Guides as readers see them. Their files are in `guides/`.' },
  { file: 'tools', table: schema.tools, about: 'Tool picks as readers see them.' },
  { file: 'content-pages', table: schema.contentPages, about: 'Glossary, safety rules, start page and method page.' },
  {
    file: 'documents',
    table: schema.contentDocument,
    about: 'The latest saved text of each drop, prompt pack, guide and tool, drafts included.',
  },
  { file: 'scheduled-publishing', table: schema.contentSchedule, about: 'Texts that are to be published later.' },
  { file: 'revisions', table: schema.contentRevision, about: 'Earlier versions of the documents.' },
  { file: 'blocks', table: schema.contentBlock, about: 'Reusable texts. Drops reference one as `{{block:id}}`.' },
  { file: 'pages', table: schema.sitePage, about: 'Pages that were added in the admin, in Markdown, drafts included.' },
  { file: 'images', table: schema.mediaImage, about: 'Uploaded images. The files are in `images/`, named by hash.' },
  {
    file: 'guide-files',
    table: schema.guideFile,
    about: 'All uploaded versions of guide files. The files are in `guides/`.',
  },
  {
    file: 'content-items',
    table: schema.contentItems,
    without: searchOfItems,
    about: 'Every drop, section, prompt, guide and tool that was ever published, with its version.',
  },
  {
    file: 'imported-posts',
    table: schema.importedPosts,
    about: 'Which drops came from which posts of another publication.',
  },
  { file: 'content-changes', table: schema.itemChanges, about: 'What changed with each version of an item.' },

  {
    file: 'members',
    table: schema.users,
    without: secretsOfUsers,
    about: 'Accounts: address, name (`rawUserMetaData`), when the address was confirmed, sign-in times.',
  },
  { file: 'identities', table: schema.identities, about: 'How members sign in: the address, without any password.' },
  { file: 'staff', table: schema.userRoles, about: 'Who works here. The role `admin` is an owner.' },
  { file: 'staff-emails', table: schema.staffEmailChoice, about: 'Emails that staff turned on for themselves.' },
  { file: 'suspended-staff', table: schema.suspendedStaff, about: 'Staff whose access is suspended.' },
  { file: 'preferences', table: schema.userPreferences, about: 'Answers from onboarding.' },
  { file: 'custom-fields', table: schema.customField, about: 'Fields that the publisher added to members.' },
  {
    file: 'custom-field-values',
    table: schema.customFieldValues,
    about: 'Values of these fields, by field id. `tokens` is for filters.',
  },
  { file: 'business-profiles', table: schema.businessProfile, about: 'What members entered about their business.' },
  { file: 'locations', table: schema.businessLocation, about: 'Locations of members.' },
  { file: 'prompt-answers', table: schema.promptAnswer, about: 'Answers to blanks in prompts.' },
  {
    file: 'email-consents',
    table: schema.emailPreferences,
    about:
      'Which emails a member receives and whether opens and clicks may be counted. A member without a row receives weekly drops, product news, follow-ups and emails about assignments, without tracking.',
  },
  { file: 'newsletters', table: schema.newsletter, about: 'Newsletters that the publisher added.' },
  {
    file: 'newsletter-subscriptions',
    table: schema.newsletterSubscription,
    about: 'Who is subscribed to them and who unsubscribed. A member without a row was never subscribed.',
  },
  { file: 'stripe-customers', table: schema.billingCustomer, about: 'Stripe customer ids.' },
  {
    file: 'imported-stripe-customers',
    table: schema.importedStripeCustomer,
    about: 'Stripe customer ids as imported files name them, unverified.',
  },
  {
    file: 'adopted-prices',
    table: schema.adoptedPrice,
    about: 'Stripe prices of other products, with the plan they count as.',
  },
  {
    file: 'plans',
    table: schema.subscriptionState,
    about: 'Plans as Stripe reported them last: subscription, product and price ids, prices, status and periods.',
  },
  { file: 'complimentary-access', table: schema.complimentaryAccess, about: 'Access that was granted without a plan.' },
  {
    file: 'trials-used',
    table: schema.trialUsage,
    about: 'Keyed hashes of addresses that had a trial. They only match with the same SECRET_KEY.',
  },
  {
    file: 'trial-cards-used',
    table: schema.trialCardUsage,
    about: 'Keyed hashes of cards that were used for a trial. They only match with the same SECRET_KEY.',
  },
  {
    file: 'billing-notices',
    table: schema.billingNotice,
    about: 'Billing emails that were sent, so that none is repeated.',
  },
  {
    file: 'canceled-duplicates',
    table: schema.duplicateSubscription,
    about: 'Second plans of one member that were found, and what was done about them.',
  },
  { file: 'revenue-customers', table: schema.revenueCustomer, about: 'Stripe customers with revenue records.' },
  { file: 'revenue-changes', table: schema.revenueChange, about: 'Changes of recurring revenue.' },
  { file: 'invoices', table: schema.revenueInvoice, about: 'Invoices, with amounts in cents.' },
  {
    file: 'revenue-by-month',
    table: schema.revenueMonthlyTotal,
    about: 'Sums of the revenue records by month and plan.',
  },
  {
    file: 'revenue-by-cohort',
    table: schema.revenueCohortTotal,
    about: 'Customers and payments by the month of the first payment.',
  },
  {
    file: 'revenue-by-currency-and-month',
    table: schema.revenueCurrencyMonth,
    about: 'The sums by month and plan in currencies other than US dollars.',
  },
  {
    file: 'revenue-by-currency-and-cohort',
    table: schema.revenueCurrencyCohort,
    about: 'Customers and payments by the month of the first payment in currencies other than US dollars.',
  },
  {
    file: 'plan-terms',
    table: schema.plan,
    about: 'Plans on sale and retired ones, with their product and price at Stripe.',
  },
  { file: 'offers', table: schema.offer, about: 'Offers: codes with discounts, and their promotion codes at Stripe.' },
  {
    file: 'revenue-by-offer',
    table: schema.revenueOfferTotal,
    about: 'Customers, payments and discounts by promotion code.',
  },
  {
    file: 'revenue-by-currency-and-offer',
    table: schema.revenueCurrencyOffer,
    about: 'Customers, payments and discounts by promotion code in currencies other than US dollars.',
  },
  { file: 'cancellations', table: schema.planCancellation, about: 'Canceled plans and the reasons given.' },
  {
    file: 'retention-offers',
    table: schema.retentionOffer,
    about: 'What members who wanted to cancel were offered, and what they took.',
  },
  { file: 'gifts', table: schema.gift, about: 'Gifts that were bought, with their state and payment at Stripe.' },
  { file: 'gift-links', table: schema.giftLink, about: 'Links with which you give access, without their tokens.' },
  {
    file: 'gift-link-uses',
    table: schema.giftLinkUse,
    about: 'Who used a gift link. Addresses are keyed hashes.',
  },
  {
    file: 'referrals',
    table: schema.referral,
    about: 'Members brought by members, with the credits for both. Addresses and cards are keyed hashes.',
  },
  {
    file: 'price-moves',
    table: schema.priceMove,
    about: 'Moves of a plan’s members to a new price, with the notice that they got.',
  },
  {
    file: 'price-move-members',
    table: schema.priceMoveMember,
    about: 'Earlier and new price of each member who was to be moved, and from when.',
  },
  { file: 'team-seats', table: schema.teamSeat, about: 'Team members. The owner has seat 1, without a row.' },
  { file: 'team-seat-locations', table: schema.teamSeatLocation, about: 'Locations of team members.' },
  { file: 'team-assignments', table: schema.teamAssignment, about: 'What teams assigned to whom.' },
  {
    file: 'assignment-notices',
    table: schema.assignmentNotice,
    about: 'Who was emailed about which assignment, so that no one is again.',
  },
  { file: 'assignment-reminders', table: schema.assignmentReminder, about: 'Reminders of assignments that were sent.' },
  {
    file: 'assignment-summaries',
    table: schema.assignmentSummary,
    about: 'The week of the last summary that someone got of what they assigned.',
  },
  { file: 'team-collections', table: schema.teamCollectionItem, about: 'Items that teams share.' },
  {
    file: 'franchisor-rules',
    table: schema.franchisorRules,
    about: 'What members recorded about their franchisor’s rules.',
  },
  { file: 'saved-items', table: schema.savedItems, about: 'Items that members saved. `saved` is false once removed.' },
  { file: 'collections', table: schema.collections, about: 'Collections of members.' },
  { file: 'collection-items', table: schema.collectionItems, about: 'Items in the collections.' },
  { file: 'reading', table: schema.readingState, about: 'What members read, and where they stopped.' },
  { file: 'reader-visits', table: schema.readerVisits, about: 'When members last opened the list of drops.' },
  { file: 'first-weeks', table: schema.firstWeek, about: 'Steps of the first week.' },
  { file: 'tries', table: schema.tries, about: 'What members tried and said about it.' },
  { file: 'try-days', table: schema.tryDays, about: 'The last answer of each day.' },
  { file: 'try-totals', table: schema.tryTotals, about: 'Published answers per item.' },
  { file: 'wages', table: schema.readerWage, about: 'The hourly wage that members entered for the value page.' },
  { file: 'poll-votes', table: schema.pollVotes, about: 'Votes of members in the polls of drops.' },
  {
    file: 'question-answers',
    table: schema.questionAnswers,
    about: 'What members answered to the questions of drops.',
  },
  { file: 'email-replies', table: schema.emailReplies, about: 'What members replied to emails.' },
  { file: 'item-votes', table: schema.itemVotes, about: 'Whether members found drops and guides useful, and why.' },
  { file: 'item-uses', table: schema.itemUses, about: 'What members copied or downloaded.' },
  { file: 'seen-changes', table: schema.seenChanges, about: 'Changes of items that members dismissed.' },
  { file: 'segments', table: schema.segments, about: 'Groups of members that were put together by hand.' },
  { file: 'segment-members', table: schema.segmentMembers, about: 'Members of the segments.' },

  { file: 'member-tags', table: schema.memberTags, about: 'Tags that staff put on members.' },
  { file: 'member-views', table: schema.memberViews, about: 'Saved filters of the members list.' },
  { file: 'member-notes', table: schema.memberNotes, about: 'Notes of staff about members.' },

  { file: 'mailings', table: schema.mailings, about: 'Newsletter mailings with their frozen content.' },
  { file: 'deliveries', table: schema.deliveries, about: 'Recipients of the mailings, with status and feedback.' },
  {
    file: 'series',
    table: schema.series,
    // Members of its segment are stored again after an import, and don't enter.
    without: ['segmentVersion'],
    about: 'Series of emails: what starts each, and its steps. After an import, those that were on are paused.',
  },
  { file: 'series-entries', table: schema.seriesEntry, about: 'Members in the series, and where each of them is.' },
  {
    file: 'series-results',
    table: schema.seriesStepResult,
    about: 'Which steps of a series members took, so that none is repeated.',
  },
  { file: 'series-mailings', table: schema.seriesMailing, about: 'Which mailings sent the emails of the series.' },
  { file: 'emailed-changes', table: schema.emailedChanges, about: 'Which changes a mailing told a member about.' },
  { file: 'email-events', table: schema.emailEvents, about: 'Bounces, complaints, opens and clicks.' },
  {
    file: 'mailing-counts',
    table: schema.mailingCounts,
    filledByTriggers: true,
    about: 'Deliveries and feedback of each mailing, counted.',
  },
  {
    file: 'mailing-hours',
    table: schema.mailingHours,
    filledByTriggers: true,
    about: 'What happened to each mailing by hour.',
  },
  {
    file: 'mailing-links',
    table: schema.mailingLinks,
    filledByTriggers: true,
    about: 'Clicks on each link of a mailing.',
  },
  {
    file: 'suppressions',
    table: schema.suppressions,
    about: 'Addresses that get no newsletter email, and since when.',
  },
  {
    file: 'retained-suppressions',
    table: schema.retainedSuppressions,
    about: 'Suppressions of deleted accounts, as keyed hashes. They only match with the same SECRET_KEY.',
  },
  {
    file: 'member-sources',
    table: schema.memberSources,
    about: 'Where members came from when they signed up and began to pay.',
  },
  { file: 'account-emails', table: schema.accountEmails, about: 'Account and billing emails of the last 90 days.' },
]

/** Tables that the archive leaves out, with the reason. A test requires every table of the schema to be in one of the lists. */
export const leftOutTables: ReadonlyMap<PgTable, string> = new Map<PgTable, string>([
  [schema.sessions, 'Secret: sessions. Members sign in again.'],
  [schema.refreshTokens, 'Secret: sessions.'],
  [schema.mfaAmrClaims, 'Part of sessions.'],
  [schema.mfaFactors, 'Secret: second factors. Members set them up again.'],
  [schema.mfaChallenges, 'Secret: second factors.'],
  [schema.backupCodes, 'Secret: second factors.'],
  [schema.webauthnCredentials, 'Passkeys work only at the address that they were made for.'],
  [schema.webauthnChallenges, 'Secret: passkeys.'],
  [schema.oneTimeTokens, 'Secret: emailed links and codes.'],
  [schema.flowState, 'Secret: emailed links.'],
  [schema.knownAddresses, 'IP addresses of the last 90 days, for security only.'],
  [schema.trustedDevices, 'Part of sessions.'],
  [schema.signingKeys, 'Secret: keys of this installation.'],
  [schema.auditLogEntries, 'The security log of this installation, with IP addresses.'],
  [schema.teamInvitation, 'Secret: open invitations. Owners invite again.'],
  [schema.staffInvitations, 'Secret: open invitations. Owners invite again.'],
  [schema.shareLinks, 'Secret: links to single items. Members make new ones.'],
  [schema.viewAsSessions, 'Secret: sessions of staff. The security log records them.'],
  [schema.apiKeys, 'Secret: keys of the API. Owners make new ones.'],
  [schema.apiRequests, 'Temporary: answers to repeated requests.'],
  [schema.webhookEndpoints, 'Secret: each address has a signing secret. Owners add them again.'],
  [schema.webhookEvents, 'Temporary: events for webhooks.'],
  [schema.webhookDeliveries, 'Temporary: events for webhooks.'],
  [schema.webhookAttempts, 'Temporary: events for webhooks.'],
  [schema.pendingCheckout, 'Open checkouts, which end by themselves.'],
  [schema.stripeEvent, 'Stripe keeps its events.'],
  [schema.memberFacts, 'Copies of other tables, made again by triggers.'],
  [schema.bulkActions, 'Changes of many members that can be undone here. What they changed is archived.'],
  [schema.bulkActionMembers, 'Part of the changes of many members.'],
  [schema.archives, 'Archives like this one.'],
  [schema.backups, 'Backups of this installation.'],
  [schema.backfills, 'Progress of updates of this server.'],
  [schema.memberImports, 'Uploaded files with members. Those imported are in the archive.'],
  [schema.memberImportChunks, 'Uploaded files with members.'],
  [schema.memberImportRows, 'Uploaded files with members.'],
  [schema.stripeAdoption, 'Temporary: lists of subscriptions read from Stripe.'],
  [schema.stripeAdoptionSubscription, 'Temporary: lists of subscriptions read from Stripe.'],
  [schema.postImports, 'Uploaded files with posts. What came of them is in the archive.'],
  [schema.postImportItems, 'Uploaded files with posts.'],
  [schema.staffEvent, 'Temporary: what the next emails to staff are about.'],
  [schema.seriesEvent, 'Temporary: what may make members enter a series, for a minute.'],
  [schema.seriesSegmentMember, 'Temporary: who is in the segments that series wait for.'],
  [schema.staffEmailSent, 'Temporary: when staff last got an email.'],
  [schema.replyMailbox, 'How far the mailbox of replies has been read by this server.'],
  [schema.rateLimits, 'Temporary: rate limits.'],
  [schema.leases, 'Temporary: locks between nodes.'],
  [schema.senders, 'Temporary: running sender processes.'],
  [schema.throttleUsage, 'Temporary: emails per minute.'],
  [schema.memberFeeds, 'Secret: addresses of feeds. Members get new ones.'],
  [schema.pageVisits, 'Counts of the last 90 days at this address.'],
  [schema.visitors, 'Temporary: where visitors of today came from.'],
  [schema.counters, 'Counted again by triggers.'],
  [schema.searchVocabulary, 'Computed from the content.'],
])
