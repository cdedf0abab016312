import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { MailTransport } from '#server/mail/newsletter-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import { type Behavior, startSmtpServer } from '#tests/support/smtp-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const message = Buffer.from(`Subject: An email\r\n\r\n${'A line of it.\r\n'.repeat(3_000)}`)
const to = (address: string) => ({ from: 'newsletter@example.test', to: address, message })

function open(url: string, options: Partial<Parameters<typeof createSmtpTransport>[0]> = {}): MailTransport {
  const transport = createSmtpTransport({ url, connections: 3, initialBackoffMs: 5, timeoutMs: 300, ...options })
  closers.push(() => transport.close())
  return transport
}

async function serve(options: Parameters<typeof startSmtpServer>[0]) {
  const server = await startSmtpServer(options)
  closers.push(() => server.close())
  return server
}

test('A response is returned as given; a missing response is reported as unknown', async () => {
  const behaviours: Record<string, Behavior> = {
    'ok@x.test': 'accept',
    'never@x.test': { refuse: 550 },
    'later@x.test': { refuse: 451 },
    'spam@x.test': { refuseData: 554 },
    'busy@x.test': { refuseData: 452 },
    'gone@x.test': 'hang up after data',
    'slow@x.test': 'stall after data',
  }
  const server = await serve({ behave: (address) => behaviours[address] ?? 'accept' })
  const transport = open(server.url, { connections: 1 })
  const outcomes: Record<string, string> = {}
  for (const address of Object.keys(behaviours)) outcomes[address] = (await transport.send(to(address))).kind
  expect(outcomes).toEqual({
    'ok@x.test': 'accepted',
    'never@x.test': 'refused',
    'later@x.test': 'deferred',
    'spam@x.test': 'refused',
    'busy@x.test': 'deferred',
    'gone@x.test': 'uncertain',
    'slow@x.test': 'uncertain',
  })
  expect(server.received.map((email) => email.to)).toEqual(['ok@x.test'])
  expect(server.received[0]?.raw.equals(message)).toBe(true)
})

/** Speaks SMTP line by line and breaks the connection at the given point. */
async function breakingServer(breakAt: 'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'within the message') {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    if (breakAt === 'greeting') return void socket.destroy()
    socket.write('220 here\r\n')
    let inData = false
    socket.on('data', (chunk) => {
      if (inData) return void (breakAt === 'within the message' && socket.resetAndDestroy())
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const verb = line.slice(0, 4).toUpperCase()
        if (verb === breakAt) return void socket.destroy()
        inData = verb === 'DATA'
        socket.write(inData ? '354 go on\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => void server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each(['greeting', 'MAIL', 'RCPT', 'DATA'] as const)(
  'A connection that breaks at %s has certainly not delivered the message',
  async (at) => {
    const transport = open(await breakingServer(at))
    expect((await transport.send(to('a@x.test'))).kind).toBe('unsent')
    expect(transport.transportError()).toMatchObject({ failures: 1 })
  },
)

test('A connection that breaks during a large message has certainly not delivered it', async () => {
  const transport = open(await breakingServer('within the message'))
  const large = Buffer.concat([message, Buffer.alloc(30_000_000, 'A line of it.\r\n')])
  expect((await transport.send({ ...to('a@x.test'), message: large })).kind).toBe('unsent')
})

test('An unreachable server fails no recipient, and is retried until it responds', async () => {
  const first = await serve({})
  const port = Number(new URL(first.url).port)
  const transport = open(first.url)
  expect((await transport.send(to('a@x.test'))).kind).toBe('accepted')
  await first.close()
  expect((await transport.send(to('b@x.test'))).kind).toBe('unsent')
  const ready = transport.ready()
  const second = await serve({ port })
  await ready
  expect((await transport.send(to('b@x.test'))).kind).toBe('accepted')
  expect(second.received.map((email) => email.to)).toEqual(['b@x.test'])
  expect(transport.transportError()).toBeNull()
})

test('A server that refuses for now, or refuses us, fails no recipient; the second needs the publisher', async () => {
  let code: number | null = 421
  const server = await serve({ onMailFrom: () => code })
  const transport = open(server.url)
  expect((await transport.send(to('a@x.test'))).kind).toBe('unsent')
  expect(transport.transportError()).toMatchObject({ isPermanent: false })
  code = 550
  await transport.ready()
  expect((await transport.send(to('a@x.test'))).kind).toBe('unsent')
  expect(transport.transportError()).toMatchObject({ failures: 2, isPermanent: true })
  code = null
  await transport.ready()
  expect((await transport.send(to('a@x.test'))).kind).toBe('accepted')
})

test('No more connections are open than allowed, each is reused, and a stop aborts what is in progress', async () => {
  const server = await serve({ behave: (address) => (address === 'slow@x.test' ? 'stall after data' : 'accept') })
  const transport = open(server.url, { timeoutMs: 60_000 })
  let most = 0
  const sends = Array.from({ length: 60 }, async (_, n) => {
    const { kind } = await transport.send(to(`r${n}@x.test`))
    most = Math.max(most, server.connections())
    return kind
  })
  expect(new Set(await Promise.all(sends))).toEqual(new Set(['accepted']))
  expect(most).toBe(3)
  const stalled = transport.send(to('slow@x.test'))
  while (server.heard.length < 61) await new Promise((resolve) => setImmediate(resolve))
  await transport.close()
  expect((await stalled).kind).toBe('uncertain')
  expect((await transport.send(to('late@x.test'))).kind).toBe('unsent')
})
