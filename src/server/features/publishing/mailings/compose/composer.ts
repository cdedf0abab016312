import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs'
import type { FreeSource } from '#server/db/schema/index.ts'
import type { EmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { ListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { type EmailConfig, escapeHtml } from '#server/mail/email-document.ts'
import { type MailingContent, streamOf } from '#shared/contracts/publishing/newsletter.ts'
import { fieldValue, oneLine, oneLineName } from '#shared/domain/merge-fields.ts'
import { type Ranking, rankSections } from '#shared/domain/rank-sections.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { type Vertical, verticalsOf } from '#shared/domain/verticals.ts'
import { encodeChangedItems } from './changed-items.ts'
import { freeReason } from './email-content.ts'
import { type Chunk, createTemplate } from './email-template.ts'
import type { PersonalPart } from './personal-parts.ts'
import { encodeWords } from './quoted-printable.ts'

type Header = readonly [name: string, value: string]

/** Folds at spaces, before a long first word too. A long word, such as an address, isn't broken. */
const fold = (name: string, value: string): Header => [
  name,
  foldLines(`${name}: ${value}`, 76)
    .slice(name.length + 1)
    .replace(/^ /, ''),
]

/** Encodes text as one line of ASCII (RFC 2047), so that it can't inject another header. */
function unstructured(name: string, value: string): Header {
  const line = oneLine(value)
  return fold(name, isPlain(line) ? line : encodeWord(line, wordEncoding(line), 52))
}

/** @throws Error for an address with characters that need quoting */
function mailbox(name: string, to: { name: string | null; address: string }): Header {
  if (!/^[!-~]+@[!-~]+$/.test(to.address) || /[<>(),;:\\"[\]]/.test(to.address)) {
    throw new Error('Address is not safe for a header')
  }
  const phrase = oneLineName(to.name)
  if (phrase === '') return [name, to.address]
  const written = isPlain(phrase)
    ? `"${phrase.replace(/["\\]/g, '\\$&')}"`
    : encodeWord(phrase, wordEncoding(phrase), 52)
  return fold(name, `${written} <${to.address}>`)
}

/** ASCII without anything that reads as an encoded word. */
const isPlain = (line: string) => /^[ -~]*$/.test(line) && !line.includes('=?')

/** Q keeps Latin text legible; B is shorter for other scripts. */
const wordEncoding = (text: string) => ((text.match(/[^ -~]/g)?.length ?? 0) * 3 > text.length ? 'B' : 'Q')

/** "Sat, 21 Nov 2026 10:20:00 +0000" */
const formatEmailDate = (moment: Date): string => moment.toUTCString().replace(/GMT$/, '+0000')

export type Recipient = {
  deliveryId: string
  userId: string
  email: string
  /** The name that the reader entered; null if unknown. */
  name: string | null
  reader: Reader
  /** True if they allow open and click tracking. */
  allowsTracking?: boolean
  /** Keys of the content's `changes` that they are told. */
  changes?: readonly string[]
  /** Values of the publisher's fields in words, by key. */
  fields?: Readonly<Record<string, string>>
  /** Who began their free edition; null or missing if they asked for it. */
  freeSource?: FreeSource | null
}

/** One message before DKIM signing: folded headers and a transfer-encoded body with CRLF. */
export type Composed = { messageId: string; headers: readonly Header[]; body: Buffer }

export type ComposerOptions = {
  content: MailingContent
  from: ListSender
  config: EmailConfig
  links: EmailLinks
  clock?: () => Date
}

export type Compose = (to: Recipient) => Composed

/** Rendered orderings to cache. Each is as large as an email; many readers share one. */
const orderingCacheSize = 200
/** Rankings to cache, a few numbers each. */
const rankingCacheSize = 20_000

/** Renders and encodes the email once. The returned function only joins the pieces for a reader. */
export function createComposer({ content, from, config, links, clock = () => new Date() }: ComposerOptions): Compose {
  const { preferences, click } = links
  // Quoted-printable never produces "=_", so no text can contain the boundary.
  const boundary = `=_${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24)}`
  const clicksAreCounted = click !== undefined
  const template = createTemplate({
    content,
    postalAddress: from.postalAddress,
    config,
    newsletter: from.newsletter?.name ?? null,
    preferences,
    clicksAreCounted,
    boundary,
  })
  const rankings = new LRUCache<string, Ranking & { verticals: readonly Vertical[]; key: string }>({
    max: rankingCacheSize,
  })
  const arranged = new LRUCache<string, Chunk[]>({ max: orderingCacheSize })
  const changedItems = encodeChangedItems(content.changes ?? [], config)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const list = from.newsletter ? `newsletter-${from.newsletter.id}` : streamOf(content.kind)
  const isList = content.kind !== 'personal'
  const listHeaders: Header[] = [
    unstructured('List-Id', `${config.settings.publication.name} ${from.newsletter?.name ?? list} <${list}.${domain}>`),
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
  const fixed: Header[] = [
    ...(isList ? listHeaders : []),
    ['Feedback-ID', `${boundary.slice(2, 12)}:${content.kind}:${list}:${domain}`],
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative;\r\n boundary="${boundary}"`],
  ]
  const sender = [
    mailbox('From', from),
    ...(from.replyTo ? [mailbox('Reply-To', { name: from.name, address: from.replyTo })] : []),
  ]

  function rank(reader: Reader) {
    const words = JSON.stringify(reader)
    const known = rankings.get(words)
    if (known) return known
    const { order, reason } = reader.sections
      ? { order: reader.sections, reason: null }
      : rankSections(config.settings.publication, content.sections, reader)
    const verticals = verticalsOf(reader.franchiseType)
    const ranking = { order, reason, verticals, key: `${order} ${reason} ${verticals}` }
    rankings.set(words, ranking)
    return ranking
  }

  function chunksFor(reader: Reader): Chunk[] {
    const { key, order, reason, verticals } = rank(reader)
    const known = arranged.get(key)
    if (known) return known
    const chunks = template.arrange(order, reason, verticals)
    arranged.set(key, chunks)
    return chunks
  }

  function fill(part: PersonalPart, to: Recipient, unsubscribe: string): string {
    switch (part.kind) {
      case 'field':
        return fieldValue(config.settings.publication, part.field, to)
      case 'link':
        return links.click?.(to, part.url) ?? part.url
      case 'poll':
        return links.pollAnswer(to, part)
      case 'unsubscribe':
        return unsubscribe
      case 'opened':
        return links.open?.(to) ?? ''
      case 'freeReason':
        return freeReason(config.settings.publication.name, to.freeSource ?? null)
      case 'changes':
        return ''
    }
  }

  return (to) => {
    const unsubscribe = isList ? links.unsubscribePage(to) : ''
    const subject = template.subject.map((piece) => (typeof piece === 'string' ? piece : fill(piece, to, unsubscribe)))
    const messageId = `<${links.messageName(to)}@${domain}>`
    const pieces = chunksFor(to.reader).map((chunk) => {
      if (Buffer.isBuffer(chunk)) return chunk
      if (chunk.part.kind === 'changes') return changedItems(to.changes, chunk.html)
      const value = fill(chunk.part, to, unsubscribe)
      if (chunk.part.kind === 'opened') return encodeWords(value && pixel(value))
      return encodeWords(chunk.html ? escapeHtml(value) : value)
    })
    return {
      messageId,
      headers: [
        ...sender,
        mailbox('To', { name: to.name, address: to.email }),
        unstructured('Subject', subject.join('')),
        ['Date', formatEmailDate(clock())],
        ['Message-ID', messageId],
        ...(isList ? [['List-Unsubscribe', `<${links.oneClick(to)}>`] as const] : []),
        ...fixed,
      ],
      body: Buffer.concat(pieces),
    }
  }
}

const pixel = (url: string) => `<img src="${escapeHtml(url)}" alt="" width="1" height="1" style="display:block">`

type Preview = {
  subject: string
  html: string
  text: string
  /** Indices of the content's sections. */
  order: readonly number[]
  /** Why the first section comes first; null if nothing matches the reader. */
  reason: string | null
}

/**
 * Composes the email for a reader and parses it like an email client. Pass inert links, or a click in the preview could
 * unsubscribe the member.
 */
export async function previewFor(options: ComposerOptions, to: Recipient): Promise<Preview> {
  const { headers, body } = createComposer(options)(to)
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const { default: PostalMime } = await import('postal-mime')
  const email = await PostalMime.parse(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
  return {
    subject: email.subject ?? '',
    html: email.html ?? '',
    text: email.text ?? '',
    ...rankSections(options.config.settings.publication, options.content.sections, to.reader),
  }
}
