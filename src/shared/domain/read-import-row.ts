import { type CustomField, type FieldValue, type FieldValues, hasOptions } from './custom-fields.ts'
import { directionOverrides } from './direction-overrides.ts'
import { isEmailAddress, maxEmailLength, normalizeEmail } from './email-address.ts'
import { foldWord, type ImportedMailStatus, mailStatusOf, readYes } from './email-permission.ts'
import {
  customImportField,
  type ImportField,
  type ImportMapping,
  type ImportSource,
  importedAnswers,
} from './import-fields.ts'
import { memberStatuses } from './member-filter.ts'
import type { Questions } from './preferences.ts'
import { findOption } from './questions.ts'
import { readFieldValue } from './read-field-value.ts'
import { type ImportedPreferences, readImportAnswers } from './read-import-answers.ts'
import { type DateFormat, type DateOrder, dateOrderOf, readImportDate } from './read-import-date.ts'

export type ImportedMember = {
  /** Lower case. */
  email: string
  name: string | null
  /** ISO 8601; null if the file doesn't say. */
  joinedAt: string | null
  mail: ImportedMailStatus
  /** ISO 8601; missing if the file doesn't say, or in lines that were read earlier. */
  unsubscribedAt?: string
  /** True if the source says that the member confirmed the address. */
  confirmed: boolean
  complimentary: boolean
  complimentaryUntil: string | null
  stripeCustomerId: string | null
  /** Pays, or has paid, through Stripe as far as the file says. */
  paying: boolean
  /** Paid, in a file that names the Stripe customers of others: a group's seat, an app, cash. Nothing at Stripe is theirs. */
  unlinkable?: true
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
  /** Names of the columns. */
  header?: readonly string[]
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
  const { publication = { questions: {} }, header = [] } = format

  const cellOf = (column: number | undefined) =>
    column === undefined ? '' : cleanText(withoutProtection(values[column] ?? ''))
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
    const dateFormat = { dateOrder, timeZone: source === 'other' ? timeZone : 'UTC' }
    const date = (field: ImportField) => readDate(field, text(field), dateFormat)
    if (isDateOrYes(text('deletedAt'))) return refuse('This member was deleted before the export.')
    const status = readStatus(source, text('status'))
    const mail = readMailStatus({
      statuses: [
        status.mail ?? unsaid({ source, fileName, text, mapping }),
        readStatus(source, text('listStatus')).mail,
      ],
      subscribed: readSubscribed(source, text('subscribed')),
      emailDisabled: isDateOrYes(text('emailDisabled')),
      isUnsubscribed: isDateOrYes(text('unsubscribedAt')),
      isBounced: isDateOrYes(text('bouncedAt')),
    })
    const plan = text('plan')
    // One that can't be read still says that they unsubscribed.
    const unsubscribedOn = readImportDate(text('unsubscribedAt'), dateFormat)
    const unsubscribedAt = mail === 'subscribed' || typeof unsubscribedOn === 'string' ? null : unsubscribedOn
    const confirmedAt = text('confirmedAt')
    const joinedAt =
      date('originallyJoinedAt') ?? date('joinedAt') ?? (isYesOrNo(confirmedAt) ? null : date('confirmedAt'))
    const stripeCustomerId = text('stripeCustomerId')
    if (stripeCustomerId && !/^cus_[A-Za-z0-9_]{1,60}$/.test(stripeCustomerId)) {
      return refuse('The Stripe customer id doesn’t look like cus_….')
    }
    const answered = readImportAnswers(publication, (question) => {
      const cell = cellOf(mapping[question])
      return noValue.test(cell) && !findOption(publication, question, cell) ? '' : cell
    })
    if (answered.problem !== null) return refuse(answered.problem)
    const tiers = source === 'beehiiv' ? readTierColumns(header, mapping, cellOf) : []
    const isComplimentary =
      readYes(text('complimentary')) === true ||
      isDateOrYes(text('gift')) ||
      status.complimentary ||
      givesFreeAccess(plan)
    const isPaidPlan =
      source !== 'patreon' &&
      !isComplimentary &&
      (isPaid(plan) ||
        tiers.length > 0 ||
        isPaid(text('status')) ||
        (source === 'beehiiv' && plan !== '' && plan.toLowerCase() !== 'free'))
    // Lists that people keep may leave the id out; the exports of services don't.
    const isUnlinkable =
      isPaidPlan && stripeCustomerId === '' && mapping.stripeCustomerId !== undefined && !/^(own|other)$/.test(source)
    const expiry = isComplimentary || isUnlinkable ? (date('complimentaryUntil')?.toISOString() ?? null) : null
    return {
      problem: null,
      member: {
        email,
        name: readName(text('name') || `${text('firstName')} ${text('lastName')}`),
        joinedAt: joinedAt && earlierOf(joinedAt, now),
        mail,
        ...(unsubscribedAt && { unsubscribedAt: earlierOf(unsubscribedAt, now) }),
        confirmed:
          mail === 'subscribed' && (isDateOrYes(confirmedAt) || (tellsPending.has(source) && text('status') !== '')),
        complimentary: isComplimentary || (isUnlinkable && expiry !== null),
        complimentaryUntil: expiry,
        stripeCustomerId: stripeCustomerId || null,
        paying: stripeCustomerId !== '' || (isPaidPlan && !isUnlinkable),
        ...(isUnlinkable && { unlinkable: true }),
        tags: [
          ...new Set([
            ...readTags(text('tags'), source === 'own'),
            ...readTags(source === 'own' || planNames.has(plan.toLowerCase()) ? '' : plan),
            ...tiers.flatMap((tier) => readTags(tier)),
          ]),
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

const earlierOf = (at: Date, now: Date) => (at > now ? now : at).toISOString()

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

/** beehiiv has a column for each paid tier, such as “Gold Tier”, with yes for those who pay for it. */
const readTierColumns = (header: readonly string[], mapping: ImportMapping, cellOf: (column: number) => string) =>
  header.flatMap((name, column) => {
    const [, tier] = /^(.+) tier$/i.exec(name.trim()) ?? []
    return tier && !Object.values(mapping).includes(column) && readYes(cellOf(column)) ? [tier] : []
  })

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

/** Undoes what exports put before a text that a spreadsheet would run as a formula; see `withoutFormula` in `server/http/csv.ts`. */
const withoutProtection = (text: string) =>
  text.replace(/(^|[;\t\r\n])'(?=(?:["']|[^\S\t\r\n])*[=+\-@|%＝＋－＠｜％])/g, '$1')

/** Replaces control characters, which the database or an email can't contain, and surplus spaces. */
const cleanText = (value: string) =>
  value
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\ufeff]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Like `slice`, but without half a character at the end, which the database can't store. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** How databases and spreadsheets write that there is no value. */
const noValue =
  /^(null|nil|none|n\/?a|nan|undefined|never|\\n|[-–—]+|0000-00-00.*|(1970-01-01|0001-01-01)([ T]00:00(:00)?.*)?)$/i
