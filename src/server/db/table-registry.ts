import { ne, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { restoreHold } from './restore-hold.ts'
import * as schema from './schema/index.ts'

type Schema = typeof schema
type Tables = { [Name in keyof Schema as Schema[Name] extends PgTable ? Name : never]: Schema[Name] }
export type ColumnOf<Table> = Table extends PgTable ? keyof Table['_']['columns'] & string : string

/**
 * Rows of one person. The columns are listed one by one, so that a new column, hash or key never reaches a download by
 * accident.
 */
export type PersonRows<Column extends string = string> = {
  /** Their name in the person's download. */
  as: string
  /** One object instead of a list, null if there is none. */
  single?: true
  /** The column that names the person; default: `userId`. */
  of?: Column
  columns: readonly (Column | `${Column} as ${string}`)[]
  order?: readonly (Column | `${Column} desc`)[]
}

type TableEntry<Column extends string> = {
  /** File in `data/` of the archive and what its README says about it, or why the archive leaves the table out. */
  archive: readonly [file: string, about: string] | string
  /** Columns that the archive leaves out. */
  without?: readonly Column[]
  /** Rows that the archive contains; default: all. */
  where?: SQL
  /** Triggers fill it while other tables are imported. Its own rows replace those. */
  filledByTriggers?: true
  /** False: it is about this instance and its processes, so it isn't part of a backup. */
  backedUp?: false
  /**
   * What a person's download contains: rows, a part that a feature reads (see `exportedData` of its feature.ts), or why the
   * rows about a person are left out. Tables about no one have none.
   */
  exported?: PersonRows<Column> | string | { leftOut: string }
  /** What someone made in the admin, listed in their download by title. The content belongs to the publication. */
  edited?: PersonRows<Column>
}

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
const entries: { readonly [Name in keyof Tables]: TableEntry<ColumnOf<Tables[Name]>> } = {
  // A hold belongs to this installation.
  publicationSettings: {
    archive: ['settings', 'Settings that were changed in the admin, by name.'],
    edited: { as: 'settings', of: 'updatedById', columns: ['name', 'updatedAt as at'], order: ['updatedAt desc'] },
    where: ne(schema.publicationSettings.name, restoreHold),
  },
  publicationSettingVersions: {
    archive: ['setting-versions', 'Earlier versions of the settings.'],
    edited: {
      as: 'settingVersions',
      of: 'createdById',
      columns: ['name', 'createdAt as at'],
      order: ['createdAt desc'],
    },
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
    edited: {
      as: 'documents',
      of: 'updatedById',
      columns: ['kind', 'id', 'updatedAt as at'],
      order: ['updatedAt desc'],
    },
  },
  contentSchedule: {
    archive: ['scheduled-publishing', 'Texts that are to be published later.'],
    edited: {
      as: 'scheduled',
      of: 'createdById',
      columns: ['kind', 'id', 'createdAt as at'],
      order: ['createdAt desc'],
    },
  },
  contentRevision: {
    archive: ['revisions', 'Earlier versions of the documents.'],
    edited: {
      as: 'revisions',
      of: 'createdById',
      columns: ['kind', 'id', 'reason', 'createdAt as at'],
      order: ['createdAt desc'],
    },
  },
  contentBlock: {
    archive: ['blocks', 'Reusable texts. Drops reference one as `{{block:id}}`.'],
    edited: { as: 'blocks', of: 'updatedById', columns: ['id', 'updatedAt as at'], order: ['updatedAt desc'] },
  },
  sitePage: {
    archive: ['pages', 'Pages that were added in the admin, in Markdown, drafts included.'],
    edited: { as: 'pages', of: 'updatedById', columns: ['path', 'updatedAt as at'], order: ['updatedAt desc'] },
  },
  mediaImage: {
    archive: ['images', 'Uploaded images. The files are in `images/`, named by hash.'],
    edited: {
      as: 'images',
      of: 'createdById',
      columns: ['originalName as name', 'createdAt as at'],
      order: ['createdAt desc'],
    },
  },
  guideFile: {
    archive: ['guide-files', 'All uploaded versions of guide files. The files are in `guides/`.'],
    edited: { as: 'guideFiles', of: 'createdById', columns: ['name', 'createdAt as at'], order: ['createdAt desc'] },
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
  promptAnswer: { archive: ['prompt-answers', 'Answers to blanks in prompts.'], exported: 'businessProfile' },
  emailPreferences: {
    archive: [
      'email-consents',
      'Which emails a member receives and whether opens and clicks may be counted. A member without a row receives weekly drops, product news, follow-ups and emails about assignments, without tracking.',
    ],
    exported: {
      as: 'emailPreferences',
      single: true,
      columns: [
        'drops',
        'news',
        'followUps',
        'assignments',
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
        'currentPeriodStart',
        'currentPeriodEnd',
        'cancelAt',
        'pauseStartsAt',
        'pauseEndsAt',
        'endedAt',
        'unpaidSince',
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
  giftLink: { archive: ['gift-links', 'Links with which you give access, without their tokens.'] },
  giftLinkUse: { archive: ['gift-link-uses', 'Who used a gift link. Addresses are keyed hashes.'], exported: 'gifts' },
  referral: {
    archive: [
      'referrals',
      'Members brought by members, with the credits for both. Addresses and cards are keyed hashes.',
    ],
    exported: 'referrals',
  },
  priceMove: { archive: ['price-moves', 'Moves of a plan’s members to a new price, with the notice that they got.'] },
  priceMoveMember: {
    archive: ['price-move-members', 'Earlier and new price of each member who was to be moved, and from when.'],
    exported: 'priceChanges',
  },
  teamSeat: { archive: ['team-seats', 'Team members. The owner has seat 1, without a row.'], exported: 'team' },
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
  readerVisits: {
    archive: ['reader-visits', 'When members last opened the list of drops.'],
    exported: { as: 'visits', columns: ['startedAt', 'previousAt'] },
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
    edited: { as: 'segments', of: 'createdById', columns: ['name', 'createdAt as at'], order: ['createdAt desc'] },
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
    edited: { as: 'mailings', of: 'createdById', columns: ['subject', 'createdAt as at'], order: ['createdAt desc'] },
  },
  deliveries: {
    archive: ['deliveries', 'Recipients of the mailings, with status and feedback.'],
    exported: 'newsletters',
  },
  // Members of its segment are stored again after an import, and don't enter.
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

  // Not in the archive.
  sessions: { archive: 'Secret: sessions. Members sign in again.', exported: 'sessions' },
  refreshTokens: {
    archive: 'Secret: sessions.',
    exported: { leftOut: 'hashes of session tokens; the sessions are exported' },
  },
  mfaAmrClaims: { archive: 'Part of sessions.', exported: 'sessions' },
  mfaFactors: {
    archive: 'Secret: second factors. Members set them up again.',
    exported: {
      as: 'mfaFactors',
      columns: [
        'factorType as type',
        'status',
        'friendlyName as name',
        'phone',
        'createdAt',
        'lastChallengedAt as lastUsedAt',
      ],
    },
  },
  mfaChallenges: {
    archive: 'Secret: second factors.',
    exported: { leftOut: 'two-step challenges that expire within minutes' },
  },
  backupCodes: {
    archive: 'Secret: second factors.',
    exported: { as: 'backupCodes', columns: ['createdAt', 'usedAt'] },
  },
  webauthnCredentials: {
    archive: 'Passkeys work only at the address that they were made for.',
    exported: {
      as: 'passkeys',
      columns: ['friendlyName as name', 'transports', 'backedUp', 'createdAt', 'lastUsedAt'],
    },
  },
  webauthnChallenges: {
    archive: 'Secret: passkeys.',
    exported: { leftOut: 'passkey challenges that expire within minutes' },
  },
  oneTimeTokens: {
    archive: 'Secret: emailed links and codes.',
    exported: { leftOut: 'hashes of email codes that expire within an hour' },
  },
  flowState: {
    archive: 'Secret: emailed links.',
    exported: { leftOut: 'hashes of sign-in codes that expire within minutes' },
  },
  oauthClients: { archive: 'Programs that asked for a connection here.' },
  oauthAuthorizations: {
    archive: 'Requests for a connection, which end within minutes.',
    exported: { leftOut: 'requests for a connection that end within minutes' },
  },
  oauthConsents: { archive: 'Secret: connections. Members connect their assistants again.', exported: 'connections' },
  oauthTokenFamilies: {
    archive: 'Secret: connections.',
    exported: { leftOut: 'hashes of connection tokens; the connections are exported' },
  },
  knownAddresses: { archive: 'IP addresses of the last 90 days, for security only.', exported: 'knownIpAddresses' },
  trustedDevices: {
    archive: 'Part of sessions.',
    exported: { as: 'trustedDevices', columns: ['userAgent', 'createdAt as trustedAt', 'expiresAt as trustedUntil'] },
  },
  signingKeys: { archive: 'Secret: keys of this installation.' },
  auditLogEntries: { archive: 'The security log of this installation, with IP addresses.', exported: 'securityEvents' },
  teamInvitation: { archive: 'Secret: open invitations. Owners invite again.', exported: 'team' },
  staffInvitations: {
    archive: 'Secret: open invitations. Owners invite again.',
    exported: { as: 'staffInvitations', of: 'invitedById', columns: ['email', 'role', 'sentAt'], order: ['email'] },
  },
  shareLinks: {
    archive: 'Secret: links to single items. Members make new ones.',
    exported: {
      as: 'sharedLinks',
      columns: ['kind', 'itemId as id', 'showsBusiness', 'createdAt', 'expiresAt'],
      order: ['createdAt desc'],
    },
  },
  viewAsSessions: {
    archive: 'Secret: sessions of staff. The security log records them.',
    exported: {
      as: 'viewedByStaff',
      columns: ['createdAt as startedAt', 'expiresAt', 'endedAt'],
      order: ['createdAt', 'id'],
    },
  },
  apiKeys: {
    archive: 'Secret: keys of the API. Owners make new ones.',
    edited: { as: 'apiKeys', of: 'createdById', columns: ['name', 'createdAt as at'], order: ['createdAt desc'] },
  },
  apiRequests: { archive: 'Temporary: answers to repeated requests.' },
  webhookEndpoints: { archive: 'Secret: each address has a signing secret. Owners add them again.' },
  webhookEvents: { archive: 'Temporary: events for webhooks.' },
  webhookDeliveries: { archive: 'Temporary: events for webhooks.' },
  webhookAttempts: { archive: 'Temporary: events for webhooks.' },
  pendingCheckout: { archive: 'Open checkouts, which end by themselves.', exported: 'billing' },
  stripeEvent: { archive: 'Stripe keeps its events.', exported: 'billing' },
  memberFacts: {
    archive: 'Copies of other tables, made again by triggers.',
    exported: { leftOut: 'copies of what the account’s other tables contain, for the publisher’s list of members' },
  },
  bulkActions: { archive: 'Changes of many members that can be undone here. What they changed is archived.' },
  bulkActionMembers: {
    archive: 'Part of the changes of many members.',
    exported: { leftOut: 'which changes of many members included this one; the changes themselves are exported' },
  },
  archives: { archive: 'Archives like this one.' },
  backups: { archive: 'Backups of this installation.', backedUp: false },
  backfills: { archive: 'Progress of updates of this server.' },
  memberImports: { archive: 'Uploaded files with members. Those imported are in the archive.' },
  memberImportChunks: { archive: 'Uploaded files with members.' },
  memberImportRows: {
    archive: 'Uploaded files with members.',
    exported: { leftOut: 'lines of an uploaded file, deleted when the import ends; refused ones after 30 days' },
  },
  stripeAdoption: { archive: 'Temporary: lists of subscriptions read from Stripe.' },
  stripeAdoptionSubscription: { archive: 'Temporary: lists of subscriptions read from Stripe.' },
  postImports: { archive: 'Uploaded files with posts. What came of them is in the archive.' },
  postImportItems: { archive: 'Uploaded files with posts.' },
  staffEvent: { archive: 'Temporary: what the next emails to staff are about.' },
  seriesEvent: {
    archive: 'Temporary: what may make members enter a series, for a minute.',
    exported: { leftOut: 'facts that make someone enter a series, deleted within minutes; the series are exported' },
  },
  seriesSegmentMember: {
    archive: 'Temporary: who is in the segments that series wait for.',
    exported: { leftOut: 'who matches a saved filter, compared every 15 minutes; the series are exported' },
  },
  staffEmailSent: { archive: 'Temporary: when staff last got an email.' },
  replyMailbox: { archive: 'How far the mailbox of replies has been read by this server.' },
  rateLimits: { archive: 'Temporary: rate limits.' },
  leases: { archive: 'Temporary: locks between nodes.', backedUp: false },
  senders: { archive: 'Temporary: running sender processes.' },
  throttleUsage: { archive: 'Temporary: emails per minute.' },
  memberFeeds: {
    archive: 'Secret: addresses of feeds. Members get new ones.',
    exported: { as: 'feed', single: true, columns: ['changedAt'] },
  },
  pageVisits: { archive: 'Counts of the last 90 days at this address.' },
  visitors: { archive: 'Temporary: where visitors of today came from.' },
  counters: { archive: 'Counted again by triggers.' },
  searchVocabulary: { archive: 'Computed from the content.' },
}

export type RegisteredTable = TableEntry<string> & { table: PgTable }

const tables: Tables = schema

/** All tables, with what is done with each. */
export const tableRegistry: readonly RegisteredTable[] = Object.entries<TableEntry<string>>(entries).map(
  ([name, entry]) => ({ ...entry, table: tables[name as keyof Tables] }),
)
