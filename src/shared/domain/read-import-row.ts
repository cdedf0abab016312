import { z } from 'zod'
import { normalizeEmail } from './email-address.ts'
import { type ImportField, type ImportMapping, type ImportSource, importedAnswers } from './import-fields.ts'
import { instantOf } from './zoned-time.ts'

/** Whether the member may get email. Only `subscribed` gets any; `pending` hasn't confirmed the subscription yet. */
export type ImportedMailStatus = 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'

export type ImportedMember = {
  /** Lower case. */
  email: string
  name: string | null
  /** ISO 8601; null if the file doesn't say. */
  joinedAt: string | null
  mail: ImportedMailStatus
  /** Whether the source says that the member confirmed the address. */
  confirmed: boolean
  complimentary: boolean
  complimentaryUntil: string | null
  stripeCustomerId: string | null
  /** Pays, or has paid, through Stripe as far as the file says. */
  paying: boolean
  tags: string[]
  note: string | null
  answers: Partial<Record<(typeof importedAnswers)[number], string>>
}

export type ReadImportRow = { member: ImportedMember; problem: null } | { member: null; problem: string; email: string }

/** Whether 05/04/2023 is May 4 (`month-first`) or April 5. `unknown` refuses it. */
export type DateOrder = 'month-first' | 'day-first' | 'unknown'

type Format = {
  source: ImportSource
  mapping: ImportMapping
  now: Date
  /** Mailchimp names its files after what they contain. */
  fileName?: string
  dateOrder?: DateOrder
  /** Of the times of files that don't come from a known service; the services export UTC. */
  timeZone?: string
}

const maxEmailLength = 254
const maxNameLength = 100
const maxNoteLength = 2_000
const maxTagLength = 40
const maxTags = 20
const maxAnswerLength = 200
const emailSchema = z.email()

/** Reads one line. Refuses what it can't interpret instead of guessing whether someone may get email. */
export function readImportRow(values: readonly string[], format: Format): ReadImportRow {
  const { source, mapping, now, fileName = '', dateOrder = 'month-first', timeZone = 'UTC' } = format

  const text = (field: ImportField): string => {
    const column = mapping[field]
    return column === undefined ? '' : cleanText(values[column] ?? '')
  }
  const email = normalizeEmail(text('email'))
  const refuse = (problem: string): ReadImportRow => ({ member: null, problem, email: email.slice(0, maxEmailLength) })
  try {
    if (email === '') return refuse('There is no email address in this line.')
    if (/^[^\s@]*[^\0-\x7f][^\s@]*@/.test(email)) {
      return refuse('The part before the @ has letters that email can’t be sent to.')
    }
    if (email.length > maxEmailLength || !emailSchema.safeParse(email).success) {
      return refuse('This is not an email address.')
    }
    if (email.endsWith('@deletion-request.substack.com')) return refuse('This person asked to be deleted.')
    const date = (field: ImportField) =>
      readDate(field, text(field), { dateOrder, timeZone: source === 'other' ? timeZone : 'UTC' })
    if (isDateOrYes(text('deletedAt'))) return refuse('This member was deleted before the export.')
    const status = readStatus(source, text('status'))
    const mail = readMailStatus({
      status: status.mail ?? unsaid({ source, fileName, text, mapping }),
      subscribed: readYesOrNo('subscribed', text('subscribed')),
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
          stripeCustomerId !== '' || (source !== 'patreon' && !isComplimentary && isPaid(`${plan} ${text('status')}`)),
        tags: [
          ...new Set([...readTags(text('tags')), ...readTags(planNames.has(plan.toLowerCase()) ? '' : plan)]),
        ].slice(0, maxTags),
        note: text('note').slice(0, maxNoteLength) || null,
        answers: Object.fromEntries(
          importedAnswers
            .map((field): [string, string] => [field, text(field).slice(0, maxAnswerLength)])
            .filter(([, answer]) => answer !== ''),
        ),
      },
    }
  } catch (error) {
    if (error instanceof Unreadable) return refuse(error.message)
    throw error
  }
}

class Unreadable extends Error {}

/** Replaces control characters, which the database or an email can't contain, and surplus spaces. */
const cleanText = (value: string) =>
  value
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\ufeff]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Services whose status tells members who have yet to confirm from those who did. */
const tellsPending: ReadonlySet<ImportSource> = new Set<ImportSource>(['buttondown', 'beehiiv'])

type Status = { mail: ImportedMailStatus | null; complimentary: boolean }

