import type { CustomField } from './custom-fields.ts'
import { isEmailAddress, normalizeEmail } from './email-address.ts'
import { findPermissionColumns, foldWord as normalize, type PermissionKind } from './email-permission.ts'
import type { Questions } from './preferences.ts'
import type { QuestionName } from './question-terms.ts'
import { questionName, questionNames } from './questions.ts'

/** Meanings that a column of a member import can have. */
export const importFields = {
  email: 'Email address',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  joinedAt: 'Date joined',
  originallyJoinedAt: 'Date joined at an earlier service',
  status: 'Status (such as active, unsubscribed)',
  listStatus: 'Another status (the strictest counts)',
  subscribed: 'Subscribed (yes or no)',
  emailDisabled: 'Email turned off (yes or no)',
  unsubscribedAt: 'Date unsubscribed',
  bouncedAt: 'Date bounced or cleaned',
  confirmedAt: 'Address confirmed (date, or yes)',
  complimentary: 'Complimentary (yes or no)',
  complimentaryUntil: 'Complimentary until',
  gift: 'Gift (any value is complimentary)',
  plan: 'Plan or tier',
  stripeCustomerId: 'Stripe customer id',
  tags: 'Tags or labels',
  newsletters: 'Newsletters (names)',
  note: 'Note',
  deletedAt: 'Date deleted',
  business_type: 'Type of business',
  brand: 'Brand',
  city: 'City',
  location_count: 'Number of locations',
  focusAreas: 'Focus areas',
  aiLevel: 'AI level',
  goals: 'Goals',
  franchiseType: 'Franchise type',
} as const satisfies Record<string, string> & Record<QuestionName, string>
export type ImportField = keyof typeof importFields
export const importFieldNames = Object.keys(importFields) as [ImportField, ...ImportField[]]

/** Answers that go to the member's business profile. */
export const importedAnswers = ['business_type', 'brand', 'city', 'location_count'] as const satisfies ImportField[]

/** What a column means, in lists. Questions have the publisher's names. */
export const importFieldLabel = (publication: Questions, field: ImportField): string =>
  isQuestion(field) ? questionName(publication, field) : importFields[field]

const isQuestion = (field: ImportField): field is QuestionName => questionNames.some((question) => question === field)

/** A field of the publisher, by its id. */
export type CustomImportField = `field:${number}`
export const customImportField = (id: number): CustomImportField => `field:${id}`

/** Column numbers by field, from 0. */
export type ImportMapping = Partial<Record<ImportField | CustomImportField, number>>

export const importSources = [
  'own',
  'ghost',
  'substack',
  'beehiiv',
  'buttondown',
  'mailchimp',
  'patreon',
  'other',
] as const
export type ImportSource = (typeof importSources)[number]

