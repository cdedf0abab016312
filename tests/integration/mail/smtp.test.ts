import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDkimSigner } from '#server/mail/dkim.ts'
import { createSmtpMailer } from '#server/mail/smtp-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
})
const dkim = { domain: 'example.test', selector: 'news', privateKey }
/** A DNS resolver that knows only our key. */
const resolver = async (name: string) => {
  if (name !== 'news._domainkey.example.test') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
  return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
}

let server: TestSmtpServer
let refuseNext = false
beforeAll(async () => {
  server = await startSmtpServer({
    behave: () => {
      const refuse = refuseNext
      refuseNext = false
      return refuse ? { refuse: 550 } : 'accept'
    },
  })
})
beforeEach(() => {
  server.received.length = 0
})
afterAll(() => server.close())

const openMailer = async ({ signed = false } = {}) =>
  createSmtpMailer({
    transport: createSmtpTransport({ url: server.url, connections: 2 }),
    signer: signed ? await createDkimSigner(dkim) : null,
    from: { name: 'Front Counter', address: 'newsletter@example.test' },
  })

const email = {
  to: 'reader@example.test',
  subject: 'Drei Dinge für heute — und ein €',
  text: 'The plain part.\n.\n..and dots',
  html: '<p>The <b>rich</b> part.</p>',
  headers: { 'X-Kind': 'account' },
}

test('a message arrives over SMTP with both parts, its sender and its own headers', async () => {
  const mailer = await openMailer()
  await mailer.send(email)
  await mailer.close()
  const arrived = await simpleParser(server.received[0]?.raw ?? '')
  expect(arrived.from?.text).toBe('"Front Counter" <newsletter@example.test>')
  expect(arrived.subject).toBe(email.subject)
  expect(arrived.text?.trim()).toBe(email.text)
  expect(arrived.html).toContain('<b>rich</b>')
  expect(arrived.headers.get('x-kind')).toBe('account')
})

test('a rejection by the mail server is an error for the job, not a sent email', async () => {
  const mailer = await openMailer()
  refuseNext = true
  await expect(mailer.send(email)).rejects.toThrow('test response 550')
  await mailer.close()
})

test('account email is signed: an independent verifier accepts the signature, and rejects it after any change', async () => {
  const mailer = await openMailer({ signed: true })
  await mailer.send(email)
  await mailer.close()
  const raw = server.received[0]?.raw.toString('latin1') ?? ''
  const verdict = async (message: string) => {
    const { results } = await dkimVerify(Buffer.from(message, 'latin1'), { resolver })
    return results.map(({ status }) => status.result)
  }
  expect(await verdict(raw)).toEqual(['pass'])
  expect(await verdict(raw.replace(/^Subject: .*/m, 'Subject: Other'))).toEqual(['fail'])
  expect(await verdict(`From: bank@example.test\r\n${raw}`)).toEqual(['fail'])
  expect(await verdict(raw.replace(/rich/, 'poor'))).not.toEqual(['pass'])
})

test('a key that can’t sign is refused with one message that doesn’t reveal it', async () => {
  const curve = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const privateKey of ['garbage', curve, curve.replaceAll('\n', '')]) {
    const refused = await createDkimSigner({ ...dkim, privateKey }).catch((error: Error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect((refused as Error).message).toMatch(/^DKIM_PRIVATE_KEY /)
    expect((refused as Error).message).not.toContain(privateKey.slice(30, 60) || privateKey)
  }
})
