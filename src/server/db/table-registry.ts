import { eq, ne } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { restoreHold } from './restore-hold.ts'
import * as schema from './schema/index.ts'
import { createdBy, type TableEntries, type TableEntry, type Tables, updatedBy } from './table-entry.ts'
import { tablesOutsideArchive } from './tables-outside-archive.ts'

/** Tokens and pending changes of accounts. The password hash is a file of its own, written on request only. */
const secretsOfUsers = [
  ...(['encryptedPassword', 'confirmationToken', 'confirmationSentAt', 'recoveryToken', 'recoverySentAt'] as const),
  ...(['emailChangeTokenNew', 'emailChangeTokenCurrent', 'emailChange', 'emailChangeSentAt'] as const),
  ...(['emailChangeConfirmStatus', 'phoneChange', 'phoneChangeToken', 'phoneChangeSentAt'] as const),
  ...(['reauthenticationToken', 'reauthenticationSentAt'] as const),
] as const

/** Computed from the published text. */
const searchOfItems = ['headings', 'summary', 'body', 'search', 'bodyWeight'] as const

/**
 * What archive, backup and a person's download do with each table. A table without an entry doesn't compile. In the order
 * in which an import inserts them: a table follows the tables that it references. What a deleted account leaves is in the
 * foreign keys, see account-rows.ts.
 */