/** Null and None are names of people, too. */
const nameFields: ReadonlySet<ImportField> = new Set(['name', 'firstName', 'lastName'])

/** Reads an address from a cell, a link or `Ana <ana@example.com>`, without invisible characters. */
function readEmail(text: string): string {
  const visible = text.replace(/[\u00ad\u200b-\u200f\u2060]/g, '').replace(/^mailto:/i, '')
  return normalizeEmail(/<([^<>]+)>$/.exec(visible)?.[1] ?? visible)
}

/** Services whose status tells members who have yet to confirm from those who did. */
const tellsPending: ReadonlySet<ImportSource> = new Set<ImportSource>(['buttondown', 'beehiiv'])

type Status = { mail: ImportedMailStatus | null; complimentary: boolean }

const words = (mail: ImportedMailStatus, list: readonly string[]) =>
  list.map((word): [string, ImportedMailStatus] => [word, mail])

/** Where a service means something else by a word. */
const ownStatusWords: Partial<Record<ImportSource, ReadonlyMap<string, ImportedMailStatus>>> = {
  // Email stops while paused; at Buttondown only the payments do.
  beehiiv: new Map(words('unsubscribed', ['paused'])),
  buttondown: new Map(words('subscribed', ['paused'])),
  patreon: new Map([
    ...words('subscribed', ['active patron', 'declined patron', 'free member', 'free trial', 'follower']),
    ...words('unsubscribed', ['former patron', 'fraud', 'refunded']),
  ]),
  // Statuses of members here are about their plan.
  own: new Map(words('subscribed', Object.values(memberStatuses).map(foldWord))),
}

/** A word that isn't known may mean that the member must not get email, so it does. */
function readStatus(source: ImportSource, text: string): Status {
  const word = foldWord(text)
  if (text === '') return { mail: null, complimentary: false }
  const mail = ownStatusWords[source]?.get(word) ?? mailStatusOf(text) ?? 'unsubscribed'
  return { mail, complimentary: word === 'gifted' || word === 'comped' || word === 'complimentary' }
}

type Unsaid = { source: ImportSource; fileName: string; text: (field: ImportField) => string; mapping: ImportMapping }

