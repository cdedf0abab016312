import { expect, test } from 'vitest'
import { parseReply } from './parse-reply.ts'

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

test('a quarter of a megabyte of line breaks is parsed while the server goes on', { timeout: 120_000 }, async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await parseReply(Buffer.from(`Content-Type: text/plain\r\n\r\nYes.${'\r\n'.repeat(128 * 1024)}`))
  clearInterval(timer)
  // In the same thread, the parser leaves no turn for timers.
  expect(turns).toBeGreaterThan(3)
})

test('an email of hundreds of parts within parts is given up at once', async () => {
  await expect(parseReply(nested(200, '--x\r\n'.repeat(100_000)))).rejects.toThrow('nesting depth')
})
