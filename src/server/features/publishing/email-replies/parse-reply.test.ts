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

test('an email of hundreds of parts within parts is given up at once', async () => {
  await expect(parseReply(nested(200, '--x\r\n'.repeat(100_000)))).rejects.toThrow('nesting depth')
})