const entries: TableEntries = {
  // A hold belongs to this installation.
  publicationSettings: {
    archive: ['settings', 'Settings that were changed in the admin, by name.'],
    edited: updatedBy('settings', 'name'),
    where: ne(schema.publicationSettings.name, restoreHold),
  },
  publicationSettingVersions: {
    archive: ['setting-versions', 'Earlier versions of the settings.'],
    edited: createdBy('settingVersions', 'name'),
  },
  seedState: {
    archive: [
      'content-loaded',
      'Which version of the content folder was loaded, and which lists were reordered by hand.',
    ],
  },
  issues: { archive: ['drops', 'Drops as readers see them. `publishedAt` is null if one is hidden.'] },
  issueSections: { archive: ['drop-sections', 'Sections of the drops, in Markdown.'] },
  promptCategories: { archive: ['prompt-packs', 'Prompt packs as readers see them.'] },
  prompts: { archive: ['prompts', 'Prompts of the packs.'] },
  guides: { archive: ['guides', 'Guides as readers see them. Their files are in `guides/`.'] },
  tools: { archive: ['tools', 'Tool picks as readers see them.'] },
  contentPages: { archive: ['content-pages', 'Glossary, safety rules, start page and method page.'] },
  contentDocument: {
    archive: ['documents', 'The latest saved text of each drop, prompt pack, guide and tool, drafts included.'],
    edited: updatedBy('documents', 'kind', 'id'),
  },
  contentSchedule: {
    archive: ['scheduled-publishing', 'Texts that are to be published later.'],
    edited: createdBy('scheduled', 'kind', 'id'),
  },
  contentRevision: {
    archive: ['revisions', 'Earlier versions of the documents.'],
    edited: createdBy('revisions', 'kind', 'id', 'reason'),
  },
  contentBlock: {
    archive: ['blocks', 'Reusable texts. Drops reference one as `{{block:id}}`.'],
    edited: updatedBy('blocks', 'id'),
  },
  sitePage: {
    archive: ['pages', 'Pages that were added in the admin, in Markdown, drafts included.'],
    edited: updatedBy('pages', 'path'),
  },
  mediaImage: {
    archive: ['images', 'Uploaded images. The files are in `images/`, named by hash.'],
    edited: createdBy('images', 'originalName as name'),
  },
  recording: {
    archive: ['recordings', 'Recordings of drops. The files are in `recordings/`, in pieces.'],
    where: eq(schema.recording.status, 'current'),
    edited: createdBy('recordings', 'originalName as name'),
  },
  guideFile: {
    archive: ['guide-files', 'All uploaded versions of guide files. The files are in `guides/`.'],
    edited: createdBy('guideFiles', 'name'),
  },
  textFile: {
    archive: ['text-files', 'Files and sounds that texts link to. They are in `files/`, named by hash.'],
    edited: createdBy('textFiles', 'name'),
  },
  contentItems: {
    archive: [
      'content-items',
      'Every drop, section, prompt, guide and tool that was ever published, with its version.',
    ],
    without: searchOfItems,
  },
  importedPosts: { archive: ['imported-posts', 'Which drops came from which posts of another publication.'] },
  itemChanges: { archive: ['content-changes', 'What changed with each version of an item.'] },
  users: {
    archive: ['members', 'Accounts: address, name (`rawUserMetaData`), when the address was confirmed, sign-in times.'],
    exported: 'account',
    without: secretsOfUsers,
  },
  identities: {
    archive: ['identities', 'How members sign in: the address, without any password.'],
    exported: { as: 'identities', columns: ['provider', 'identityData as data', 'createdAt', 'lastSignInAt'] },
  },
  userRoles: { archive: ['staff', 'Who works here. The role `admin` is an owner.'], exported: 'roles' },
  staffEmailChoice: {
    archive: ['staff-emails', 'Emails that staff turned on for themselves.'],
    exported: { as: 'staffEmails', columns: ['kind', 'chosenAt'], order: ['kind'] },
  },
  suspendedStaff: {
    archive: ['suspended-staff', 'Staff whose access is suspended.'],
    exported: { as: 'suspendedRole', single: true, columns: ['role', 'suspendedAt'] },
  },
  userPreferences: { archive: ['preferences', 'Answers from onboarding.'], exported: 'preferences' },
  customField: { archive: ['custom-fields', 'Fields that the publisher added to members.'] },
  customFieldValues: {
    archive: ['custom-field-values', 'Values of these fields, by field id. `tokens` is for filters.'],
    exported: 'customFields',
  },
  businessProfile: {
    archive: ['business-profiles', 'What members entered about their business.'],
    exported: 'businessProfile',
  },
  businessLocation: { archive: ['locations', 'Locations of members.'], exported: 'businessProfile' },
  deadline: {
    archive: ['deadlines', 'Dates that members must not miss.'],
    exported: {
      as: 'deadlines',
      columns: ['kind', 'title', 'locationId', 'dueOn', 'leadDays', 'yearly', 'done', 'createdAt', 'updatedAt'],
      order: ['dueOn'],
    },
  },
  storeMoney: {
    archive: ['store-money', 'Money that members found, by store, month and source.'],
    exported: {
      as: 'moneyFound',
      of: 'ownerId',
      columns: ['month', 'source', 'cents', 'note', 'at as enteredAt'],
      order: ['month', 'source'],
    },
  },
  promptAnswer: { archive: ['prompt-answers', 'Answers to blanks in prompts.'], exported: 'businessProfile' },
  emailPreferences: {
    archive: [
      'email-consents',
      'Which emails a member receives and whether opens and clicks may be counted. A member without a row receives weekly drops, product news, follow-ups and emails about assignments and deadlines, without tracking.',
    ],
    exported: {
      as: 'emailPreferences',
      single: true,
      columns: [
        'drops',
        'news',
        'followUps',
        'assignments',
        'replies',
        'timeZone',
        'dropTime',
        'usualHour',
        'allowsTracking',
        'freeSince',
        'freeSource',
        'updatedAt',
        'unsubscribedAt',
      ],
    },
  },
  newsletter: { archive: ['newsletters', 'Newsletters that the publisher added.'] },
  newsletterSubscription: {
    archive: [
      'newsletter-subscriptions',
      'Who is subscribed to them and who unsubscribed. A member without a row was never subscribed.',
    ],
    exported: 'newsletterSubscriptions',
  },
  billingCustomer: { archive: ['stripe-customers', 'Stripe customer ids.'], exported: 'billing' },
  importedStripeCustomer: {
    archive: ['imported-stripe-customers', 'Stripe customer ids as imported files name them, unverified.'],
    exported: { as: 'importedStripeCustomer', single: true, columns: ['stripeCustomerId'] },
  },
  adoptedPrice: { archive: ['adopted-prices', 'Stripe prices of other products, with the plan they count as.'] },
  subscriptionState: {
    archive: [
      'plans',
      'Plans as Stripe reported them last: subscription, product and price ids, prices, status and periods.',
    ],
    exported: {
      as: 'subscription',
      single: true,
      columns: [
        'stripeSubscriptionId',
        'status',
        'productId',
        'priceId',
        'priceCents',
        'priceCurrency',
        'priceInterval',
        'priceIntervalCount',
        'quantity',
        'seatsAfterRenewal',
        'seatsPaid',
        'seatsChangeAt',
        'startedAt',
        'discountEndsAt',
        'currentPeriodStart',
        'currentPeriodEnd',
        'cancelAt',
        'pauseStartsAt',
        'pauseEndsAt',
        'endedAt',
        'unpaidSince',
        'invoiceDueAt',
        'entitledUntil',
        'trialUsed',
        'cardExpiresAt',
        'syncedAt as syncedFromStripeAt',
      ],
    },
  },
  complimentaryAccess: {
    archive: ['complimentary-access', 'Access that was granted without a plan.'],
    exported: { as: 'complimentaryAccess', single: true, columns: ['until', 'grantedAt'] },
  },
  trialUsage: {
    archive: ['trials-used', 'Keyed hashes of addresses that had a trial. They only match with the same SECRET_KEY.'],
    exported: { leftOut: 'hashes of email addresses; the subscription says whether a trial was used' },
  },
  trialCardUsage: {
    archive: [
      'trial-cards-used',
      'Keyed hashes of cards that were used for a trial. They only match with the same SECRET_KEY.',
    ],
  },
  purchaseConsent: {
    archive: ['purchase-consents', 'What buyers were shown before checkout, and whether they agreed.'],
    exported: {
      as: 'purchaseConsents',
      columns: ['terms', 'priceCents', 'currency', 'interval', 'agreed', 'waived', 'createdAt as at'],
      order: ['createdAt'],
    },
  },
  withdrawal: {
    archive: ['withdrawals', 'Withdrawals from purchases, with their receipts and refunds.'],
    exported: 'withdrawals',
  },
  billingNotice: {
    archive: ['billing-notices', 'Billing emails that were sent, so that none is repeated.'],
    exported: { as: 'billingEmails', columns: ['reason', 'createdAt as at'] },
  },
  duplicateSubscription: {
    archive: ['canceled-duplicates', 'Second plans of one member that were found, and what was done about them.'],
    exported: {
      as: 'duplicateSubscriptions',
      columns: ['subscriptionId as stripeSubscriptionId', 'outcome', 'refundedCents', 'currency', 'detectedAt'],
    },
  },
  revenueCustomer: {
    archive: ['revenue-customers', 'Stripe customers with revenue records.'],
    exported: { leftOut: 'when those totals were computed' },
  },
  revenueChange: {
    archive: ['revenue-changes', 'Changes of recurring revenue.'],
    exported: { leftOut: 'totals of invoices, which are exported' },
  },
  revenueInvoice: { archive: ['invoices', 'Invoices, with amounts in cents.'], exported: 'billing' },
  revenueMonthlyTotal: { archive: ['revenue-by-month', 'Sums of the revenue records by month and plan.'] },
  revenueCohortTotal: { archive: ['revenue-by-cohort', 'Customers and payments by the month of the first payment.'] },
  revenueCurrencyMonth: {
    archive: ['revenue-by-currency-and-month', 'The sums by month and plan in currencies other than US dollars.'],
  },
  revenueCurrencyCohort: {
    archive: [
      'revenue-by-currency-and-cohort',
      'Customers and payments by the month of the first payment in currencies other than US dollars.',
    ],
  },
  plan: { archive: ['plan-terms', 'Plans on sale and retired ones, with their product and price at Stripe.'] },
  offer: { archive: ['offers', 'Offers: codes with discounts, and their promotion codes at Stripe.'] },
  revenueOfferTotal: { archive: ['revenue-by-offer', 'Customers, payments and discounts by promotion code.'] },
  revenueCurrencyOffer: {
    archive: [
      'revenue-by-currency-and-offer',
      'Customers, payments and discounts by promotion code in currencies other than US dollars.',
    ],
  },
  planCancellation: { archive: ['cancellations', 'Canceled plans and the reasons given.'], exported: 'billing' },
  retentionOffer: {
    archive: ['retention-offers', 'What members who wanted to cancel were offered, and what they took.'],
    exported: 'billing',
  },
  gift: { archive: ['gifts', 'Gifts that were bought, with their state and payment at Stripe.'], exported: 'gifts' },
  purchase: {
    archive: ['purchases', 'Access that members paid for once, with its payment at Stripe.'],
    exported: 'purchases',
  },
  giftLink: { archive: ['gift-links', 'Links with which you give access, without their tokens.'] },
  giftLinkUse: { archive: ['gift-link-uses', 'Who used a gift link. Addresses are keyed hashes.'], exported: 'gifts' },
  referral: {
    archive: [
      'referrals',
      'Members brought by members, with the credits for both. Addresses and cards are keyed hashes.',
    ],
    exported: 'referrals',
  },
  renewalOffer: {
    archive: ['renewal-offers', 'Free months that renewal emails offered.'],
    exported: {
      as: 'renewalOffers',
      columns: ['renewsAt', 'cents', 'currency', 'createdAt as offeredAt', 'takenAt'],
      order: ['renewsAt'],
    },
  },
  priceMove: { archive: ['price-moves', 'Moves of a plan’s members to a new price, with the notice that they got.'] },
  priceMoveMember: {
    archive: ['price-move-members', 'Earlier and new price of each member who was to be moved, and from when.'],
    exported: 'priceChanges',
  },
  teamSeat: { archive: ['team-seats', 'Team members. The owner has seat 1, without a row.'], exported: 'team' },
  formerTeamMember: {
    archive: ['former-team-members', 'Who left a team or was removed, by a hash of the mailbox.'],
    exported: { leftOut: 'that the account was in a team that it left, by a hash; the security log is exported' },
  },
  seatRequest: {
    archive: ['seat-requests', 'Who asks a team’s owner for seats.'],
    exported: { as: 'seatRequests', columns: ['seats', 'requestedAt', 'declinedAt'] },
  },
  teamSeatLocation: { archive: ['team-seat-locations', 'Locations of team members.'], exported: 'team' },
  teamAssignment: { archive: ['team-assignments', 'What teams assigned to whom.'], exported: 'assignments' },
  assignmentNotice: {
    archive: ['assignment-notices', 'Who was emailed about which assignment, so that no one is again.'],
    exported: 'assignmentEmails',
  },
  assignmentReminder: {
    archive: ['assignment-reminders', 'Reminders of assignments that were sent.'],
    exported: 'assignmentEmails',
  },
  assignmentSummary: {
    archive: ['assignment-summaries', 'The week of the last summary that someone got of what they assigned.'],
    exported: 'assignmentEmails',
  },
  taskOpening: {
    archive: ['task-openings', 'Names of those who opened a task by its link.'],
    exported: 'taskLinks',
  },
  taskAnswer: {
    archive: ['task-answers', 'What was checked off and asked by task links. Photos aren’t part of it.'],
    exported: 'taskLinks',
  },
  teamCollectionItem: { archive: ['team-collections', 'Items that teams share.'], exported: 'assignments' },
  franchisorRules: {
    archive: ['franchisor-rules', 'What members recorded about their franchisor’s rules.'],
    exported: {
      as: 'franchisorRules',
      columns: ['topic', 'rule', 'note', 'saidOn', 'at as recordedAt'],
      order: ['topic'],
    },
  },
  savedItems: {
    archive: ['saved-items', 'Items that members saved. `saved` is false once removed.'],
    exported: { as: 'savedItems', columns: ['kind', 'itemId as id', 'saved', 'at'], order: ['at desc'] },
  },
  collections: {
    archive: ['collections', 'Collections of members.'],
    exported: { as: 'collections', columns: ['id', 'name', 'deleted', 'at'] },
  },
  collectionItems: {
    archive: ['collection-items', 'Items in the collections.'],
    exported: { as: 'collectionItems', columns: ['collectionId', 'kind', 'itemId as id', 'member', 'at'] },
  },
  readingState: {
    archive: ['reading', 'What members read, and where they stopped.'],
    exported: { as: 'reading', columns: ['kind', 'itemId as id', 'readAt', 'position', 'positionAt', 'finishedAt'] },
  },
  listeningPosition: {
    archive: ['listening', 'Where members stopped listening to a recording.'],
    exported: { as: 'listening', columns: ['issueId as drop', 'seconds', 'at'], order: ['at'] },
  },
  recordingDownload: {
    archive: ['recording-downloads', 'Who listened to or downloaded which recording on which day.'],
    exported: { as: 'recordingDownloads', columns: ['issueId as drop', 'day'], order: ['day', 'issueId'] },
  },
  readerVisits: {
    archive: ['reader-visits', 'When members last opened the list of drops.'],
    exported: { as: 'visits', columns: ['startedAt', 'previousAt'] },
  },
  comment: {
    archive: ['answers', 'What readers wrote under drops, with replies (`parentId`) and what was hidden.'],
    exported: {
      as: 'answersUnderDrops',
      columns: [
        'issueId as drop',
        'parentId as replyTo',
        'text',
        'state',
        'isQuestion',
        'helpful',
        'createdAt',
        'editedAt',
      ],
      order: ['createdAt'],
    },
  },
  commentAuthor: {
    archive: ['answer-names', 'Names that readers show beside what they write under drops.'],
    exported: {
      as: 'nameBesideAnswers',
      single: true,
      columns: ['name', 'chosenAt', 'suspendedAt'],
    },
  },
  commentMark: {
    archive: ['answer-marks', 'Which answers readers found helpful or reported.'],
    exported: {
      as: 'markedAnswers',
      columns: ['commentId as answer', 'kind', 'reason', 'at'],
      order: ['at'],
    },
  },
  firstWeek: {
    archive: ['first-weeks', 'Steps of the first week.'],
    exported: { as: 'firstWeek', single: true, columns: ['startedAt', 'startPageAt', 'dismissedAt'] },
  },
  tries: {
    archive: ['tries', 'What members tried and said about it.'],
    exported: {
      as: 'tries',
      columns: [
        'kind',
        'itemId as id',
        'startedAt',
        'outcome',
        'minutesPerWeek',
        'note',
        'sharedAt as noteSharedAt',
        'answeredAt',
        'removedAt',
        'countedOutcome',
        'askedAt',
      ],
      order: ['startedAt'],
    },
  },
  tryDays: {
    archive: ['try-days', 'The last answer of each day.'],
    exported: {
      as: 'earlierAnswers',
      columns: ['kind', 'itemId as id', 'day', 'at', 'outcome', 'minutesPerWeek'],
      order: ['at'],
    },
  },
  tryTotals: { archive: ['try-totals', 'Published answers per item.'] },
  readerWage: {
    archive: ['wages', 'The hourly wage that members entered for the value page.'],
    exported: { as: 'wage', single: true, columns: ['cents', 'at'] },
  },
  pollVotes: {
    archive: ['poll-votes', 'Votes of members in the polls of drops.'],
    exported: { as: 'pollVotes', columns: ['issueId as drop', 'answer', 'at'], order: ['at'] },
  },
  questionAnswers: {
    archive: ['question-answers', 'What members answered to the questions of drops.'],
    exported: { as: 'answersToQuestions', columns: ['id', 'issueId as drop', 'question', 'text', 'at'], order: ['at'] },
  },
  emailReplies: { archive: ['email-replies', 'What members replied to emails.'], exported: 'repliesByEmail' },
  itemVotes: {
    archive: ['item-votes', 'Whether members found drops and guides useful, and why.'],
    exported: { as: 'votes', columns: ['kind', 'itemId as id', 'useful', 'why', 'at'], order: ['at'] },
  },
  itemUses: {
    archive: ['item-uses', 'What members copied or downloaded.'],
    exported: { as: 'itemUses', columns: ['kind', 'itemId as id', 'use', 'firstAt', 'lastAt'], order: ['firstAt'] },
  },
  seenChanges: {
    archive: ['seen-changes', 'Changes of items that members dismissed.'],
    exported: { as: 'dismissedChanges', columns: ['kind', 'itemId as id', 'version'] },
  },
  segments: {
    archive: ['segments', 'Groups of members that were put together by hand.'],
    edited: createdBy('segments', 'name'),
  },
  segmentMembers: { archive: ['segment-members', 'Members of the segments.'], exported: 'segments' },
  memberTags: {
    archive: ['member-tags', 'Tags that staff put on members.'],
    exported: { as: 'tags', columns: ['tag', 'addedAt'], order: ['tag'] },
  },
  memberViews: { archive: ['member-views', 'Saved filters of the members list.'] },
  // Leaves out the authors, who are other people.
  memberNotes: {
    archive: ['member-notes', 'Notes of staff about members.'],
    exported: { as: 'staffNotes', columns: ['text', 'createdAt', 'updatedAt'], order: ['createdAt', 'id'] },
  },
  mailings: {
    archive: ['mailings', 'Newsletter mailings with their frozen content.'],
    edited: createdBy('mailings', 'subject'),
  },
  deliveries: {
    archive: ['deliveries', 'Recipients of the mailings, with status and feedback.'],
    exported: 'newsletters',
  },
  // Without `segmentVersion`, the next look stores who is in the segment, and these members don't enter.
  series: {
    archive: [
      'series',
      'Series of emails: what starts each, and its steps. After an import, those that were on are paused.',
    ],
    without: ['segmentVersion'],
  },
  seriesEntry: { archive: ['series-entries', 'Members in the series, and where each of them is.'], exported: 'series' },
  seriesStepResult: {
    archive: ['series-results', 'Which steps of a series members took, so that none is repeated.'],
    exported: 'series',
  },
  seriesMailing: { archive: ['series-mailings', 'Which mailings sent the emails of the series.'] },
  emailedChanges: {
    archive: ['emailed-changes', 'Which changes a mailing told a member about.'],
    exported: { as: 'emailedChanges', columns: ['kind', 'itemId as id', 'version', 'mailingId'] },
  },
  emailEvents: { archive: ['email-events', 'Bounces, complaints, opens and clicks.'], exported: 'newsletters' },
  mailingCounts: {
    archive: ['mailing-counts', 'Deliveries and feedback of each mailing, counted.'],
    filledByTriggers: true,
  },
  mailingHours: { archive: ['mailing-hours', 'What happened to each mailing by hour.'], filledByTriggers: true },
  mailingLinks: { archive: ['mailing-links', 'Clicks on each link of a mailing.'], filledByTriggers: true },
  suppressions: {
    archive: ['suppressions', 'Addresses that get no newsletter email, and since when.'],
    exported: 'suppressions',
  },
  retainedSuppressions: {
    archive: [
      'retained-suppressions',
      'Suppressions of deleted accounts, as keyed hashes. They only match with the same SECRET_KEY.',
    ],
  },
  memberSources: {
    archive: ['member-sources', 'Where members came from when they signed up and began to pay.'],
    exported: {
      as: 'source',
      single: true,
      columns: ['firstSource', 'firstCampaign', 'firstPath', 'firstAt', 'lastSource', 'lastCampaign', 'lastAt'],
    },
  },
  accountEmails: {
    archive: ['account-emails', 'Account and billing emails of the last 90 days.'],
    exported: 'accountEmails',
  },

  ...tablesOutsideArchive,
}

export type RegisteredTable = TableEntry<string> & { table: PgTable }

const tables: Tables = schema

/** All tables, with what is done with each. */
export const tableRegistry: readonly RegisteredTable[] = Object.entries<TableEntry<string>>(entries).map(
  ([name, entry]) => ({ ...entry, table: tables[name as keyof Tables] }),
)
