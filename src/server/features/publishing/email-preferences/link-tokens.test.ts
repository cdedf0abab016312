import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '#server/config/secret-box.ts'
import { createEmailLinks, createTestLinks } from './email-links.ts'
import {
  readClickToken,
  readDeliveryToken,
  readUnsubscribeToken,
  writeClickToken,
  writeDeliveryToken,
  writeUnsubscribeToken,
} from './link-tokens.ts'

const secrets = createSecretBox('present '.repeat(5))
const rotated = createSecretBox('next one '.repeat(5), ['present '.repeat(5)])
const stranger = createSecretBox('another secret '.repeat(5))
const reference = { userId: randomUUID(), stream: 'news', deliveryId: '9007199254740993' } as const

test('A token for a newsletter of the publisher contains its id, and tokens without one read as before', () => {
  const added = { ...reference, stream: 'newsletter:70000' } as const
  const token = writeUnsubscribeToken(secrets, added)
  expect(readUnsubscribeToken(rotated, token)).toEqual(added)
  expect(readUnsubscribeToken(stranger, token)).toBeNull()
  expect(token).toMatch(/^[\w.-]{50,90}$/)
  const text = Buffer.concat([
    Buffer.from([1]),
    Buffer.from(reference.userId.replaceAll('-', ''), 'hex'),
    Buffer.alloc(8),
  ]).toString('base64url')
  const earlier = `${text}.${secrets.sign('mail link', text)}`
  expect(readUnsubscribeToken(secrets, earlier)).toEqual({ ...reference, deliveryId: null })
})

test('An unsubscribe token contains user, stream and delivery, and survives a secret rotation', () => {
  const token = writeUnsubscribeToken(secrets, reference)
  expect(readUnsubscribeToken(secrets, token)).toEqual(reference)
  expect(readUnsubscribeToken(rotated, token)).toEqual(reference)
  expect(token).toMatch(/^[\w.-]{50,90}$/)
  const test = { ...reference, stream: 'drops', deliveryId: null } as const
  expect(readUnsubscribeToken(secrets, writeUnsubscribeToken(secrets, test))).toEqual(test)
})

test('A forged or altered token is rejected', () => {
  const token = writeUnsubscribeToken(secrets, reference)
  expect(readUnsubscribeToken(stranger, token)).toBeNull()
  for (const odd of ['', '.', 'a.b', 'test', `${token}.x`, token.slice(0, -1)])
    expect(readUnsubscribeToken(secrets, odd)).toBeNull()
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    expect(readUnsubscribeToken(secrets, changed)).toBeNull()
  }
})

test('A delivery token is case-insensitive and fits in the local part of an address', () => {
  const mark = writeDeliveryToken(secrets, 'mail identity', '9223372036854775807')
  expect(mark.length).toBeLessThanOrEqual(64 - 'bounces+'.length)
  expect(readDeliveryToken(rotated, 'mail identity', mark.toUpperCase())).toBe('9223372036854775807')
  expect(readDeliveryToken(secrets, 'mail opened', mark)).toBeNull()
  expect(readDeliveryToken(stranger, 'mail identity', mark)).toBeNull()
  expect(readDeliveryToken(secrets, 'mail identity', mark.replace(/^./, '2'))).toBeNull()
})

test('A tracked link redirects only to the URL it was signed for', () => {
  const url = 'https://example.com/a?b=c&d=ü'
  const token = writeClickToken(secrets, '7', url)
  expect(readClickToken(secrets, token, url)).toBe('7')
  expect(readClickToken(secrets, token, 'https://evil.test/')).toBeNull()
  expect(readClickToken(secrets, token.replace(/^7/, '8'), url)).toBeNull()
  expect(readClickToken(secrets, '', url)).toBeNull()
})

test('Links are tracked only for a reader who allows it, in a tracked mailing', () => {
  const deps = { secrets, config: { publicUrl: 'https://letters.example.com' } }
  const to = { deliveryId: '7', userId: randomUUID() }
  const silent = createEmailLinks(deps, { kind: 'issue' })
  expect(silent).not.toHaveProperty('click')
  expect(silent).not.toHaveProperty('open')
  const counting = createEmailLinks(deps, { kind: 'issue', tracked: true })
  expect(counting.click?.(to, 'https://example.com/')).toBe('https://example.com/')
  expect(counting.open?.(to)).toBeNull()
  expect(counting.click?.({ ...to, allowsTracking: true }, 'https://example.com/')).toContain('/mail/click/7.')
  expect(counting.open?.({ ...to, allowsTracking: true })).toMatch(/\/mail\/open\/7-[0-9a-f]{32}\.gif$/)
})

test('Links in test emails have no valid token', () => {
  const links = createTestLinks({ config: { publicUrl: 'https://letters.example.com' } })
  const to = { deliveryId: '7', userId: randomUUID() }
  for (const link of [links.unsubscribePage(to), links.oneClick(to)])
    expect(readUnsubscribeToken(secrets, link.split(/[/=]/).at(-1) ?? '')).toBeNull()
})
