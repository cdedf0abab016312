import { beforeEach, expect, test } from 'vitest'
import type { MemberBilling } from '#shared/contracts/billing/member-billing.ts'
import { ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
let mia: TestUser
beforeEach(async () => {
  billing.proxy.outage = null
  billing.server.clock.now = new Date()
  admin = await billing.user({ admin: true })
  mia = await billing.user()
  await payAtCheckout(await billing.checkout(mia))
  await billing.check(mia)
})

const read = async () => {
  const { status, body } = await billing.call('admin-member-billing', { userId: mia.id }, admin)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as MemberBilling
}
const newest = async () => {
  const invoice = (await read()).stripe?.invoices[0]
  if (!invoice) throw new Error('no invoice')
  return invoice
}
type Given = Partial<{
  userId: string
  requestId: string
  invoiceId: string
  amountCents: number
  refundedCents: number
}>
const refund = async (given: Given = {}, as = admin) =>
  billing.call(
    'admin-refund-invoice',
    {
      userId: mia.id,
      requestId: crypto.randomUUID(),
      amountCents: 300,
      refundedCents: 0,
      reason: 'Didn’t use it',
      ...given,
      invoiceId: given.invoiceId ?? (await newest()).id,
    },
    as,
  )
const entriesOf = async (event: 'invoice_refunded' | 'balance_credited') =>
  (await auditEntries(billing.server, event)).filter(({ user_id }) => user_id === mia.id)
const refundsAtStripe = async () => {
  const { data } = await billing.api.charges.list({ customer: await billing.customerOf(mia) })
  return data.map(({ amount_refunded }) => amount_refunded)
}
const revenueThisMonth = async () => {
  const { body } = await billing.call('admin-revenue', {}, admin)
  const months = body.months as { total: { paidCents: number; refundedCents: number } }[]
  return months.at(-1)?.total
}

test('shows invoices with links, and totals to the cent', async () => {
  expect(await read()).toMatchObject({
    customerUrl: expect.stringContaining('/sandbox/customers/cus_'),
    totals: [{ currency: 'usd', paidCents: 1000, refundedCents: 0 }],
    stripe: {
      invoices: [
        {
          status: 'paid',
          totalCents: 1000,
          paidCents: 1000,
          refundedCents: 0,
          refundableCents: 1000,
          url: expect.stringContaining('/invoice/in_'),
        },
      ],
      hasMore: false,
      creditCents: 0,
      currency: 'usd',
      lastTransactionId: null,
    },
  })
})

test('a partial refund, then the rest: Stripe, the revenue records, the log and the page agree', async () => {
  const before = await revenueThisMonth()
  expect(await refund()).toMatchObject({ status: 200, body: { refundedCents: 300, currency: 'usd' } })
  expect(await refund({ amountCents: 700, refundedCents: 300 })).toMatchObject({ body: { refundedCents: 1000 } })
  expect(await refundsAtStripe()).toEqual([1000])
  expect(await newest()).toMatchObject({ refundedCents: 1000, refundableCents: 0 })
  expect((await read()).totals).toEqual([{ currency: 'usd', paidCents: 1000, refundedCents: 1000 }])
  expect(await revenueThisMonth()).toMatchObject({ refundedCents: (before?.refundedCents ?? 0) + 1000 })
  expect((await entriesOf('invoice_refunded')).map(({ changes, by, note }) => ({ changes, by, note }))).toEqual(
    expect.arrayContaining([
      {
        changes: [{ field: 'refunded', before: '$0.00', after: '$3.00' }],
        by: admin.email,
        note: 'Didn’t use it',
      },
      expect.objectContaining({ changes: [{ field: 'refunded', before: '$3.00', after: '$10.00' }] }),
    ]),
  )
  expect(await refund({ amountCents: 1, refundedCents: 1000 })).toMatchObject({
    status: 422,
    body: { code: 'refund_too_large' },
  })
})

test('a second click, on a second node too, refunds once and is logged once', async () => {
  const second = await createTestApp({
    config: billing.deps.config,
    stripe: billing.deps.stripe,
    database: billing.server.database,
  })
  const { id: invoiceId } = await newest()
  const body = { userId: mia.id, requestId: crypto.randomUUID(), invoiceId, amountCents: 400, refundedCents: 0 }
  const answers = await Promise.all(
    [billing.server, second, billing.server].map((node) => call(node, 'admin-refund-invoice', body, admin.token)),
  )
  expect(answers.map((answer) => answer.body)).toEqual(Array(3).fill({ refundedCents: 400, currency: 'usd' }))
  expect(await refundsAtStripe()).toEqual([400])
  expect(await entriesOf('invoice_refunded')).toHaveLength(1)
})

test('two tabs: the second refund is refused, because the invoice has changed', async () => {
  const [one, two] = await Promise.all([refund(), refund()])
  expect([one.status, two.status].toSorted()).toEqual([200, 409])
  expect([one, two].find(({ status }) => status === 409)?.body).toMatchObject({ code: 'refund_changed' })
  expect(await refundsAtStripe()).toEqual([300])
})

test('without Stripe, nothing is refunded or logged, and the same request works afterwards', async () => {
  const { id: invoiceId } = await newest()
  const requestId = crypto.randomUUID()
  billing.proxy.outage = 'refused'
  expect(await refund({ invoiceId, requestId })).toMatchObject({ status: 502, body: { code: 'stripe_unavailable' } })
  expect((await read()).totals).toEqual([{ currency: 'usd', paidCents: 1000, refundedCents: 0 }])
  billing.proxy.outage = null
  expect(await entriesOf('invoice_refunded')).toEqual([])
  expect(await refund({ invoiceId, requestId })).toMatchObject({ status: 200 })
  expect(await refundsAtStripe()).toEqual([300])
})

test('an answer of Stripe that gets lost: trying again neither refunds twice nor loses the log entry', async () => {
  const { id: invoiceId } = await newest()
  const requestId = crypto.randomUUID()
  for (let times = 0; times < 3; times += 1) {
    billing.proxy.failOnce(({ method, path }) => method === 'POST' && path === '/v1/refunds', 'after')
  }
  expect((await refund({ invoiceId, requestId })).status).toBeGreaterThanOrEqual(200)
  expect(await refund({ invoiceId, requestId })).toMatchObject({ status: 200, body: { refundedCents: 300 } })
  expect(await refundsAtStripe()).toEqual([300])
  expect(await entriesOf('invoice_refunded')).toHaveLength(1)
})

test('an invoice of another member isn’t found, and a refund that Stripe refuses says why', async () => {
  const { id } = await newest()
  const other = await billing.user()
  await payAtCheckout(await billing.checkout(other))
  await billing.check(other)
  expect(await refund({ userId: other.id, invoiceId: id })).toMatchObject({ status: 404 })
  expect(await refund({ invoiceId: 'in_none' })).toMatchObject({ status: 404 })
  const newcomer = await billing.user()
  expect(await refund({ userId: newcomer.id, invoiceId: id })).toMatchObject({
    status: 409,
    body: { code: 'no_billing_account' },
  })
})

test('a credit reduces the next invoice, once per request, and names the change', async () => {
  const requestId = crypto.randomUUID()
  const credit = (given: object = {}) =>
    billing.call(
      'admin-credit-member',
      { userId: mia.id, requestId, amountCents: 250, lastTransactionId: null, reason: 'For the outage', ...given },
      admin,
    )
  const answers = await Promise.all([credit(), credit()])
  expect(answers.map(({ body }) => body)).toEqual(Array(2).fill({ creditCents: 250, currency: 'usd' }))
  const fromSecondTab = await credit({ requestId: crypto.randomUUID() })
  expect(fromSecondTab).toMatchObject({ status: 409, body: { code: 'balance_changed' } })
  const { stripe } = await read()
  expect(stripe).toMatchObject({ creditCents: 250, lastTransactionId: expect.stringMatching(/^cbtxn_/) })
  const more = await credit({ requestId: crypto.randomUUID(), lastTransactionId: stripe?.lastTransactionId })
  expect(more).toMatchObject({ status: 200, body: { creditCents: 500 } })
  expect((await entriesOf('balance_credited')).map(({ changes }) => changes)).toEqual(
    expect.arrayContaining([
      [{ field: 'credit', before: '$0.00', after: '$2.50' }],
      [{ field: 'credit', before: '$2.50', after: '$5.00' }],
    ]),
  )
  expect(await entriesOf('balance_credited')).toHaveLength(2)
})

test('moving money requires a recent confirmation and the right role', async () => {
  expect(await refund({}, mia)).toMatchObject({ status: 403 })
  const { id: invoiceId } = await newest()
  await ageAuthentication(billing.server, admin)
  expect(await refund({ invoiceId })).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  expect(await refundsAtStripe()).toEqual([0])
})