const words = (mail: ImportedMailStatus, list: readonly string[]) =>
  list.map((word): [string, ImportedMailStatus] => [word, mail])

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
  ...words('subscribed', [
    'trialed',
    'trialing',
    'gifted',
    'churning',
    'churned',
    'unpaid',
    'past_due',
    'past due',
    'comped',
  ]),
  ...words('pending', ['pending', 'unconfirmed', 'unactivated', 'validating', 'needs approval', 'needs_approval']),
  ...words('pending', ['needs attention', 'needs_attention', 'unverified']),
  ...words('unsubscribed', [
    'unsubscribed',
    'inactive',
    'removed',
    'blocked',
    'disabled',
    'opted out',
    'non-subscribed',
    'nonsubscribed',
    'not subscribed',
    'transactional',
    'archived',
    'spammy',
    'deleted',
  ]),
  ...words('bounced', ['bounced', 'cleaned', 'undeliverable', 'invalid', 'hard bounced', 'hard_bounced']),
  ...words('complained', ['complained', 'complaint', 'spam', 'abuse', 'marked as spam']),
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
  const word = text.toLowerCase()
  if (word === '') return { mail: null, complimentary: false }
  const mail = ownStatusWords[source]?.get(word) ?? statusWords.get(word)
  if (!mail) throw new Unreadable(`The status “${text.slice(0, 40)}” is unknown.`)
  return { mail, complimentary: word === 'gifted' || word === 'comped' }
}

type Unsaid = { source: ImportSource; fileName: string; text: (field: ImportField) => string; mapping: ImportMapping }

/** What a line without a status means. Only a file that has no such column may be a list of subscribers. */
function unsaid({ source, fileName, text, mapping }: Unsaid): ImportedMailStatus | null {
  if (source === 'mailchimp') {
    if (/^cleaned/i.test(fileName)) return 'bounced'
    const isOther = /^(non[-_ ]?subscribed|unsubscribed)/i.test(fileName)
    return isOther || (text('confirmedAt') === '' && text('joinedAt') === '') ? 'unsubscribed' : null
  }
  const columns = (['status', 'subscribed'] as const).filter((field) => mapping[field] !== undefined)
  return columns.length > 0 && columns.every((field) => text(field) === '') ? 'unsubscribed' : null
}

type MailFacts = {
  status: ImportedMailStatus | null
  subscribed: boolean | null
  emailDisabled: boolean | null
  isUnsubscribed: boolean
  isBounced: boolean
}

/** If columns disagree, the strictest counts. */
function readMailStatus({
  status,
  subscribed,
  emailDisabled,
  isUnsubscribed,
  isBounced,
}: MailFacts): ImportedMailStatus {
  if (status === 'complained') return 'complained'
  if (status === 'bounced' || isBounced) return 'bounced'
  if (status === 'unsubscribed' || subscribed === false || emailDisabled === true || isUnsubscribed)
    return 'unsubscribed'
  return status ?? 'subscribed'
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 'on', 't'])
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', 'off', 'f'])
const isYesOrNo = (text: string) => yes.has(text.toLowerCase()) || no.has(text.toLowerCase())

/** @returns null for an empty cell. @throws Unreadable */
function readYesOrNo(field: ImportField, text: string): boolean | null {
  const word = text.toLowerCase()
  if (word === '') return null
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new Unreadable(`“${text.slice(0, 40)}” is neither yes nor no (${field}).`)
}

/** A column that contains a date once something has happened. */
const isDateOrYes = (text: string) => text !== '' && !no.has(text.toLowerCase())

/** Free access that the publisher gave. */
const isPaid = (words: string) => /\b(paid|premium|founding|monthly|yearly|annual)\b/i.test(words)
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

/** Year first; or day, month and year by dots; or by slashes or hyphens, in either order. */
const datePatterns = {
  yearFirst: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[ ,T])/,
  dots: /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=$|[ ,T])/,
  slashes: /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?=$|[ ,T])/,
}
const timePattern = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([ap]m)?\s*(?:UTC|Z)?$/i

type DateFormat = { dateOrder: DateOrder; timeZone: string }

/**
 * Times without a zone are in `timeZone`; a day without a time is that day in UTC.
 * @returns null for an empty cell. @throws Unreadable
 */
