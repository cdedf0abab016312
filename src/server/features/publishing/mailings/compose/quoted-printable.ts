import { encode, wrap } from 'nodemailer/lib/qp'

/** One less than the maximum, to leave room for a soft line break. */
const lineLength = 75
const softBreak = '=\r\n'

/**
 * Encodes a fragment as quoted-printable that can be concatenated with others: it ends in a line break, hard or soft.
 * Base64 fragments could only be joined at every third byte.
 */
export function encodeFragment(text: string): Buffer {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n')
  return Buffer.from(close(wrap(encode(lines), lineLength)), 'latin1')
}

/** Short ASCII that needs no encoding, like most names and addresses. */
const plain = /^[!-<>-~](?:[ -<>-~]{0,72}[!-<>-~])?$/

/** Like `encodeFragment`, with a fast path for short text. The library call would dominate composing. */
export function encodeWords(words: string): Buffer {
  if (words === '') return nothing
  if (plain.test(words)) return Buffer.from(words + softBreak, 'latin1')
  return encodeFragment(words)
}

const nothing = Buffer.alloc(0)
const close = (encoded: string) => (encoded === '' || encoded.endsWith('\r\n') ? encoded : encoded + softBreak)
