import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { encodeFragment, encodeWords } from './quoted-printable.ts'

const words = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed())
const lines = fc.array(fc.oneof(words, fc.constantFrom('=', ' ', '\t', '\n', '\r\n', ' \n', 'é', '…', '='.repeat(80))))
const fragments = fc.array(lines.map((parts) => parts.join('')))

/** Follows RFC 2045 strictly. */
const decode = (encoded: Buffer) =>
  Buffer.from(
    encoded
      .toString('latin1')
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')

const inOneForm = (text: string) => text.replace(/\r\n|\r|\n/g, '\r\n')

test('joined fragments decode to exactly the joined texts', () => {
  fc.assert(
    fc.property(fragments, (texts) => {
      const joined = Buffer.concat(texts.map((text, index) => (index % 2 ? encodeWords(text) : encodeFragment(text))))
      expect(decode(joined)).toBe(texts.map(inOneForm).join(''))
    }),
  )
})

test('no line is longer than 76 characters, ends in white space or contains anything but ASCII', () => {
  fc.assert(
    fc.property(fragments, (texts) => {
      const encoded = Buffer.concat(texts.map(encodeFragment)).toString('latin1')
      for (const line of encoded.split('\r\n')) {
        expect(line.length).toBeLessThanOrEqual(76)
        expect(line).toMatch(/^(?:[\t -<>-~]|=[0-9A-F]{2})*=?$/)
        expect(line).not.toMatch(/[ \t]$/)
      }
    }),
  )
})

test('an email client reads them as one text', async () => {
  const texts = ['Hello ', 'José', ',\n\nthe sum is 1 = 1 and the page ', 'https://a.example/?b=c&d=e', '.\nBye…\n']
  const head = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
  const email = await simpleParser(Buffer.concat([Buffer.from(head), ...texts.map(encodeFragment)]))
  expect(email.text).toBe(texts.join(''))
})
