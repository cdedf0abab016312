import { type CustomField, type FieldValue, type FieldValues, hasOptions } from './custom-fields.ts'
import { directionOverrides } from './direction-overrides.ts'
import { isEmailAddress, maxEmailLength, normalizeEmail } from './email-address.ts'
import {
  customImportField,
  type ImportField,
  type ImportMapping,
  type ImportSource,
  importedAnswers,
} from './import-fields.ts'
import type { Questions } from './preferences.ts'
import { findOption } from './questions.ts'
import { readFieldValue } from './read-field-value.ts'
import { type ImportedPreferences, readImportAnswers } from './read-import-answers.ts'
import { type DateFormat, type DateOrder, dateOrderOf, readImportDate } from './read-import-date.ts'

/** True if the member may get email. Only `subscribed` gets any; `pending` hasn't confirmed the subscription yet. */
export type ImportedMailStatus = 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'

export type ImportedMember = {
  /** Lower case. */
  email: string
  name: string | null
  /** ISO 8601; null if the file doesn't say. */
  joinedAt: string | null
  mail: ImportedMailStatus
  /** True if the source says that the member confirmed the address. */
  confirmed: boolean
  complimentary: boolean
  complimentaryUntil: string | null
  stripeCustomerId: string | null
  /** Pays, or has paid, through Stripe as far as the file says. */
  paying: boolean
  tags: string[]
  /** Ids of newsletters that the publisher added; missing if the file doesn't say. */
  newsletters?: number[]
  note: string | null
  answers: Partial<Record<(typeof importedAnswers)[number], string>>
  /** Answers to the questions at sign-up; missing without any. */
  preferences?: ImportedPreferences
  /** Values of the publisher's fields, by id. Lines that were read earlier have none. */
  fields?: FieldValues
}

export type ReadImportRow = { member: ImportedMember; problem: null } | { member: null; problem: string; email: string }

type Format = {
  source: ImportSource
  mapping: ImportMapping
  now: Date
  /** Mailchimp names its files after what they contain. */
  fileName?: string
  dateOrder?: DateOrder
  /** The publisher's fields that columns can be mapped to. */
  fields?: readonly CustomField[]
  /** Newsletters that a line can name. */
  newsletters?: readonly { id: number; name: string }[]
  /** The questions as the publisher asks them. */
  publication?: Questions
  /** Time zone of files that don't come from a known service; the services export UTC. */
  timeZone?: string
}

const maxNameLength = 100
const maxNoteLength = 2_000
const maxTagLength = 40
const maxTags = 20
const maxAnswerLength = 200