export const importSourceNames: Record<ImportSource, string> = {
  own: 'your own export',
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

/** Stands for names such as “Subscription Date (Substack)”, which beehiiv adds when it imports. */
const earlierService = 'subscription date at another service'

/** docs/importing.md names the documentation that each preset follows. */
const presets: Record<Exclude<ImportSource, 'other'>, Preset> = {
  own: {
    signatures: [['email', 'email suppressed', 'last active']],
    columns: {
      email: ['email'],
      name: ['name'],
      joinedAt: ['joined'],
      status: ['status'],
      subscribed: ['gets email'],
      bouncedAt: ['email suppressed'],
      confirmedAt: ['email confirmed'],
      plan: ['plan'],
      tags: ['tags'],
      newsletters: ['newsletters'],
      location_count: [],
    },
  },
  ghost: {
    signatures: [['email', 'subscribed to emails', 'complimentary plan']],
    columns: {
      email: ['email'],
      name: ['name'],
      note: ['note'],
      subscribed: ['subscribed to emails'],
      complimentary: ['complimentary plan'],
      gift: ['gift id'],
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
      status: ['email marketing status', 'email marketing', 'subscription status', 'member status', 'status'],
      tags: ['tags'],
      note: ['notes'],
    },
  },
  substack: {
    signatures: [
      ['email', 'active subscription'],
      ['email', 'email disabled'],
      ['email', 'stripe plan', 'start date'],
    ],
    columns: {
      email: ['email'],
      name: ['name'],
      emailDisabled: ['email disabled'],
      joinedAt: ['created at', 'start date'],
      complimentaryUntil: ['expiry'],
      plan: ['plan', 'stripe plan', 'type'],
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
      joinedAt: ['created at', 'subscribed at', 'created', 'subscription created'],
      originallyJoinedAt: [
        ...['original created at', 'original subscribed at', 'original subscription date', 'original signup date'],
        ...['original date', earlierService],
      ],
      unsubscribedAt: ['unsubscribed at'],
      plan: ['premium tier names', 'premium tiers', 'premium tier', 'tiers', 'tier', 'subscription tier'],
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

const names = (list: string) => list.trim().split(/,\s+/)

/** Common names, for files that no preset knows. */
const usualColumns: Partial<Record<ImportField, readonly string[]>> = {
  email: names(`
    email, email address, e mail, e mail address, mail, subscriber email, user email, member email, customer email,
    contact email, primary email, emailaddress, emails, subscriber, e mail adresse, mailadresse, emailadresse,
    mail adresse, adresse e mail, adresse email, adresse mail, courriel, correo, correo electronico,
    direccion de correo electronico, indirizzo email, indirizzo e mail, e mailadres, emailadres, endereco de email,
    endereco de e mail, e post, epost, e postadress, adres e mail, adres email, почта
  `),
  name: names('name, full name, display name, customer name, member name, subscriber name'),
  firstName: names(`
    first name, firstname, given name, vorname, prenom, nombre, nome, voornaam, fornamn, fornavn, imie, имя
  `),
  lastName: names(`
    last name, lastname, surname, family name, nachname, nom, nom de famille, apellido, apellidos, cognome,
    achternaam, sobrenome, efternamn, etternavn, efternavn, nazwisko, фамилия
  `),
  joinedAt: names(`
    joined, joined at, created at, created, signup date, sign up date, subscribed at, date added, date joined,
    join date, joined date, registered, registered at, registration date, date registered, user registered,
    member since, subscriber since, subscribed on, subscribed date, date subscribed, subscription date, opt in date,
    opt in time, optin time, signed up, signed up at, signup at, subscription time, subscribe date, anmeldedatum,
    angemeldet am, registriert am, erstellt am, eintragungsdatum, date d inscription, inscrit le, date d abonnement,
    fecha de alta, fecha de suscripcion, fecha de registro, data di iscrizione, inschrijfdatum, aangemeld op,
    data de inscricao, data de cadastro, data zapisu, creation date, date created, created on, create date,
    created date, added, added at, added on
  `),
  // Those of email first: a membership can be active without it.
  status: names(`
    email status, email marketing status, email marketing, email subscription status, marketing status,
    email subscriber status, subscriber status, subscription status, opt in status, mailing status, status, state,
    subscriber state, contact status, member status, membership status, account status
  `),
  subscribed: names(`
    subscribed, subscribed to emails, is subscribed, opted in, opt in, email opt in, accepts marketing,
    accepts email marketing, email consent, marketing consent, email marketing consent
  `),
  unsubscribedAt: names(`
    unsubscribed at, unsubscribe date, unsub time, opt out date, unsubscribed, unsubscribed on, unsubscribed date,
    date unsubscribed, unsubscription date, opted out, opt out, opted out at, email opt out, email disabled,
    unsubscribed from all email, do not email, suppressed, suppressed at
  `),
  bouncedAt: names(`
    bounced at, bounce date, cleaned at, bounced, hard bounced, hard bounce, cleaned, clean time, bounced on,
    undeliverable
  `),
  confirmedAt: names(`
    confirmed at, confirmed, confirm time, email verified, email verified at, email confirmed, confirmation date,
    confirmation time, confirmed on, email confirmed at, double opt in
  `),
  complimentary: names('complimentary, comp, complimentary plan'),
  complimentaryUntil: names('complimentary until'),
  plan: names(`
    plan, tier, tiers, subscription, plan name, stripe plan, subscription plan, subscription tier, membership,
    memberships, membership level, membership plan, level, product, products
  `),
  stripeCustomerId: names('stripe customer id, customer id, stripe id, stripe customer'),
  tags: names(`
    tags, labels, segments, groups, tag, label, etiquetas, etiquettes, schlagworter, etichette, gruppen, lists, list,
    liste, listen, listes, lista, listas, lijst, lijsten
  `),
  newsletters: names('newsletters, newsletter'),
  note: names('note, notes, comment, comments, notiz, notizen, notas, remarques'),
  deletedAt: names('deleted at, deleted, date deleted'),
  business_type: names('trade, business type, type of business, industry, vertical'),
  brand: names('brand, franchise, company'),
  city: names('city, town, stadt, ort, ville, ciudad'),
  location_count: names('locations, location count, number of locations, stores'),
}

/** Returns true if a file's header has this column for addresses. */
export const isEmailColumn = (column: string) => usualColumns.email?.includes(normalize(column)) ?? false

/** The service that exports files with this header line. */
export function detectImportSource(header: readonly string[]): ImportSource {
  // Merge fields and addresses have names in the publisher's language.
  const present = new Set([...header.map(normalize), ...(header.some(isEmailColumn) ? ['email', 'email address'] : [])])
  const matches = ({ signatures }: Preset) => signatures.some((columns) => columns.every((name) => present.has(name)))
  return importSources.find((source) => source !== 'other' && matches(presets[source])) ?? 'other'
}

/** The columns that the source's documented names, or else common names, assign to fields, and names of the publisher's fields. */
export function suggestImportMapping(
  header: readonly string[],
  source: ImportSource,
  fields: readonly Pick<CustomField, 'id' | 'key' | 'label'>[] = [],
  publication: Questions = { questions: {} },
  samples: readonly (readonly string[])[] = [],
): ImportMapping {
  const names = header.map((name) =>
    /\b(date|at)\b.*\([^)]+\)\s*$/i.test(name) && source === 'beehiiv' ? earlierService : normalize(name),
  )
  const columns = source === 'other' ? {} : presets[source].columns
  const permissions = findPermissionColumns(header, samples)
  const mapping: ImportMapping = suggestQuestions(names, publication)
  const used = new Set(Object.values(mapping))
  for (const field of importFieldNames) {
    const candidates = [...(columns[field] ?? []), ...(columns[field]?.length === 0 ? [] : (usualColumns[field] ?? []))]
    const index = candidates
      .map((name) => names.indexOf(name))
      .find(
        (found) =>
          found >= 0 && !used.has(found) && fits(field, samples.map((row) => row[found] ?? '').filter(Boolean)),
      )
    if (index === undefined) continue
    mapping[field] = index
    used.add(index)
  }
  if (mapping.email === undefined) {
    const isAddress = (cell = '') => isEmailAddress(normalizeEmail(cell))
    const index = names.findIndex((_, column) => !used.has(column) && samples.some((row) => isAddress(row[column])))
    if (index >= 0) {
      mapping.email = index
      used.add(index)
    }
  }
  for (const { index, kind, isSure, isClear } of permissions) {
    const field = permissionFields[kind].find((name) => mapping[name] === undefined)
    // Beside a status of email, one of unclear words may be about a membership.
    if (!field || used.has(index) || !(isClear || (isSure && field !== 'listStatus'))) continue
    mapping[field] = index
    used.add(index)
  }
  for (const { id, key, label } of fields) {
    const candidates = [normalize(label), normalize(key), normalize(`field ${key}`)]
    const index = names.findIndex((name, column) => candidates.includes(name) && !used.has(column))
    if (index < 0) continue
    mapping[customImportField(id)] = index
    used.add(index)
  }
  return mapping
}

/** Names that count in files with the questions that every member answers: a column “Goals” alone is something else. */
function suggestQuestions(names: readonly string[], publication: Questions): ImportMapping {
  const columnOf = (question: QuestionName) =>
    names.findIndex(
      (name) => !isEmailColumn(name) && [questionName(publication, question), question].map(normalize).includes(name),
    )
  if (columnOf('focusAreas') < 0 || columnOf('aiLevel') < 0) return {}
  const found = questionNames.flatMap((question) => (columnOf(question) < 0 ? [] : [[question, columnOf(question)]]))
  return Object.fromEntries(found)
}

const permissionFields: Record<PermissionKind, readonly ImportField[]> = {
  status: ['status', 'listStatus'],
  subscribed: ['subscribed', 'status', 'listStatus'],
  unsubscribed: ['unsubscribedAt', 'emailDisabled'],
  bounced: ['bouncedAt', 'unsubscribedAt', 'emailDisabled'],
}

/** False if the samples show that a column of this name is about something else. */
function fits(field: ImportField, samples: readonly string[]): boolean {
  if (samples.length === 0) return true
  const kinds = findPermissionColumns(
    ['newsletter'],
    samples.map((sample) => [sample]),
  )
  if (field === 'newsletters') return kinds.length === 0
  // “Subscribed” can be a date, and “State” a place.
  if (field === 'subscribed') return !samples.every((sample) => /\d{4}/.test(sample))
  if (field === 'status') return kinds.length > 0 || samples.some((sample) => sample.length > 3)
  return true
}

/** Columns that say who gets email, that have no meaning yet, and that the publisher didn't leave out. */
export function unansweredColumns(
  {
    header,
    samples,
    mapping,
  }: { header: readonly string[]; samples: readonly (readonly string[])[]; mapping: ImportMapping },
  leftOut: readonly number[],
): number[] {
  const answered = new Set([...Object.values(mapping), ...leftOut])
  return findPermissionColumns(header, samples).flatMap(({ index }) => (answered.has(index) ? [] : [index]))
}