function readDate(field: ImportField, text: string, { dateOrder, timeZone }: DateFormat): Date | null {
  if (text === '') return null
  const unreadable = (why = 'can’t be read') => new Unreadable(`The date “${text.slice(0, 40)}” ${why} (${field}).`)
  const found = findDay(text)
  if (!found) {
    const written = new Date(text)
    if (Number.isNaN(written.getTime())) throw unreadable()
    // Words such as “May 3, 2021 12:00” are read in the server's zone, unless they name one.
    const isZoned = /(?:\b(?:UTC|GMT|[ECMP][SD]T)|[+-]\d{2}:?\d{2}|\dZ)\)?$/i.test(text)
    const wall = new Date(`${text} UTC`)
    return requirePlausible(
      isZoned || Number.isNaN(wall.getTime()) ? written : inZone(wall, timeZone, text),
      unreadable,
    )
  }
  if (found.isAmbiguous && dateOrder === 'unknown') {
    throw unreadable('can be read as month/day or day/month. Choose which one it is')
  }
  const [month, dayOfMonth] =
    found.isAmbiguous && dateOrder === 'day-first' ? [found.second, found.first] : [found.first, found.second]
  const day = `${found.year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const midnight = new Date(`${day}T00:00:00Z`)
  // `new Date` moves February 30 to March 1.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) throw unreadable()
  const rest = text.slice(found.length).replace(/^[ ,T]+/, '')
  if (rest === '') return requirePlausible(midnight, unreadable)
  const [, hours = '', minutes = '', seconds = '00', half = ''] = timePattern.exec(rest) ?? []
  if (hours === '') {
    const zoned = new Date(`${day}T${toTime(rest)}`)
    return requirePlausible(zoned, unreadable)
  }
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours)
  const wall = new Date(`${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}Z`)
  return requirePlausible(/(?:UTC|Z)$/i.test(rest) ? wall : inZone(wall, timeZone, text), unreadable)
}

function requirePlausible(date: Date, unreadable: () => Unreadable): Date {
  const year = date.getUTCFullYear()
  // Not true for an invalid date either.
  if (!(year >= 1990 && year < 2200)) throw unreadable()
  return date
}

/** What a clock in the zone shows as an instant. Days without a time stay in UTC. */
const inZone = (wall: Date, timeZone: string, text: string): Date =>
  timeZone === 'UTC' || !text.includes(':') || Number.isNaN(wall.getTime())
    ? wall
    : new Date(instantOf(wall.toISOString().slice(0, -1), timeZone))

type FoundDay = { year: string; first: string; second: string; isAmbiguous: boolean; length: number }

/** Month first, unless the day is known to be first. */
function findDay(text: string): FoundDay | null {
  const yearFirst = datePatterns.yearFirst.exec(text)
  if (yearFirst) {
    const [all, year = '', first = '', second = ''] = yearFirst
    return { year, first, second, isAmbiguous: false, length: all.length }
  }
  const dots = datePatterns.dots.exec(text)
  if (dots) {
    const [all, second = '', first = '', year = ''] = dots
    return { year, first, second, isAmbiguous: false, length: all.length }
  }
  const [all = '', first = '', second = '', year = ''] = datePatterns.slashes.exec(text) ?? []
  return year ? { year, first, second, isAmbiguous: true, length: all.length } : null
}

/**
 * Watches the dates of a file, of which one shows whether the month or the day comes first. `unknown` if there are dates
 * by slashes and none does, or two contradict each other.
 */
export function createDateOrderDetector(mapping: ImportMapping) {
  const columns = (['joinedAt', 'confirmedAt', 'complimentaryUntil'] as const).flatMap((field) => mapping[field] ?? [])
  let isMonthFirst = false
  let isDayFirst = false
  return {
    read(values: readonly string[]) {
      for (const column of columns) {
        const found = findDay(cleanText(values[column] ?? ''))
        if (!found?.isAmbiguous) continue
        if (Number(found.first) > 12) isDayFirst = true
        if (Number(found.second) > 12) isMonthFirst = true
      }
    },
    end: (): DateOrder => (isMonthFirst === isDayFirst ? 'unknown' : isDayFirst ? 'day-first' : 'month-first'),
  }
}

const readName = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, maxNameLength) || null

/**
 * Separated by semicolons if there is one, else by commas. With quotation marks, as in Mailchimp's files, by both outside
 * of them. Lower case, as `memberTagSchema` stores tags.
 */
const readTags = (text: string): string[] =>
  (text.match(text.includes('"') ? /(?:"[^"]*"|[^,;])+/g : text.includes(';') ? /[^;]+/g : /[^,]+/g) ?? [])
    .map((tag) =>
      tag.normalize('NFC').replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase().slice(0, maxTagLength).trim(),
    )
    .filter((tag) => tag !== '')

const toTime = (text: string) => (text === '' ? '00:00' : /^\d:/.test(text) ? `0${text}` : text)
