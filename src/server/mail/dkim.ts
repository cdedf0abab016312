import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { OperatorError } from '#server/operator-error.ts'

export type HeaderField = readonly [name: string, value: string]
/** Gives the DKIM-Signature field, without the line break after it. */
export type DkimSigner = (headers: readonly HeaderField[], body: Buffer) => Promise<string>
export type DkimOptions = { domain: string; selector: string; privateKey: string }

/** On the thread pool: a signature takes as long as everything else about a mail, and there is another core. */
const signAsync = promisify(sign) as (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer>

/**
 * Signed where a message has them. Those that decide what a reader sees are named once more, so that none can be added.
 */
const signedFields = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
]
const sealedFields: ReadonlySet<string> = new Set(['from', 'to', 'subject', 'date', 'content-type', 'reply-to'])

/**
 * DKIM with RSA and SHA-256 (RFC 6376). Headers are relaxed, as servers on the way fold them anew. The body is taken as
 * it is: what we send is transfer-encoded, so nobody has a reason to touch it, and hashing it costs next to nothing.
 * Signs once before it returns.
 * @throws OperatorError when the key does not give a valid signature
 */
export async function createDkimSigner({ domain, selector, privateKey }: DkimOptions): Promise<DkimSigner> {
  const key = readKey(privateKey)
  const signer: DkimSigner = async (headers, body) => {
    const { names, lines } = canonicalHeaders(headers)
    const field = [
      'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple;',
      `d=${domain}; s=${selector}; t=${Math.floor(Date.now() / 1000)};`,
      ...fold(`h=${names.join(':')};`, ':'),
      `bh=${bodyHash(body)};`,
      'b=',
    ].join('\r\n ')
    const signature = await signAsync('sha256', signedData(lines, field), key)
    return field + fold(signature.toString('base64')).join('\r\n ')
  }
  await requireValid(signer, key)
  return signer
}

/** Never quotes the key: what is wrong with it may be told, what it is may not. */
function readKey(pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new OperatorError('DKIM_PRIVATE_KEY is not a private key in PEM form.')
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 1024) {
    throw new OperatorError('DKIM_PRIVATE_KEY must be an RSA key of at least 1024 bits, better 2048.')
  }
  return key
}

/** A key that signs nothing, or something else, would only be noticed by spam filters, weeks later. */
async function requireValid(signer: DkimSigner, key: KeyObject) {
  const headers: HeaderField[] = [
    ['From', 'a@example.com'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
  const field = await signer(headers, Buffer.from('A sample.\r\n'))
  const at = field.lastIndexOf('b=') + 2
  const signature = Buffer.from(field.slice(at).replace(/\s/g, ''), 'base64')
  const data = signedData(canonicalHeaders(headers).lines, field.slice(0, at))
  if (signature.length === 0 || !verify('sha256', data, createPublicKey(key), signature)) {
    throw new OperatorError('DKIM_PRIVATE_KEY does not give a valid signature.')
  }
}

const signedData = (lines: readonly string[], field: string) =>
  Buffer.from([...lines, relaxed('DKIM-Signature', field.slice(field.indexOf(':') + 1))].join('\r\n'), 'utf8')

function canonicalHeaders(headers: readonly HeaderField[]) {
  const present = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const names: string[] = []
  const lines: string[] = []
  for (const name of signedFields) {
    const value = present.get(name)
    if (value !== undefined) {
      names.push(name)
      lines.push(relaxed(name, value))
    }
    if (sealedFields.has(name)) names.push(name)
  }
  return { names, lines }
}

const relaxed = (name: string, value: string) =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`

/** Empty lines at the end do not count, and the last line has its break. */
function bodyHash(body: Buffer): string {
  let end = body.length
  while (end >= 2 && body[end - 1] === 0x0a && body[end - 2] === 0x0d) end -= 2
  return createHash('sha256').update(body.subarray(0, end)).update('\r\n').digest('base64')
}

/** Pieces that fit a line, broken after `separator` or anywhere. */
function fold(text: string, separator = ''): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > 72) {
    const at = separator ? rest.lastIndexOf(separator, 71) + 1 : 72
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...pieces, rest]
}
