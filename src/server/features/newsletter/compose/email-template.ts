import { escapeHtml } from '#server/mail/email-document.ts'
import type { MailingContent } from '#shared/contracts/newsletter.ts'
import { buildEmailContent } from './email-content.ts'
import { type Pieces, renderHtml } from './email-html.ts'
import { createEmailMarkdown } from './email-markdown.ts'
import { renderText } from './email-text.ts'
import { type Placeholder, Placeholders } from './placeholders.ts'
import { encodeFragment } from './quoted-printable.ts'

/** Bytes shared by all readers, or a placeholder in HTML or plain text. */
export type Chunk = Buffer | { placeholder: Placeholder; html: boolean }

/** An email rendered and encoded once, as chunks to join for each ordering. */
export type Template = {
  subject: (string | Placeholder)[]
  /** The chunks of the body for one ordering. */
  arrange(order: readonly number[], reason: string | null): Chunk[]
}

type Options = {
  content: MailingContent
  postalAddress: string | null
  publicUrl: string
  preferences: string
  clicksAreCounted: boolean
  boundary: string
}

export function createTemplate(options: Options): Template {
  const { content, postalAddress, publicUrl, preferences, clicksAreCounted, boundary } = options
  const placeholders = new Placeholders()
  const email = buildEmailContent(content, { postalAddress, publicUrl }, placeholders)
  const markdown = createEmailMarkdown(publicUrl, placeholders)
  const setting = { email, markdown, placeholders, preferences, publicUrl }

  /** Links are placeholders only if clicks are tracked. */
  const chunksOf =
    (html: boolean) =>
    (text: string): Chunk[] => {
      const pieces = placeholders.split(text)
      const filled = pieces.map((piece) =>
        typeof piece !== 'string' && piece.kind === 'link' && !clicksAreCounted ? escapeHtml(piece.url) : piece,
      )
      return joinStrings(filled).map((piece) =>
        typeof piece === 'string' ? encodeFragment(piece) : { placeholder: piece, html },
      )
    }
  const text = encodePieces(renderText(setting), chunksOf(false))
  const html = encodePieces(renderHtml(setting), chunksOf(true))
  const part = (type: string) =>
    Buffer.from(
      `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
    )
  const textHead = part('text/plain')
  const htmlHead = part('text/html')
  const partEnd = Buffer.from('\r\n')
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    subject: placeholders.split(placeholders.inText(content.subject)),
    arrange: (order, reason) =>
      joinBuffers([textHead, ...inOrder(text, order, reason), partEnd, htmlHead, ...inOrder(html, order, reason), end]),
  }
}

type EncodedPieces = {
  before: Chunk[]
  contents: Chunk[][]
  between: Chunk[]
  rule: Chunk[]
  reason(words: string): Chunk[]
  items: Chunk[][]
  after: Chunk[]
}

const encodePieces = (pieces: Pieces, encode: (text: string) => Chunk[]): EncodedPieces => ({
  before: encode(pieces.before),
  contents: pieces.contents.map(encode),
  between: encode(pieces.between),
  rule: encode(pieces.rule),
  reason: (words) => encode(pieces.reason(words)),
  items: pieces.items.map(encode),
  after: encode(pieces.after),
})

const inOrder = (pieces: EncodedPieces, order: readonly number[], reason: string | null): Chunk[] => [
  ...pieces.before,
  ...order.flatMap((index) => pieces.contents[index] ?? []),
  ...pieces.between,
  ...order.flatMap((index, place) => [
    ...pieces.rule,
    ...(place === 0 && reason !== null ? pieces.reason(reason) : []),
    ...(pieces.items[index] ?? []),
  ]),
  ...pieces.after,
]

function joinStrings(pieces: (string | Placeholder)[]): (string | Placeholder)[] {
  const joined: (string | Placeholder)[] = []
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