/** Reads one line. Refuses what it can't interpret instead of guessing whether someone may get email. */
export function readImportRow(values: readonly string[], format: Format): ReadImportRow {
  const { source, mapping, now, fileName = '', dateOrder = 'month-first', timeZone = 'UTC', fields = [] } = format
  const { publication = { questions: {} } } = format

  const cellOf = (column: number | undefined) => (column === undefined ? '' : cleanText(values[column] ?? ''))
  const text = (field: ImportField): string => {
    const cell = cellOf(mapping[field])
    return noValue.test(cell) && !nameFields.has(field) ? '' : cell
  }
  const readFields = (): FieldValues =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const cell = cellOf(mapping[customImportField(field.id)])
        return cell === '' || noValue.test(cell) ? [] : [[field.id, readFieldCell(field, cell, dateOrder)]]
      }),
    )
  const email = readEmail(text('email'))
  const refuse = (problem: string): ReadImportRow => ({ member: null, problem, email: cut(email, maxEmailLength) })
  try {
    if (email === '') return refuse('There is no email address in this line.')
    if (/^[^\s@]*[^\0-\x7f][^\s@]*@/.test(email)) {
      return refuse('The part before the @ has letters that email can’t be sent to.')
    }
    if (!isEmailAddress(email)) {
      return refuse('This is not an email address.')
    }
    if (email.endsWith('@deletion-request.substack.com')) return refuse('This person asked to be deleted.')
    const date = (field: ImportField) =>
      readDate(field, text(field), { dateOrder, timeZone: source === 'other' ? timeZone : 'UTC' })
    if (isDateOrYes(text('deletedAt'))) return refuse('This member was deleted before the export.')
    const status = readStatus(source, text('status'))
    const mail = readMailStatus({
      status: status.mail ?? unsaid({ source, fileName, text, mapping }),
      subscribed: readSubscribed(source, text('subscribed')),
      emailDisabled: readYesOrNo('emailDisabled', text('emailDisabled')),
      isUnsubscribed: isDateOrYes(text('unsubscribedAt')),
      isBounced: isDateOrYes(text('bouncedAt')),
    })
    const plan = text('plan')
    const confirmedAt = text('confirmedAt')
    const joinedAt = date('joinedAt') ?? (isYesOrNo(confirmedAt) ? null : date('confirmedAt'))
    const stripeCustomerId = text('stripeCustomerId')
    if (stripeCustomerId && !/^cus_[A-Za-z0-9_]{1,60}$/.test(stripeCustomerId)) {
      return refuse('The Stripe customer id doesn’t look like cus_….')
    }
    const answered = readImportAnswers(publication, (question) => {
      const cell = cellOf(mapping[question])
      return noValue.test(cell) && !findOption(publication, question, cell) ? '' : cell
    })
    if (answered.problem !== null) return refuse(answered.problem)
    const isComplimentary =
      readYesOrNo('complimentary', text('complimentary')) === true || status.complimentary || givesFreeAccess(plan)
    return {
      problem: null,
      member: {
        email,
        name: readName(text('name') || `${text('firstName')} ${text('lastName')}`),
        joinedAt: joinedAt === null ? null : (joinedAt > now ? now : joinedAt).toISOString(),
        mail,
        confirmed:
          mail === 'subscribed' && (isDateOrYes(confirmedAt) || (tellsPending.has(source) && text('status') !== '')),
        complimentary: isComplimentary,
        complimentaryUntil: isComplimentary ? (date('complimentaryUntil')?.toISOString() ?? null) : null,
        stripeCustomerId: stripeCustomerId || null,
        paying:
          stripeCustomerId !== '' ||
          (source !== 'patreon' && !isComplimentary && (isPaid(plan) || isPaid(text('status')))),
        tags: [
          ...new Set([...readTags(text('tags')), ...readTags(planNames.has(plan.toLowerCase()) ? '' : plan)]),
        ].slice(0, maxTags),
        ...(mapping.newsletters !== undefined && {
          newsletters: readNewsletters(text('newsletters'), format.newsletters ?? []),
        }),
        note: cut(text('note'), maxNoteLength) || null,
        answers: Object.fromEntries(
          importedAnswers
            .map((field): [string, string] => [field, cut(text(field), maxAnswerLength)])
            .filter(([, answer]) => answer !== ''),
        ),
        ...(answered.preferences && { preferences: answered.preferences }),
        ...(fields.length > 0 && { fields: readFields() }),
      },
    }
  } catch (error) {
    if (error instanceof Unreadable) return refuse(error.message)
    throw error
  }
}

class Unreadable extends Error {}

/** @throws Unreadable for a name that no newsletter has */
function readNewsletters(cell: string, known: readonly { id: number; name: string }[]): number[] {
  const names = cell.split(/[;,]/).flatMap((name) => name.trim() || [])
  return names.map((name) => {
    const found = known.find((each) => each.name.toLowerCase() === name.toLowerCase())
    if (!found) throw new Unreadable(`“${cut(name, 40)}” isn’t one of your newsletters.`)
    return found.id
  })
}

/** The value in a cell. Options are named by their text or key, also retired ones. @throws Unreadable */
function readFieldCell(field: CustomField, cell: string, dateOrder: DateOrder): FieldValue {
  const optionOf = (word: string) =>
    field.options.find(({ key, label }) => [key, label.toLowerCase()].includes(word.trim().toLowerCase()))?.key
  const separator = cell.includes(';') ? ';' : ','
  const words = hasOptions(field.kind) && optionOf(cell) === undefined ? cell.split(separator) : [cell]
  const number = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell) ? cell.replaceAll(',', '') : cell
  const given: Record<CustomField['kind'], () => unknown> = {
    text: () => cell,
    choice: () => words.map(optionOf),
    choices: () => words.map(optionOf),
    number: () => Number(number),
    date: () => readDate(field.label, cell, { dateOrder, timeZone: 'UTC' })?.toISOString().slice(0, 10),
    yes_no: () => readYesOrNo(field.label, cell),
  }
  const value = given[field.kind]()
  const read = readFieldValue(field, value, Array.isArray(value) ? value : null)
  if ('value' in read && read.value !== null) return read.value
  throw new Unreadable(
    hasOptions(field.kind)
      ? `“${cut(cell, 40)}” isn’t an option of “${field.label}”.`
      : `“${cut(cell, 40)}” can’t be read (${field.label}).`,
  )
}

/** Replaces control characters, which the database or an email can't contain, and surplus spaces. */
const cleanText = (value: string) =>
  value
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\ufeff]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** As `slice`, without half a character at the end, which the database can't store. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** How databases and spreadsheets write that there is no value. */
const noValue =
  /^(null|nil|none|n\/?a|nan|undefined|never|\\n|[-–—]+|0000-00-00.*|(1970-01-01|0001-01-01)([ T]00:00(:00)?.*)?)$/i
/** Null and None are names of people, too. */
const nameFields: ReadonlySet<ImportField> = new Set(['name', 'firstName', 'lastName'])

