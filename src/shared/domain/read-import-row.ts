import { z } from 'zod'
import { type ImportField, type ImportMapping, type ImportSource, importedAnswers } from './import-fields.ts'

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
  tags: string[]
  note: string | null
  answers: Partial<Record<(typeof importedAnswers)[number], string>>
}

export type ReadImportRow = { member: ImportedMember; problem: null } | { member: null; problem: string; email: string }

type Format = { source: ImportSource; mapping: ImportMapping; now: Date }

const maxEmailLength = 254
const maxNameLength = 100
const maxNoteLength = 2_000
const maxTagLength = 40
const maxTags = 20
const maxAnswerLength = 200
const emailSchema = z.email()

/** Reads one line. Refuses what it can't interpret instead of guessing whether someone may get email. */
export function readImportRow(values: readonly string[], { source, mapping, now }: Format): ReadImportRow {
  const text = (field: ImportField): string => {
    const column = mapping[field]
    return column === undefined ? '' : cleanText(values[column] ?? '')
  }
  const email = text('email').toLowerCase()
  const refuse = (problem: string): ReadImportRow => ({ member: null, problem, email: email.slice(0, maxEmailLength) })
  try {
    if (email === '') return refuse('There is no email address in this line.')
    if (email.length > maxEmailLength || !emailSchema.safeParse(email).success) {
      return refuse('This is not an email address.')
    }
    if (email.endsWith('@deletion-request.substack.com')) return refuse('This person asked to be deleted.')
    const date = (field: ImportField) => readDate(field, text(field))
    if (isDateOrYes(text('deletedAt'))) return refuse('This member was deleted before the export.')
    const status = readStatus(source, text('status'))
    const mail = readMailStatus({
      status: status.mail,
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

/** Times without a zone are UTC, as the services export them. Slashes are read as month/day/year. */
function readDate(field: ImportField, text: string): Date | null {
  if (text === '') return null
  const [, month, dayOfMonth, year, rest = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ ,T]+(.*))?$/.exec(text) ?? []
  const plain = year ? `${year}-${month?.padStart(2, '0')}-${dayOfMonth?.padStart(2, '0')} ${rest}`.trim() : text
  const [, day, time = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(?:UTC|Z)?$/.exec(plain) ?? []
  const parsed = new Date(day ? `${day}T${toTime(time)}Z` : plain)
  const isPlausible = parsed.getUTCFullYear() >= 1990 && parsed.getUTCFullYear() < 2200
  // `new Date` moves February 30 to March 1.
  const isReal = isPlausible && (!day || parsed.toISOString().startsWith(day))
  if (!isReal) throw new Unreadable(`The date “${text.slice(0, 40)}” can’t be read (${field}).`)
  return parsed
}

const readName = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, maxNameLength) || null

/** Separated by commas or semicolons; Mailchimp adds quotation marks. Lower case, as `memberTagSchema` stores tags. */
const readTags = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((tag) =>
      tag.normalize('NFC').replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase().slice(0, maxTagLength).trim(),
    )
    .filter((tag) => tag !== '')

const toTime = (text: string) => (text === '' ? '00:00' : /^\d:/.test(text) ? `0${text}` : text)
