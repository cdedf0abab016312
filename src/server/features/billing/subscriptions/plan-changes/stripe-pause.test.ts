import type Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import type { BillingDeps } from '../billing-deps.ts'
import { billingStatusOf } from '../billing-overview.ts'
import { endPause } from './pause-plan.ts'

const now = new Date('2026-11-01T00:00:00Z')

test('a subscription that Stripe paused says paused, and is resumed at Stripe', async () => {
  const facts = { status: 'paused', cancelAt: null, pauseStartsAt: null, testClockTime: null }
  expect(billingStatusOf(facts, now)).toBe('paused')
  const resume = vi.fn(async () => ({}))
  const deps = { stripe: { subscriptions: { resume } }, config: { stripe: { plans: {} } } } as unknown as BillingDeps
  const subscription = { id: 'sub_1', status: 'paused', items: { data: [] } } as unknown as Stripe.Subscription
  await endPause(deps, { customerId: 'cus_1', subscription, now }, 'request')
  expect(resume).toHaveBeenCalledWith(
    'sub_1',
    { payment_behavior: 'resume_on_payment_success' },
    { idempotencyKey: 'end-pause:sub_1:request' },
  )
})
