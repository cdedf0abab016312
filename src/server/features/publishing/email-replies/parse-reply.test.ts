import { expect, test, vi } from 'vitest'
import { parseReply } from './parse-reply.ts'

/** The parser as this thread would load it. */
const parseHere = vi.hoisted(() => vi.fn())
vi.mock('postal-mime', () => ({ default: { parse: parseHere } }))

/** An email of parts within parts, with a text in the innermost one. */
function nested(levels: number, text: string): Buffer {
  const parts = Array.from({ length: levels }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ])
  const lines = ['From: mia@example.test', ...parts.flat(), 'Content-Type: text/plain', '', text]
  return Buffer.from(lines.join('\r\n'))
}

test('a text in parts within parts is read', async () => {
  expect(await parseReply(nested(6, 'Yes.'))).toMatchObject({ text: 'Yes.' })
})

test('what HTML marks as quoted is left out, also of Zoho, unless the plain text tells', async () => {
  const html =
    '<div><div>Thanks, this helped.<br></div><div class="zmail_extra"><div>---- On Mon, 02 Nov 2026 09:00:00 +0100 <b>Front Counter &lt;letters@example.com&gt;</b> wrote ----<br></div><div>Here is the drop.</div></div></div>'
  const part = (type: string, body: string) => `--b\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}\r\n`
  const of = (...parts: string[]) =>
    Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${parts.join('')}--b--`)
  expect(await parseReply(of(part('html', html)))).toMatchObject({ text: 'Thanks, this helped.' })
  const words = of(part('plain', 'Thanks, this helped.\r\n\r\nHere is the drop.'), part('html', html))
  expect(await parseReply(words)).toMatchObject({ text: 'Thanks, this helped.' })
  const between = of(
    part('plain', '> Twice?\r\nYes.\r\n> Daily?\r\nNo.'),
    part('html', '<blockquote>Twice?<p>Yes.</blockquote>No.'),
  )
  expect(await parseReply(between)).toMatchObject({ text: 'Yes.\nNo.' })
})

test.each([
  ['below quoted lines', ['> See you at noon ', 'Fine with me.'], 'Fine with me.'],
  ['between them', ['> Twice a ', '> day? ', 'Yes, ', 'twice. ', '> Daily? ', 'No.'], 'Yes, twice.\nNo.'],
  [
    'above an introduction',
    ['Thanks!', '', 'On Nov 2, 2026, Front ', 'Counter wrote: ', '> Count ', '>> it.'],
    'Thanks!',
  ],
  ['above a signature', ['Fine ', 'with me. ', '-- ', 'Mia Low'], 'Fine with me.'],
  ['above a quoted signature', ['> See you ', '> -- ', '> Front Counter ', 'Fine.'], 'Fine.'],
  ['in paragraphs', ['One ', 'two. ', '', 'Three ', 'four.'], 'One two.\n\nThree four.'],
  ['beginning with a quote mark of their own', [' > 5 days is ', 'too long.'], '> 5 days is too long.'],
])('words %s are kept although their program wraps lines', async (_, lines, text) => {
  const head = 'Content-Type: text/plain; charset=utf-8; format=flowed'
  const parse = (type: string, all: string[]) => parseReply(Buffer.from([type, '', ...all].join('\r\n')))
  expect((await parse(head, lines)).text).toBe(text)
  const withSpaces = lines.map((line) => (line.endsWith(' ') && !line.endsWith('-- ') ? `${line} ` : line))
  expect((await parse(`${head};\r\n delsp=yes`, withSpaces)).text).toBe(text)
})

test('an email is parsed in another thread, so that a slow one doesn’t stop the server', async () => {
  expect(await parseReply(nested(1, 'Yes.'))).toMatchObject({ text: 'Yes.' })
  expect(parseHere).not.toHaveBeenCalled()
})

test('an email of hundreds of parts within parts is given up at once', async () => {
  await expect(parseReply(nested(200, '--x\r\n'.repeat(100_000)))).rejects.toThrow('nesting depth')
})
