import { publicAddress } from '#server/features/publishing/public-pages/public-addresses.ts'
import { type EmailConfig, escapeHtml } from '#server/mail/email-document.ts'
import { applyLook } from '#server/mail/email-palette.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { buildEmailContent } from './email-content.ts'
import { mapEntries, type Pieces, renderHtml } from './email-html.ts'
import { createEmailMarkdown } from './email-markdown.ts'
import { renderText } from './email-text.ts'
import { type PersonalPart, PersonalParts } from './personal-parts.ts'
import { encodeFragment } from './quoted-printable.ts'

/** Bytes shared by all readers, or a personal part in HTML or plain text. */
export type Chunk = Buffer | { part: PersonalPart; html: boolean }

/** An email rendered and encoded once, as chunks to join for each ordering. */
export type Template = {
  subject: (string | PersonalPart)[]
  /** The chunks of the body for one ordering, with the examples of the first of the trades that has any. */
  arrange(order: readonly number[], reason: string | null, verticals: readonly Vertical[]): Chunk[]
}

type Options = {
  content: MailingContent
  postalAddress: string | null
  config: EmailConfig
  /** Name of the newsletter that the email belongs to, if the publisher added it. */
  newsletter: string | null
  preferences: string
  clicksAreCounted: boolean
  boundary: string
}

export function createTemplate(options: Options): Template {
  const { content, postalAddress, newsletter, config, preferences, clicksAreCounted, boundary } = options
  const parts = new PersonalParts()
  const email = buildEmailContent(content, { postalAddress, newsletter, config }, parts)
  const markdown = createEmailMarkdown(
    config.publicUrl,
    parts,
    content.path,
    content.membersAlsoGet ? publicAddress : undefined,
  )
  const setting = { config, email, markdown, parts, preferences }

  /** Links are personal parts only if clicks are tracked. */
  const chunksOf =
    (html: boolean) =>
    (text: string): Chunk[] => {
      const pieces = parts.split(html ? applyLook(text, config.settings.publication) : text)
      const filled = pieces.map((piece) =>
        typeof piece !== 'string' && piece.kind === 'link' && !clicksAreCounted ? escapeHtml(piece.url) : piece,
      )
      return joinStrings(filled).map((piece) =>
        typeof piece === 'string' ? encodeFragment(piece) : { part: piece, html },
      )
    }
  const text = encodePieces(renderText(setting), chunksOf(false))
  const html = encodePieces(renderHtml(setting), chunksOf(true))
  const partHead = (type: string) =>
    Buffer.from(
      `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
    )
  const textHead = partHead('text/plain')
  const htmlHead = partHead('text/html')
  const partEnd = Buffer.from('\r\n')
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    subject: parts.split(parts.inText(content.subject)),
    arrange: (...order) =>
      joinBuffers([textHead, ...inOrder(text, ...order), partEnd, htmlHead, ...inOrder(html, ...order), end]),
  }
}

type EncodedPieces = {
  before: Chunk[]
  firsts: Chunk[][]
  intro: Chunk[]
  contents: Chunk[][]
  between: Chunk[]
  rules: Chunk[][]
  reason(words: string): Chunk[]
  items: Chunk[][]
  examples: Partial<Record<Vertical, Chunk[]>>[]
  itemEnds: Chunk[][]
  after: Chunk[]
}

const encodePieces = (pieces: Pieces, encode: (text: string) => Chunk[]): EncodedPieces => ({
  before: encode(pieces.before),
  firsts: pieces.firsts.map(encode),
  intro: encode(pieces.intro),
  contents: pieces.contents.map(encode),
  between: encode(pieces.between),
  rules: pieces.rules.map(encode),
  reason: (words) => encode(pieces.reason(words)),
  items: pieces.items.map(encode),
  examples: pieces.examples.map((examples) => mapEntries(examples, (_, text) => encode(text))),
  itemEnds: pieces.itemEnds.map(encode),
  after: encode(pieces.after),
})

const inOrder = (
  pieces: EncodedPieces,
  order: readonly number[],
  reason: string | null,
  verticals: readonly Vertical[],
): Chunk[] => [
  ...pieces.before,
  ...((reason !== null && pieces.firsts[order[0] ?? 0]) || []),
  ...pieces.intro,
  ...order.flatMap((index) => pieces.contents[index] ?? []),
  ...pieces.between,
  ...order.flatMap((index, place) => [
    ...(pieces.rules[index] ?? []),
    ...(place === 0 && reason !== null ? pieces.reason(reason) : []),
    ...(pieces.items[index] ?? []),
    ...exampleOf(pieces.examples[index], verticals),
    ...(pieces.itemEnds[index] ?? []),
  ]),
  ...pieces.after,
]

const exampleOf = (examples: EncodedPieces['examples'][number] = {}, verticals: readonly Vertical[]): Chunk[] => {
  const vertical = verticals.find((each) => examples[each])
  return (vertical && examples[vertical]) ?? []
}

function joinStrings(pieces: (string | PersonalPart)[]): (string | PersonalPart)[] {
  const joined: (string | PersonalPart)[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece
    else joined.push(piece)
  }
  return joined.filter((piece) => piece !== '')
}

/** Merges adjacent buffers, so that composing copies few chunks per reader. */
function joinBuffers(chunks: Chunk[]): Chunk[] {
  const joined: Chunk[] = []
  let run: Buffer[] = []
  const flush = () => {
    if (run.length > 0) joined.push(Buffer.concat(run))
    run = []
  }
  for (const chunk of chunks) {
    if (Buffer.isBuffer(chunk)) run.push(chunk)
    else {
      flush()
      joined.push(chunk)
    }
  }
  flush()
  return joined
}
