import type { DkimSigner, HeaderField } from './dkim.ts'

/** Header fields, folded as they are, and body become the bytes that go over the wire, signed where there is a key. */
export async function writeMessage(
  headers: readonly HeaderField[],
  body: Buffer,
  signer: DkimSigner | null,
): Promise<Buffer> {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  if (signer) lines.unshift(await signer(headers, body))
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** The fields and the body of a message in CRLF that another part has composed. */
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
