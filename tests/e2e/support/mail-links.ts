import { createHmac } from 'node:crypto'
import { type APIRequestContext, expect } from '@playwright/test'
import { createSecretBox } from '../../../src/server/config/secret-box.ts'
import { writeMailToken } from '../../../src/server/features/mail-preferences/mail-token.ts'

/** Of the server of these tests: with it a journey can begin with the link of a mail. */
export const serverSecret = 'a secret of the server of the journeys'
export const webhookSecret = 'a secret of the webhook of the journeys'

/** The unsubscribe link that a mail to this user carries, as a path. */
export function unsubscribeLink(userId: string, stream: 'drops' | 'news' = 'drops'): string {
  return `/unsubscribe?token=${writeMailToken(createSecretBox(serverSecret), { userId, stream, deliveryId: null })}`
}

/** A mail provider reports that mail to an address came back. */
export async function reportBounce(api: APIRequestContext, email: string) {
  const body = JSON.stringify({
    events: [{ id: crypto.randomUUID(), type: 'hard_bounce', email, detail: '550 No such user' }],
  })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex')
  const answer = await api.post('/webhooks/mail/generic', {
    headers: { 'Mail-Signature': `t=${t},v1=${v1}` },
    data: body,
  })
  expect(answer.status(), await answer.text()).toBe(200)
}
