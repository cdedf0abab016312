import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSmsJob } from '#server/jobs/sms-job.ts'
import { createSmsGateway } from './sms-gateway.ts'

let gateway: Server | undefined
afterEach(() => gateway?.close())

type Received = { headers: IncomingMessage['headers']; body: unknown }

/** A local gateway that responds with the given statuses in turn. */
async function listening(...statuses: number[]) {
  const received: Received[] = []
  gateway = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(text) })
      response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end(`echo ${text}`)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => gateway?.once('listening', resolve))
  return { received, url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/messages` }
}

const sms = { to: '+15550100', text: '123456 is your code' }

test('a message is posted as JSON with the configured token', async () => {
  const { received, url } = await listening(202)
  await createSmsGateway({ url, token: 'gateway-token' }).send(sms)
  expect(received).toMatchObject([
    { headers: { authorization: 'Bearer gateway-token', 'content-type': 'application/json' }, body: sms },
  ])
})

test('without a token no Authorization header is sent', async () => {
  const { received, url } = await listening()
  await createSmsGateway({ url, token: null }).send(sms)
  expect(received[0]?.headers.authorization).toBeUndefined()
})

test.each([500, 401, 302])('status %i is an error, whose message contains no secrets', async (status) => {
  const { url } = await listening(status)
  const failed = await createSmsGateway({ url, token: 'gateway-token' })
    .send(sms)
    .then(
      () => null,
      (error: Error) => error,
    )
  expect(failed).toBeInstanceOf(Error)
  expect(`${failed?.message} ${failed?.cause}`).not.toMatch(/123456|15550100|gateway-token/)
})

test('the job drops expired codes', async () => {
  const { received, url } = await listening()
  const now = new Date('2026-11-21T10:00:00Z')
  const job = createSmsJob(createSmsGateway({ url, token: null }), () => now)
  await job.run({ ...sms, expiresAt: '2026-11-21T10:00:00.000Z' })
  expect(received).toEqual([])
  await job.run({ ...sms, expiresAt: '2026-11-21T10:00:01.000Z' })
  expect(received).toHaveLength(1)
})
