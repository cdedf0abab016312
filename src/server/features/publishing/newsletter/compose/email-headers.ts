import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs'
import { oneLine, oneLineName } from '#shared/domain/merge-fields.ts'

export type Header = readonly [name: string, value: string]

/** Folds at spaces, before a long first word too. A long word, such as an address, isn't broken. */
const fold = (name: string, value: string): Header => [
  name,
  foldLines(`${name}: ${value}`, 76)
    .slice(name.length + 1)
    .replace(/^ /, ''),
]

/** Encodes text as one line of ASCII (RFC 2047), so that it can't inject another header. */
export function unstructured(name: string, value: string): Header {
  const line = oneLine(value)
  return fold(name, isPlain(line) ? line : encodeWord(line, wordEncoding(line), 52))
}

/** @throws Error for an address with characters that need quoting */
export function mailbox(name: string, to: { name: string | null; address: string }): Header {
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
export const formatEmailDate = (moment: Date): string => moment.toUTCString().replace(/GMT$/, '+0000')