/** Also from a link or `Ana <ana@example.com>`, and without invisible characters. */
function readEmail(text: string): string {
  const visible = text.replace(/[\u00ad\u200b-\u200f\u2060]/g, '').replace(/^mailto:/i, '')
  return normalizeEmail(/<([^<>]+)>$/.exec(visible)?.[1] ?? visible)
}

/** Services whose status tells members who have yet to confirm from those who did. */
const tellsPending: ReadonlySet<ImportSource> = new Set<ImportSource>(['buttondown', 'beehiiv'])

type Status = { mail: ImportedMailStatus | null; complimentary: boolean }

const words = (mail: ImportedMailStatus, list: readonly string[]) =>
  list.map((word): [string, ImportedMailStatus] => [word, mail])

/** Removes hyphens and underscores. */
const statusWords = new Map<string, ImportedMailStatus>([
  ...words('subscribed', [
    'active',
    'subscribed',
    'enabled',
    'confirmed',
    'member',
    'regular',
    'premium',
    'paid',
    'free',
  ]),
  ...words('subscribed', ['trialed', 'trialing', 'gifted', 'churning', 'churned', 'unpaid', 'past due', 'comped']),
  ...words('subscribed', ['opted in', 'opt in', 'single opt in', 'double opt in']),
  ...words('pending', ['pending', 'unconfirmed', 'unactivated', 'validating', 'needs approval', 'needs attention']),
  ...words('pending', ['unverified', 'not confirmed', 'waiting', 'upcoming']),
  ...words('unsubscribed', ['unsubscribed', 'unsubscribe', 'inactive', 'removed', 'blocked', 'disabled', 'deleted']),
  ...words('unsubscribed', [
    'opted out',
    'opt out',
    'non subscribed',
    'nonsubscribed',
    'not subscribed',
    'never subscribed',
  ]),
  ...words('unsubscribed', [
    'transactional',
    'archived',
    'spammy',
    'suppressed',
    'blocklisted',
    'blacklisted',
    'banned',
  ]),
  // A membership or subscription that ended says nothing about email.
  ...words('unsubscribed', [
    'canceled',
    'cancelled',
    'expired',
    'suspended',
    'stopped',
    'lapsed',
    'refunded',
    'paused',
  ]),
  ...words('unsubscribed', ['incomplete', 'incomplete expired', 'former', 'ended', 'failed', 'declined', 'on hold']),
  ...words('bounced', ['bounced', 'cleaned', 'undeliverable', 'invalid', 'hard bounced', 'hard bounce', 'bounce']),
  ...words('complained', ['complained', 'complaint', 'spam', 'abuse', 'marked as spam', 'spam complaint']),
])

/** Where a service means something else by a word. */
const ownStatusWords: Partial<Record<ImportSource, ReadonlyMap<string, ImportedMailStatus>>> = {
  // Email stops while paused; at Buttondown only the payments do.
  beehiiv: new Map(words('unsubscribed', ['paused'])),
  buttondown: new Map(words('subscribed', ['paused'])),
  patreon: new Map([
    ...words('subscribed', ['active patron', 'declined patron', 'free member', 'free trial', 'follower']),
    ...words('unsubscribed', ['former patron', 'fraud', 'refunded']),
  ]),
}

/** @throws Unreadable for an unknown word: it may mean that the member must not get email */
function readStatus(source: ImportSource, text: string): Status {
  const word = text.toLowerCase().replace(/[\s_-]+/g, ' ')
  if (word === '') return { mail: null, complimentary: false }
  const mail = ownStatusWords[source]?.get(word) ?? statusWords.get(word)
  if (!mail) throw new Unreadable(`The status “${cut(text, 40)}” is unknown.`)
  return { mail, complimentary: word === 'gifted' || word === 'comped' }
}

type Unsaid = { source: ImportSource; fileName: string; text: (field: ImportField) => string; mapping: ImportMapping }

/** Meaning of a line without a status. Only a file that has no such column may be a list of subscribers. */
function unsaid({ source, fileName, text, mapping }: Unsaid): ImportedMailStatus | null {
  const columns = (['status', 'subscribed'] as const).filter((field) => mapping[field] !== undefined)
  if (columns.length > 0 && columns.some((field) => text(field) !== '')) return null
  if (/(^|[^a-z])(cleaned|bounced?)/i.test(fileName)) return 'bounced'
  if (columns.length > 0 || namesOthers.test(fileName)) return 'unsubscribed'
  return source === 'mailchimp' && text('confirmedAt') === '' && text('joinedAt') === '' ? 'unsubscribed' : null
}

/** Names of files with people who don't get email. */
const namesOthers =
  /(^|[^a-z])(non[-_ ]?subscribe|not[-_ ]subscribed|unsubscribe|suppress|opt(ed)?[-_ ]?out|inactive|complain)/i

