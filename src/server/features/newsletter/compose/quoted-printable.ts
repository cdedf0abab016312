import { encode, wrap } from 'nodemailer/lib/qp'

/** One less than the longest line: the soft break after a fragment needs its place. */
const lineLength = 75
const softBreak = '=\r\n'

/**
 * A fragment of text in quoted-printable that can be joined with others: where it does not end in a line break, it ends
 * in a soft one, so that the joined lines keep their length and decode to exactly the joined texts. Base64 was ruled out
 * since its fragments fit together at every third byte only.
 */
export function encodeFragment(text: string): Buffer {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n')
  return Buffer.from(close(wrap(encode(lines), lineLength)), 'latin1')
}

/** Short and without anything to encode, as most names and addresses are. */
const plain = /^[!-<>-~](?:[ -<>-~]{0,72}[!-<>-~])?$/

/** The same for the few words of one reader: the library's way takes longer than all else about a mail. */
export function encodeWords(words: string): Buffer {
  if (words === '') return nothing
  if (plain.test(words)) return Buffer.from(words + softBreak, 'latin1')
  return encodeFragment(words)
}

const nothing = Buffer.alloc(0)
const close = (encoded: string) => (encoded === '' || encoded.endsWith('\r\n') ? encoded : encoded + softBreak)
