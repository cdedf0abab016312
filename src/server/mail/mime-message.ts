import type { DkimSigner, HeaderField } from './dkim.ts'

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