type MailFacts = {
  status: ImportedMailStatus | null
  subscribed: ImportedMailStatus | null
  emailDisabled: boolean | null
  isUnsubscribed: boolean
  isBounced: boolean
}

const byStrictness: readonly ImportedMailStatus[] = ['complained', 'bounced', 'unsubscribed', 'pending']

/** If columns disagree, the strictest counts. */
function readMailStatus({
  status,
  subscribed,
  emailDisabled,
  isUnsubscribed,
  isBounced,
}: MailFacts): ImportedMailStatus {
  const said = new Set([status, subscribed])
  if (isBounced) said.add('bounced')
  if (emailDisabled || isUnsubscribed) said.add('unsubscribed')
  return byStrictness.find((mail) => said.has(mail)) ?? 'subscribed'
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 'on', 't'])
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', 'off', 'f'])
const isYesOrNo = (text: string) => yes.has(text.toLowerCase()) || no.has(text.toLowerCase())

/** @returns null for an empty cell. @throws Unreadable */
function readYesOrNo(field: string, text: string): boolean | null {
  const word = text.toLowerCase()
  if (word === '') return null
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new Unreadable(`“${cut(text, 40)}” is neither yes nor no (${field}).`)
}

/** Yes, no, or a status. @throws Unreadable */
function readSubscribed(source: ImportSource, text: string): ImportedMailStatus | null {
  if (text !== '' && !isYesOrNo(text) && statusWords.has(text.toLowerCase().replace(/[\s_-]+/g, ' '))) {
    return readStatus(source, text).mail
  }
  const answer = readYesOrNo('subscribed', text)
  return answer === null ? null : answer ? 'subscribed' : 'unsubscribed'
}

/** A column that contains a date once something has happened. */
const isDateOrYes = (text: string) => text !== '' && !no.has(text.toLowerCase())

/** Names of plans that cost something, also as prices, and statuses of subscriptions that go on. */
const isPaid = (text: string) =>
  /\b(paid|paying|premium|founding|founder|lifetime|month(ly)?|year(ly)?|annual(ly)?|churning|trialing|past[ _]due)\b|[$€£] ?[1-9]/i.test(
    text,
  ) && !/\b(free|not paid)\b/i.test(text)

/** Free access that the publisher gave. */
const givesFreeAccess = (plan: string) => /\b(comp|comped|complimentary|gift|gifted)\b/i.test(plan)

/** Plans that say no more than the status. They don't become tags. */
const planNames: ReadonlySet<string> = new Set([
  '',
  'free',
  'paid',
  'premium',
  'other',
  'none',
  'default',
  'false',
  'true',
  'comp',
  'gift',
  'complimentary',
])

/** @returns null for an empty cell. @throws Unreadable */
function readDate(field: string, text: string, format: DateFormat): Date | null {
  const unreadable = (why: string) => new Unreadable(`The date “${cut(text, 40)}” ${why} (${field}).`)
  const date = text === '0' ? null : readImportDate(text, format)
  if (date === 'ambiguous') throw unreadable('can be read as month/day or day/month. Choose which one it is')
  if (date === 'unreadable') throw unreadable('can’t be read')
  return date
}

/**
 * Watches the dates of a file, of which one shows whether the month or the day comes first. `unknown` if there are dates
 * by slashes and none does, or two contradict each other.
 */
export function createDateOrderDetector(mapping: ImportMapping) {
  const columns = (['joinedAt', 'confirmedAt', 'complimentaryUntil'] as const).flatMap((field) => mapping[field] ?? [])
  const orders = new Set<DateOrder>()
  return {
    read(values: readonly string[]) {
      for (const column of columns) {
        const order = dateOrderOf(cleanText(values[column] ?? ''))
        if (order) orders.add(order)
      }
    },
    end: (): DateOrder => (orders.size === 1 ? ([...orders][0] ?? 'unknown') : 'unknown'),
  }
}

const readName = (text: string) =>
  cut(text.replaceAll(directionOverrides, '').replace(/\s+/g, ' ').trim(), maxNameLength) || null

/**
 * Separated by semicolons or else by bars if there is one, else by commas. With quotation marks, as in Mailchimp's files, by
 * semicolons and commas outside of them. Brackets are those of lists. Lower case, as `memberTagSchema` stores tags.
 */
function readTags(given: string): string[] {
  const text = given.replace(/^\[(.*)\]$|^\{(.*)\}$/s, '$1$2')
  const separated = text.includes('"')
    ? /(?:"[^"]*"|[^,;])+/g
    : text.includes(';')
      ? /[^;]+/g
      : text.includes('|')
        ? /[^|]+/g
        : /[^,]+/g
  return (text.match(separated) ?? [])
    .map((tag) =>
      cut(tag.normalize('NFC').replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase(), maxTagLength).trim(),
    )
    .filter((tag) => tag !== '')
}
