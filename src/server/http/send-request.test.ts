import { resolve4 } from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type OutgoingRequest, RequestError, sendRequest } from './send-request.ts'

const servers: { server: Server; sockets: Set<Socket> }[] = []
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  servers.push({ server: server.on('connection', (socket) => sockets.add(socket)), sockets })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that writes these bytes to each connection. */
const answering = (bytes: string, { ends = false } = {}) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)))
    }),
  )

const request: OutgoingRequest = { timeoutMs: 5_000, maxBytes: 100, isAllowed: () => true, anyPort: true }

/** The body, or why there is none. */
const send = (address: string, more: Partial<OutgoingRequest> = {}) =>
  sendRequest(address, { ...request, ...more }).then(
    ({ body }) => body.toString(),
    (error: unknown) => (error instanceof RequestError ? error.failure : error),
  )

const redirectTo = (location: string) =>
  answering(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)

test.each([
  ['http://[', 'not_a_web_address'],
  ['http://a:b:c/', 'not_a_web_address'],
  ['file:///etc/passwd', 'not_a_web_address'],
  ['https://ana:secret@shop.test/', 'password'],
])('A redirect to %s is an error: %s', async (location, failure) => {
  expect(await send(await redirectTo(location), { maxRedirects: 3 })).toBe(failure)
})

test('Each redirect is checked like the first address', async () => {
  const secret = await answering('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret')
  const isAllowed = (ip: string) => ip === '127.0.0.1'
  const private6 = secret.replace('127.0.0.1', '[::1]')
  expect(await send(await redirectTo(private6), { maxRedirects: 3, isAllowed })).toBe('private_network')
  expect(await send(await redirectTo(secret), { maxRedirects: 3, isAllowed })).toBe('secret')
  expect(await send(await redirectTo('/'), { maxRedirects: 3 })).toBe('too_many_redirects')
})

test('Without permission to follow them, a redirect is the answer', async () => {
  const answer = await sendRequest(await redirectTo('http://['), request)
  expect([answer.status, answer.headers.location]).toEqual([302, 'http://['])
})

test('An answer that switches protocols is an error', async () => {
  expect(await send(await answering('HTTP/1.1 101 Switching Protocols\r\n\r\n'))).toBe('no_answer')
  const server = await answering('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  expect(await send(server)).toBe('no_answer')
  expect(await send(server, { maxBytes: 0, method: 'HEAD' })).toBe('no_answer')
})

test('A connection that closes without an answer, or midway, is an error', async () => {
  expect(await send(await answering('', { ends: true }))).toBe('unreachable')
  expect(await send(await answering('HTTP/1.1 200 OK\r\nContent-', { ends: true }))).toBe('unreachable')
  const midway = await answering('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf', { ends: true })
  expect(await send(midway)).toBe('broken_off')
  expect(await send(midway, { cutBody: true })).toBe('half')
  expect(await send(await answering('nonsense\r\n\r\n'))).toBe('unreachable')
})

test('A body that never ends, in size or in time, ends the request', async () => {
  const endless = await listen(
    createServer((_, response) => {
      response.on('error', () => {})
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }),
  )
  expect(await send(endless)).toBe('too_large')
  expect(await send(endless, { cutBody: true })).toHaveLength(100)
  const stalled = await answering('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf')
  expect(await send(stalled, { timeoutMs: 100 })).toBe('timeout')
  expect(await send(stalled, { timeoutMs: 100, cutBody: true })).toBe('half')
})

test('A server that says nothing, or only continues, is given up at the deadline', async () => {
  expect(await send(await answering(''), { timeoutMs: 100 })).toBe('timeout')
  expect(await send(await answering('HTTP/1.1 100 Continue\r\n\r\n'), { timeoutMs: 100 })).toBe('timeout')
  expect(await send(await answering(''), { signal: AbortSignal.timeout(100) })).toBe('timeout')
  expect(await send(await answering(''), { signal: AbortSignal.abort() })).toBe('timeout')
})

test('A lookup that never answers is given up at the deadline', async () => {
  expect(await send('http://shop.test/', { timeoutMs: 100, dns: { lookup: (() => {}) as never, resolve4 } })).toBe(
    'timeout',
  )
})

test('A host with one private address isn’t connected to', async () => {
  const lookup = ((_: string, __: object, done: (error: null, found: object[]) => void) =>
    done(null, [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])) as never
  expect(await send('http://shop.test/', { isAllowed: (ip) => ip !== '10.0.0.1', dns: { lookup, resolve4 } })).toBe(
    'private_network',
  )
})
