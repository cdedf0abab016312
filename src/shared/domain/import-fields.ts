/** What a column of a member import can mean. */
export const importFields = {
  email: 'Email address',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  joinedAt: 'Date joined',
  status: 'Status (such as active, unsubscribed)',
  subscribed: 'Gets email (yes or no)',
  emailDisabled: 'Email turned off (yes or no)',
  unsubscribedAt: 'Date unsubscribed',
  bouncedAt: 'Date bounced or cleaned',
  confirmedAt: 'Address confirmed (date, or yes)',
  complimentary: 'Complimentary (yes or no)',
  complimentaryUntil: 'Complimentary until',
  plan: 'Plan or tier',
  stripeCustomerId: 'Stripe customer id',
  tags: 'Tags or labels',
  note: 'Note',
  deletedAt: 'Date deleted',
  business_type: 'Type of business',
  brand: 'Brand',
  city: 'City',
  location_count: 'Number of locations',
} as const
export type ImportField = keyof typeof importFields
export const importFieldNames = Object.keys(importFields) as [ImportField, ...ImportField[]]

/** Answers that go to the member's business profile. */
export const importedAnswers = ['business_type', 'brand', 'city', 'location_count'] as const satisfies ImportField[]

/** Column numbers by field, from 0. */
export type ImportMapping = Partial<Record<ImportField, number>>

export const importSources = ['ghost', 'substack', 'beehiiv', 'buttondown', 'mailchimp', 'patreon', 'other'] as const
export type ImportSource = (typeof importSources)[number]

export const importSourceNames: Record<ImportSource, string> = {
  ghost: 'Ghost',
  substack: 'Substack',
  beehiiv: 'beehiiv',
  buttondown: 'Buttondown',
  mailchimp: 'Mailchimp',
  patreon: 'Patreon',
  other: 'Another CSV file',
}

type Preset = {
  /** Recognized if the header has all columns of one of these lists. */
  signatures: readonly (readonly string[])[]
  /** Possible columns by field, the first match counts. */
  columns: Partial<Record<ImportField, readonly string[]>>
}

/** docs/importing.md names the documentation that each preset follows. */
const presets: Record<Exclude<ImportSource, 'other'>, Preset> = {
  ghost: {
    signatures: [['email', 'subscribed to emails', 'complimentary plan']],
    columns: {
      email: ['email'],
      name: ['name'],
      note: ['note'],
      subscribed: ['subscribed to emails'],
      complimentary: ['complimentary plan'],
      stripeCustomerId: ['stripe customer id'],
      joinedAt: ['created at'],
      deletedAt: ['deleted at'],
      tags: ['labels'],
      plan: ['tiers', 'products'],
    },
  },
  mailchimp: {
    signatures: [
      ['email address', 'optin time'],
      ['email address', 'leid'],
      ['email', 'optin time', 'leid'],
    ],
    columns: {
      email: ['email address', 'email'],
      firstName: ['first name'],
      lastName: ['last name'],
      joinedAt: ['optin time'],
      confirmedAt: ['confirm time'],
      unsubscribedAt: ['unsub time'],
      bouncedAt: ['clean time'],
      tags: ['tags'],
      note: ['notes'],
    },
  },
  substack: {
    signatures: [
      ['email', 'active subscription'],
      ['email', 'email disabled'],
    ],
    columns: {
      email: ['email'],
      name: ['name'],
      emailDisabled: ['email disabled'],
      joinedAt: ['created at'],
      complimentaryUntil: ['expiry'],
      plan: ['plan', 'type'],
      stripeCustomerId: ['stripe connected customer id', 'stripe customer id'],
    },
  },
  buttondown: {
    signatures: [
      ['email address', 'creation date', 'type'],
      ['email', 'creation date', 'subscriber type'],
      ['email', 'creation date', 'type'],
    ],
    columns: {
      email: ['email address', 'email'],
      status: ['type', 'subscriber type'],
      joinedAt: ['creation date'],
      unsubscribedAt: ['unsubscription date'],
      bouncedAt: ['undeliverability date'],
      complimentaryUntil: ['gift expiration date'],
      stripeCustomerId: ['stripe customer id'],
      tags: ['tags'],
      note: ['notes'],
    },
  },
  beehiiv: {
    signatures: [
      ['email', 'status', 'tier'],
      ['email', 'status', 'subscription tier'],
      ['email', 'status', 'utm source'],
    ],
    columns: {
      email: ['email'],
      firstName: ['first name'],
      lastName: ['last name'],
      status: ['status'],
      joinedAt: ['created at', 'subscribed at'],
      unsubscribedAt: ['unsubscribed at'],
      plan: ['tier', 'subscription tier'],
      stripeCustomerId: ['stripe customer id'],
      tags: ['tags'],
    },
  },
  patreon: {
    signatures: [['email', 'patron status']],
    columns: {
      email: ['email'],
      name: ['name'],
      status: ['patron status'],
      joinedAt: ['patronage since date'],
      plan: ['tier'],
      note: ['additional details'],
    },
  },
}

