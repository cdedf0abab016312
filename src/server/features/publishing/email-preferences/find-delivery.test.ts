import { expect, test } from 'vitest'
import { createSecretBox } from '#server/config/secret-box.ts'
import { returnPathOf } from '#server/mail/newsletter-mailer.ts'
import { findDelivery } from './find-delivery.ts'
import { writeDeliveryToken } from './link-tokens.ts'

const secrets = createSecretBox('a secret '.repeat(5))
const name = writeDeliveryToken(secrets, 'mail identity', '9223372036854775807')
const messageId = `<${name}@letters.example.com>`

test('A delivery is found by its envelope sender', () => {
  const sender = returnPathOf('bounces@example.com', messageId) ?? ''
  expect(sender).toBe(`bounces+${name}@example.com`)
  expect(sender.split('@')[0]?.length).toBeLessThanOrEqual(64)
  expect(findDelivery({ secrets }, sender.toUpperCase())).toBe('9223372036854775807')
  expect(findDelivery({ secrets }, undefined, 'nothing', messageId)).toBe('9223372036854775807')
})

test('Without a bounce address or a delivery there is no separate envelope sender', () => {
  expect(returnPathOf(null, messageId)).toBeNull()
  expect(returnPathOf('bounces@example.com', '<test.0b5c9a1e-1111-4111-8111-111111111111@example.com>')).toBeNull()
})
