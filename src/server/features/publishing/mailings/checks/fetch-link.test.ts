import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createFetchLink } from './fetch-link.ts'

test.each([
  ['http://127.0.0.1/', 'points to a private network'],
  ['http://[::1]/', 'points to a private network'],
  ['http://2130706433/', 'points to a private network'],
  ['https://169.254.169.254/latest/meta-data', 'points to a private network'],
  ['http://localhost/', 'points to a private network'],
  ['http://shop.test:8080/', 'uses a port that many networks block'],
  ['https://ana:secret@shop.test/', 'contains a password'],
  ['ftp://shop.test/', 'isn’t a web address'],
])('%s is not requested: it %s', async (address, refused) => {
  expect(await createFetchLink()(new URL(address), 'HEAD')).toMatchObject({ refused })
})

test('a server’s response is reported as it is: its status, its redirect, or a timeout', async () => {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    if (url === '/moved') response.writeHead(301, { location: '/there' }).end()
    else if (url === '/gone') response.writeHead(404).end('Not here')
    else if (url === '/upgrade') response.socket?.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    else if (url !== '/silent') response.end('Here')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const ask = createFetchLink({ isAllowed: () => true, anyPort: true })
  expect(await ask(new URL(`${origin}/here`), 'HEAD')).toEqual({ status: 200, location: null })
  expect(await ask(new URL(`${origin}/gone`), 'GET')).toEqual({ status: 404, location: null })
  expect(await ask(new URL(`${origin}/moved`), 'HEAD')).toEqual({ status: 301, location: '/there' })
  expect(await ask(new URL(`${origin}/upgrade`), 'GET')).toEqual({ refused: 'can’t be reached' })
  const impatient = createFetchLink({ isAllowed: () => true, anyPort: true, timeoutMs: 50 })
  expect(await impatient(new URL(`${origin}/silent`), 'GET')).toEqual({ unsure: 'did not answer in time' })

  const deadline = new AbortController()
  const cutOff = ask(new URL(`${origin}/silent`), 'GET', deadline.signal)
  deadline.abort()
  expect(await cutOff).toEqual({ unsure: 'did not answer in time' })

  // Only the guard keeps the server from being reached by name.
  const guarded = createFetchLink({ anyPort: true })
  expect(await guarded(new URL(`${origin}/secret`), 'GET')).toEqual({
    refused: 'points to a private network',
    wholeHost: true,
  })
  expect(asked.slice(0, 3)).toEqual(['HEAD /here', 'GET /gone', 'HEAD /moved'])
  expect(asked).not.toContain('GET /secret')
  server.closeAllConnections()
  server.close()

  // No server listens on this port.
  const unreachable = new URL('http://127.0.0.1:1/')
  expect(await ask(unreachable, 'HEAD')).toEqual({ refused: 'can’t be reached', wholeHost: true })
})

test.each([
  ['ENOTFOUND', { refused: 'uses a domain that doesn’t exist', wholeHost: true }],
  ['ENODATA', { refused: 'uses a domain that doesn’t exist', wholeHost: true }],
  ['ESERVFAIL', { unsure: 'couldn’t be looked up', wholeHost: true }],
  ['ETIMEOUT', { unsure: 'couldn’t be looked up', wholeHost: true }],
  ['ECONNREFUSED', { unsure: 'couldn’t be looked up', wholeHost: true }],
])('a host that isn’t found, of which a name server says %s', async (code, answer) => {
  const failure = (of: string) => Object.assign(new Error(of), { code: of })
  const lookup = ((_host: string, _options: object, done: (error: Error, found: []) => void) =>
    done(failure('ENOTFOUND'), [])) as unknown as typeof import('node:dns').lookup
  const ask = createFetchLink({ dns: { lookup, resolve4: (_host, done) => done(failure(code)) } })
  expect(await ask(new URL('http://shop.test/'), 'HEAD')).toEqual(answer)
})