/** Common names, for files that no preset knows. */
const usualColumns: Partial<Record<ImportField, readonly string[]>> = {
  email: ['email', 'email address', 'e mail', 'e mail address', 'mail', 'subscriber email'],
  name: ['name', 'full name', 'display name'],
  firstName: ['first name', 'firstname', 'given name'],
  lastName: ['last name', 'lastname', 'surname', 'family name'],
  joinedAt: [
    'joined',
    'joined at',
    'created at',
    'created',
    'signup date',
    'sign up date',
    'subscribed at',
    'date added',
  ],
  status: ['status', 'state', 'subscriber status'],
  subscribed: ['subscribed', 'subscribed to emails', 'opted in', 'opt in'],
  unsubscribedAt: ['unsubscribed at', 'unsubscribe date', 'unsub time', 'opt out date'],
  bouncedAt: ['bounced at', 'bounce date', 'cleaned at'],
  confirmedAt: ['confirmed at', 'confirmed', 'confirm time', 'email verified'],
  complimentary: ['complimentary', 'comp', 'complimentary plan'],
  complimentaryUntil: ['complimentary until'],
  plan: ['plan', 'tier', 'tiers', 'subscription'],
  stripeCustomerId: ['stripe customer id', 'customer id', 'stripe id', 'stripe customer'],
  tags: ['tags', 'labels', 'segments', 'groups'],
  note: ['note', 'notes', 'comment', 'comments'],
  business_type: ['trade', 'business type', 'type of business', 'industry', 'vertical'],
  brand: ['brand', 'franchise', 'company'],
  city: ['city', 'town'],
  location_count: ['locations', 'location count', 'number of locations', 'stores'],
}

const normalize = (column: string) =>
  column
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')
    .trim()

/** The service that exports files with this header line. */
export function detectImportSource(header: readonly string[]): ImportSource {
  const present = new Set(header.map(normalize))
  const matches = ({ signatures }: Preset) => signatures.some((columns) => columns.every((name) => present.has(name)))
  return importSources.find((source) => source !== 'other' && matches(presets[source])) ?? 'other'
}

/** The columns that the source's documented names, or else common names, assign to fields. */
export function suggestImportMapping(header: readonly string[], source: ImportSource): ImportMapping {
  const names = header.map(normalize)
  const columns = source === 'other' ? usualColumns : presets[source].columns
  const mapping: ImportMapping = {}
  const used = new Set<number>()
  for (const field of importFieldNames) {
    // Columns for answers are never part of a service's export; publishers add them as custom fields.
    const candidates = columns[field] ?? (isAnswer(field) ? usualColumns[field] : undefined) ?? []
    const index = candidates.map((name) => names.indexOf(name)).find((found) => found >= 0 && !used.has(found))
    if (index === undefined) continue
    mapping[field] = index
    used.add(index)
  }
  return mapping
}

const isAnswer = (field: ImportField) => importedAnswers.some((answer) => answer === field)