/** Meaning of a line without a status. Only a file that has no such column may be a list of subscribers. */
function unsaid({ source, fileName, text, mapping }: Unsaid): ImportedMailStatus | null {
  const columns = (['status', 'listStatus', 'subscribed'] as const).filter((field) => mapping[field] !== undefined)
  if (columns.length > 0 && columns.some((field) => text(field) !== '')) return null
  if (/(^|[^a-z])(cleaned|bounced?)/i.test(fileName)) return 'bounced'
  if (columns.length > 0 || namesOthers.test(fileName)) return 'unsubscribed'
  return source === 'mailchimp' && text('confirmedAt') === '' && text('joinedAt') === '' ? 'unsubscribed' : null
}

/** Names of files with people who don't get email. */
const namesOthers =
  /(^|[^a-z])(non[-_ ]?subscribe|not[-_ ]subscribed|unsubscribe|suppress|opt(ed)?[-_ ]?out|inactive|complain|blacklist|blocklist|abgemeldet|abmeld|d[eé]sabonn|d[eé]sinscri|bajas?\b|desuscri|disiscri|uitgeschreven)/i

type MailFacts = {
  statuses: (ImportedMailStatus | null)[]
  subscribed: ImportedMailStatus | null
  emailDisabled: boolean
  isUnsubscribed: boolean
  isBounced: boolean
}

const byStrictness: readonly ImportedMailStatus[] = ['complained', 'bounced', 'unsubscribed', 'pending']

/** If columns disagree, the strictest counts. */
function readMailStatus({
  statuses,
  subscribed,
  emailDisabled,
  isUnsubscribed,
  isBounced,
}: MailFacts): ImportedMailStatus {
  const said = new Set([...statuses, subscribed])
  if (isBounced) said.add('bounced')
  if (emailDisabled || isUnsubscribed) said.add('unsubscribed')
  return byStrictness.find((mail) => said.has(mail)) ?? 'subscribed'
}

const isYesOrNo = (text: string) => readYes(text) !== null

/** @returns null for an empty cell. @throws Unreadable */
function readYesOrNo(field: string, text: string): boolean | null {
  const answer = text === '' ? null : readYes(text)
  if (text !== '' && answer === null) throw new Unreadable(`“${cut(text, 40)}” is neither yes nor no (${field}).`)
  return answer
}

/** Yes, no, or a status. */
function readSubscribed(source: ImportSource, text: string): ImportedMailStatus | null {
  const answer = text === '' ? null : readYes(text)
  return answer === null ? readStatus(source, text).mail : answer ? 'subscribed' : 'unsubscribed'
}

/** A column that contains a date once something has happened. */
const isDateOrYes = (text: string) => text !== '' && readYes(text) !== false

/** Names of plans that cost something, also as prices, and statuses of subscriptions that go on. */
const isPaid = (text: string) =>
  /\b(paid|paying|premium|founding|founder|lifetime|month(ly)?|year(ly)?|annual(ly)?|churning|trialing|past[ _]due)\b|[$€£] ?[1-9]/i.test(
    text,
  ) && !/\b(free|not paid)\b/i.test(text)

/** Free access that the publisher gave. */
const givesFreeAccess = (plan: string) => /\b(comp|comped|complimentary|gift|gifted)\b|^ios[ _]app$/i.test(plan)

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
  'ios_app',
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

const dateFields = ['joinedAt', 'originallyJoinedAt', 'confirmedAt', 'complimentaryUntil', 'unsubscribedAt'] as const

/**
 * Watches the dates of a file, of which one shows whether the month or the day comes first. `unknown` if there are dates
 * by slashes and none does, or two contradict each other.
 */
export function createDateOrderDetector(mapping: ImportMapping) {
  const columns = dateFields.flatMap((field) => mapping[field] ?? [])
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
function readTags(given: string, isOurs = false): string[] {
  // Tags here contain no commas, but anything else.
  const text = isOurs ? given : given.replace(/^\[(.*)\]$|^\{(.*)\}$/s, '$1$2')
  const separated = isOurs
    ? /[^,]+/g
    : text.includes('"')
      ? /(?:"[^"]*"|[^,;])+/g
      : text.includes(';')
        ? /[^;]+/g
        : text.includes('|')
          ? /[^|]+/g
          : /[^,]+/g
  return (text.match(separated) ?? [])
    .map((tag) =>
      cut(
        tag
          .normalize('NFC')
          .replaceAll(isOurs ? '' : '"', '')
          .replace(/\s+/g, ' ')
          .trim()
          .toLowerCase(),
        maxTagLength,
      ).trim(),
    )
    .filter((tag) => tag !== '')
}
