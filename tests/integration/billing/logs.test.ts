import pino from 'pino'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { type Billing, deliver, eventsOf, openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())

test('B32: keys, webhook secrets, checkout and portal URLs and email addresses are never logged', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace', base: undefined }, { write: (line: string) => void lines.push(line) })
  const deps = { ...billing.deps, logger }
  const app = createApp(deps)
  const loud: Billing = { ...billing, deps, server: { ...billing.server, deps, app } }
  const user = await billing.user()
  const ask = (name: string, body: unknown) => call({ app }, name, body, user.token)

  const priceId = billing.priceOf('pro_monthly')
  const first = await ask('create-checkout', { priceId })
  await payAtCheckout(String(first.body.url))
  const events = await eventsOf(billing.api, await billing.customerOf(user))
  for (const event of events) await deliver(loud, event)
  const portal = await ask('customer-portal', undefined)
  const cardForm = await ask('update-card', undefined)
  const overview = await ask('billing-overview', {})
  const [invoice] = (overview.body as unknown as BillingOverview).stripe?.invoices ?? []
  if (!invoice?.url) throw new Error('there is no invoice to keep quiet about')
  const requestId = crypto.randomUUID()
  const agreed = { prorationDate: 1, dueTodayCents: 0 }
  await ask('switch-plan', { priceId: billing.priceOf('team_monthly'), ...agreed, requestId })
  await ask('cancel-plan', { comment: 'a private word', requestId })
  await deliver(loud, events[0] ?? {}, { secret: 'whsec_forged' })
  await deliver(loud, { ...events[0], id: 'evt_live', livemode: true })
  await reconcile(deps)
  billing.proxy.outage = 'refused'
  await ask('create-checkout', { priceId })
  await ask('customer-portal', undefined)
  await ask('billing-overview', {})
  await ask('resume-plan', { requestId })
  await ask('complete-checkout', { sessionId: 'cs_test_1' })
  billing.server.clock.advance(31_000)
  await ask('check-subscription', { refresh: true })
  await deliver(loud, { ...events.at(-1), id: 'evt_other' })
  billing.proxy.outage = null

  const log = lines.join('')
  expect(log).toContain('Stripe call failed')
  expect(log).toContain('a webhook was refused')
  for (const secret of [
    user.email,
    user.token,
    String(first.body.url),
    String(portal.body.url),
    String(cardForm.body.url),
    invoice.url,
    'a private word',
    '/p/session/',
    '/c/pay/',
    billing.deps.config.stripe.secretKey,
    billing.deps.config.stripe.webhookSecrets[0] ?? '',
    'sk_test',
    'whsec',
  ]) {
    expect(log).not.toContain(secret)
  }
})
