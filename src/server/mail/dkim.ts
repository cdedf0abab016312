import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { OperatorError } from '#server/explain-start-error.ts'
import { words } from '#shared/domain/words.ts'

export type HeaderField = readonly [name: string, value: string]
/** Resolves to the DKIM-Signature field without a trailing line break. */
export type DkimSigner = (headers: readonly HeaderField[], body: Buffer) => Promise<string>
export type DkimOptions = { domain: string; selector: string; privateKey: string }

/** Runs on the thread pool: signing takes as long as all other work on an email. */
const signAsync = promisify(sign) as (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer>

/** Signed if present. */
const signedFields = words(`
  from to subject date message-id reply-to mime-version content-type content-transfer-encoding list-id
  list-unsubscribe list-unsubscribe-post feedback-id
`)
/** Listed once more in the signature, so that no second field of that name can be added. */
const oversignedFields: ReadonlySet<string> = new Set(['from', 'to', 'subject', 'date', 'content-type', 'reply-to'])

/**
 * DKIM with RSA and SHA-256 (RFC 6376). Relaxed headers, because relays refold them; simple body, because ours is
 * transfer-encoded and relays leave it alone. Verifies a test signature before it resolves.
 * @throws OperatorError if the key does not produce a valid signature
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
  await verifyTestSignature(signer, key)
  return signer
}

/** Error messages never contain the key. */
function readKey(pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new OperatorError('DKIM_PRIVATE_KEY isn’t a private key in PEM format.')
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 1024) {
    throw new OperatorError('DKIM_PRIVATE_KEY must be an RSA key of at least 1024 bits (2048 recommended).')
  }
  return key
}

/** Without this check, only spam filters would notice a bad key. */
async function verifyTestSignature(signer: DkimSigner, key: KeyObject) {
  const headers: HeaderField[] = [
    ['From', 'a@example.com'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
  const field = await signer(headers, Buffer.from('A sample.\r\n'))
  const at = field.lastIndexOf('b=') + 2
  const signature = Buffer.from(field.slice(at).replace(/\s/g, ''), 'base64')
  const data = signedData(canonicalHeaders(headers).lines, field.slice(0, at))
  if (signature.length === 0 || !verify('sha256', data, createPublicKey(key), signature)) {
    throw new OperatorError('DKIM_PRIVATE_KEY can’t create a valid signature.')
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
    if (oversignedFields.has(name)) names.push(name)
  }
  return { names, lines }
}

const relaxed = (name: string, value: string) =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`

/** Ignores trailing empty lines and ends with one line break. */
function bodyHash(body: Buffer): string {
  let end = body.length
  while (end >= 2 && body[end - 1] === 0x0a && body[end - 2] === 0x0d) end -= 2
  return createHash('sha256').update(body.subarray(0, end)).update('\r\n').digest('base64')
}

/** Splits into lines of at most 72 characters, after `separator` or, without one, anywhere. */
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

/** Serializes a message, with a DKIM signature if there is a signer. Header values must be folded already. */
export async function writeMessage(
  headers: readonly HeaderField[],
  body: Buffer,
  signer: DkimSigner | null,
): Promise<Buffer> {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  if (signer) lines.unshift(await signer(headers, body))
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** Splits a serialized message (CRLF line breaks) into header fields and body. */
export function readMessage(message: Buffer): { headers: HeaderField[]; body: Buffer } {
  const end = message.indexOf('\r\n\r\n')
  const fields = message
    .subarray(0, end)
    .toString('utf8')
    .split(/\r\n(?![ \t])/)
  return {
    headers: fields.map((field): HeaderField => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trimStart()]
    }),
    body: message.subarray(end + 4),
  }
}
