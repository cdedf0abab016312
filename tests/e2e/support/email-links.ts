import { createHmac } from 'node:crypto'
import { type APIRequestContext, expect } from '@playwright/test'
import { writeUnsubscribeToken } from '#server/features/publishing/email-preferences/link-tokens.ts'
import type { EmailStream } from '#shared/contracts/publishing/newsletter.ts'
import { createSecretBox } from '../../../src/server/config/secret-box.ts'

/** The secret of the test server, so that a test can create its email links. */
export const serverSecret = 'a secret of the server of the journeys'
export const webhookSecret = 'a secret of the webhook of the journeys'

/** Path of the unsubscribe link in an email to this user. */
export function unsubscribeLink(userId: string, stream: EmailStream = 'drops'): string {
  return `/unsubscribe?token=${writeUnsubscribeToken(createSecretBox(serverSecret), { userId, stream, deliveryId: null })}`
}

/** Reports a hard bounce, as an email provider does. */
export async function reportBounce(api: APIRequestContext, email: string) {
  const body = JSON.stringify({
    events: [{ id: crypto.randomUUID(), type: 'hard_bounce', email, detail: '550 No such user' }],
  })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex')
  const response = await api.post('/webhooks/mail/generic', {
    headers: { 'Mail-Signature': `t=${t},v1=${v1}` },
    data: body,
  })
  expect(response.status(), await response.text()).toBe(200)
}
