import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, listen } from '#server/listen.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { freePort } from '../../../scripts/postgres.ts'

let server: TestApp
let listening: Listening
let port: number
const open: Socket[] = []

beforeAll(async () => {
  server = await createTestApp()
  port = await freePort()
  listening = await listen(server.app, '127.0.0.1', port)
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await listening.close(1_000)
  await server.close()
})

/** Starts a request with a chunked body that ends only on demand. */
async function upload(path: string, headers: Record<string, string> = {}) {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = Object.entries({ Host: 'localhost', 'Transfer-Encoding': 'chunked', ...headers })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  let answer = ''
  const answered = new Promise<number>((resolve) => {
    socket.on('data', (data) => {
      answer += data
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      if (status) resolve(Number(status))
    })
  })
  const piece = Buffer.alloc(64 * 1024, 'x')
  return {
    /** Resolves with the response's status. */
    answered,
    send: (bytes: number) =>
      new Promise<void>((resolve) => {
        const pieces = Math.ceil(bytes / piece.length)
        for (let count = 0; count < pieces; count += 1) {
          socket.write(`${piece.length.toString(16)}\r\n`)
          socket.write(piece)
          socket.write('\r\n')
        }
        socket.write('', () => resolve())
      }),
  }
}

describe('Attack 4, memory without signing in', () => {
  test('a file upload without a session is refused before its body is read', async () => {
    const attempt = await upload('/functions/v1/admin-upload-image?name=x')
    await attempt.send(64 * 1024)
    expect(await attempt.answered).toBe(401)
  })

  test('endless bodies use a fixed amount of memory in total; the next one gets 503', async () => {
    // Each stays below its own limit; together they would pass the total.
    const attempts = await Promise.all(Array.from({ length: 80 }, () => upload('/auth/v1/signup')))
    void Promise.all(attempts.map((attempt) => attempt.send(1_000_000)))
    expect(await Promise.race(attempts.map((attempt) => attempt.answered))).toBe(503)
    for (const socket of open) socket.destroy()
  })

  test('memory is released when those connections close', async () => {
    for (const socket of open) socket.destroy()
    await expect
      .poll(
        async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/auth/v1/signup`, {
            method: 'POST',
            body: new Blob([JSON.stringify({ email: 'x', filler: 'x'.repeat(900_000) })]).stream(),
            duplex: 'half',
          } as RequestInit)
          return answer.status
        },
        { timeout: 60_000 },
      )
      .not.toBe(503)
  })
})
