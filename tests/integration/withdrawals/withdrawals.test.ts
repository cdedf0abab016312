import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import { publicationSettings, purchase, purchaseConsent, withdrawal } from '#server/db/schema/index.ts'
import { oneTimePaymentJobOf } from '#server/features/billing/purchases/feature.ts'
import { workOnPurchases } from '#server/features/billing/purchases/refund-purchase.ts'
import { takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { workOnWithdrawals } from '#server/features/billing/withdrawals/feature.ts'
import type { WithdrawalsPage } from '#shared/contracts/billing/admin-money.ts'
import { type LegalSettings, legalDefaults } from '#shared/domain/legal.ts'
import { consentBoxes, purchaseTerms } from '#shared/domain/purchase-terms.ts'
import { createGifts } from '#tests/integration/gifts/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, dayMs, openBilling, payAtCheckout } from '../billing/support.ts'

const billing = openForTests(() => openBilling())
const set = (legal: Partial<LegalSettings>) => {
  const { settings } = billing.deps.config
  settings.replace({ publication: { ...settings.publication, legal: { ...legalDefaults, ...legal } } })
}
beforeEach(async () => {
  // Saving a plan reads the stored ones, which a new database has and an emptied one lacks.
  await takeOverPlans(billing.db, billing.deps.config)
  set({ withdrawal: 'full' })
  billing.server.clock.now = new Date()
})

const terms = () => {
  const { legal, plans } = billing.deps.config.settings.publication
  const plan = plans.find(({ key }) => key === 'pro_monthly')
  if (!plan) throw new Error('no plan')
  return [...purchaseTerms({ plan, trialDays: 0 }), ...consentBoxes(legal, plan)].join('\n')
}

async function buyer() {
  const user = await billing.user()
  const wanted = { priceId: billing.priceOf('pro_monthly'), agreed: terms() }
  const { status, body } = await billing.call('create-checkout', wanted, user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  return { user, customer }
}

const post = (path: string, fields: Record<string, string>) =>
  billing.server.app.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    body: new URLSearchParams(fields).toString(),
  })
const declare = (email: string, name = 'Ana Silva') => post('/withdraw', { name, email })
const emailsTo = (address: string) => billing.server.outbox.list(address)
const tokenFor = (address: string) => /token=([^\s"]+)/.exec(emailsTo(address)[0]?.text ?? '')?.[1] ?? ''
const open = async (token: string) =>
  (await billing.server.app.request(`/withdraw/confirm?token=${token}`, { headers: { Accept: 'text/html' } })).text()
const contractIn = (page: string) => /name="contract" value="([^"]+)"/.exec(page)?.[1] ?? ''
const confirm = async (token: string, contract?: string) =>
  (await post('/withdraw/confirm', { token, contract: contract ?? contractIn(await open(token)) })).text()

async function withdraw(email: string) {
  expect((await declare(email)).status).toBe(200)
  const token = tokenFor(email)
  return { token, page: await confirm(token) }
}

const chargesOf = async (customer: string): Promise<Stripe.Charge[]> =>
  (await billing.api.charges.list({ customer, limit: 100 })).data
const refundedOf = async (customer: string) =>
  (await chargesOf(customer)).reduce((sum, { amount_refunded: cents }) => sum + cents, 0)
const rowsOf = (email: string) => billing.db.select().from(withdrawal).where(eq(withdrawal.email, email))
const subscriptionOf = async (customer: string) =>
  (await billing.api.subscriptions.list({ customer, status: 'all' })).data[0] as Stripe.Subscription

describe('a withdrawal within 14 days', () => {
  test('takes two steps signed out, ends the plan, refunds everything once, and sends a receipt with date and time', async () => {
    const { user, customer } = await buyer()
    const { page, token } = await withdraw(user.email)
    expect(page).toContain('You withdrew from Pro Monthly')
    expect(await refundedOf(customer)).toBe(1000)
    expect((await subscriptionOf(customer)).status).toBe('canceled')
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    const receipt = emailsTo(user.email).find(({ subject }) => subject.startsWith('Receipt of your withdrawal'))
    expect(receipt?.text).toMatch(/Ana Silva withdraws from the contract for Pro Monthly/)
    expect(receipt?.text).toMatch(/\d{1,2}:\d\d\s[AP]M/)
    expect(receipt?.text).toContain('$10.00')
    expect(await rowsOf(user.email)).toMatchObject([{ refundCents: 1000, settledAt: expect.any(Date) }])
    expect(await open(token)).toContain('You withdrew from Pro Monthly')
    const admin = await billing.user({ admin: true })
    const { body } = await billing.call('admin-audit-log', { events: ['purchase_withdrawn'] }, admin)
    expect(JSON.stringify(body.items)).toContain('Pro Monthly; $10.00')
  })

  test('confirmed twice, at once, and by a second declaration refunds once', async () => {
    const { user, customer } = await buyer()
    await declare(user.email)
    const token = tokenFor(user.email)
    const contract = contractIn(await open(token))
    await Promise.all([confirm(token, contract), confirm(token, contract)])
    await declare(user.email)
    expect(await open(tokenFor(user.email))).toContain('You’ve already withdrawn from it.')
    await confirm(tokenFor(user.email), contract)
    await workOnWithdrawals(billing.deps)
    expect(await refundedOf(customer)).toBe(1000)
    expect(emailsTo(user.email).filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(1)
  })

  test('isn’t offered after a full refund by staff; after a partial one it refunds the rest', async () => {
    const all = await buyer()
    const part = await buyer()
    for (const [{ customer }, amount] of [
      [all, 1000],
      [part, 300],
    ] as const) {
      const [charge] = await chargesOf(customer)
      await billing.api.refunds.create({ charge: charge?.id, amount })
    }
    await declare(all.user.email)
    const page = await open(tokenFor(all.user.email))
    expect([page.includes('already been refunded'), contractIn(page)]).toEqual([true, ''])
    await withdraw(part.user.email)
    expect(await refundedOf(part.customer)).toBe(1000)
    expect(await rowsOf(part.user.email)).toMatchObject([{ refundCents: 700 }])
  })

  test('of a canceled plan refunds it and ends access', async () => {
    const { user, customer } = await buyer()
    await billing.call('cancel-plan', { requestId: randomUUID() }, user)
    await withdraw(user.email)
    expect([await refundedOf(customer), (await subscriptionOf(customer)).status]).toEqual([1000, 'canceled'])
  })

  test('counts from when the form was sent, even if the link is opened later; afterwards the page says that it’s too late', async () => {
    const { user, customer } = await buyer()
    const late = await buyer()
    billing.server.clock.now = new Date(Date.now() + 14 * dayMs)
    await declare(user.email)
    billing.server.clock.now = new Date(Date.now() + 17 * dayMs)
    expect(await confirm(tokenFor(user.email))).toContain('You withdrew from')
    expect(await refundedOf(customer)).toBe(1000)
    await declare(late.user.email)
    const page = await open(tokenFor(late.user.email))
    expect([page.includes('The withdrawal period ended'), contractIn(page)]).toEqual([true, ''])
    const subscription = await subscriptionOf(late.customer)
    await confirm(tokenFor(late.user.email), `plan:${subscription.id}`)
    expect([await refundedOf(late.customer), (await subscriptionOf(late.customer)).status]).toEqual([0, 'active'])
  })

  test('refunds the rest of the period if the buyer asked for immediate access, and everything if not', async () => {
    const without = await buyer()
    set({ withdrawal: 'prorated' })
    const { user, customer } = await buyer()
    const { current_period_start: start = 0, current_period_end: end = 0 } =
      (await subscriptionOf(customer)).items.data[0] ?? {}
    billing.server.clock.now = new Date((start + 5 * 86_400) * 1000)
    await withdraw(user.email)
    const left = Math.ceil((1000 * (end - start - 5 * 86_400)) / (end - start))
    expect(await refundedOf(customer)).toBe(left)
    await withdraw(without.user.email)
    expect(await refundedOf(without.customer)).toBe(1000)
  })

  test('during a dispute ends the plan and moves no money; a dispute that is won is refunded then, a lost one never', async () => {
    const outcome = async (evidence: 'winning_evidence' | 'losing_evidence') => {
      const user = await billing.user()
      await payAtCheckout(await billing.checkout(user), '4000 0000 0000 0259')
      const customer = await billing.customerOf(user)
      await syncCustomer(billing.deps, customer)
      const { page } = await withdraw(user.email)
      expect(page).toContain('You withdrew from')
      expect([await refundedOf(customer), (await subscriptionOf(customer)).status]).toEqual([0, 'canceled'])
      await workOnWithdrawals(billing.deps)
      expect(await rowsOf(user.email)).toMatchObject([{ settledAt: null }])
      const [charge] = await chargesOf(customer)
      const [dispute] = (await billing.api.disputes.list({ charge: charge?.id })).data
      await billing.api.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: evidence }, submit: true })
      await workOnWithdrawals(billing.deps)
      await workOnWithdrawals(billing.deps)
      expect(await rowsOf(user.email)).toMatchObject([{ settledAt: expect.any(Date) }])
      return refundedOf(customer)
    }
    expect([await outcome('winning_evidence'), await outcome('losing_evidence')]).toEqual([1000, 0])
  })

  test('of a gift refunds the giver in full and ends its access, even after it was claimed', async () => {
    const gifts = createGifts(billing)
    await gifts.save()
    const sent = await gifts.buy()
    const claimed = await gifts.buy()
    const recipient = await billing.user()
    expect((await gifts.claim(recipient, gifts.claimTokenOf(claimed.recipientEmail))).status).toBe(200)
    for (const { giverEmail, requestId } of [sent, claimed]) {
      await withdraw(giverEmail)
      await gifts.work()
      expect(await gifts.rowOf(requestId)).toMatchObject({
        state: 'refunded',
        refundedCents: 9900,
        refundReason: 'withdrawn',
      })
    }
    expect(await billing.check(recipient)).toMatchObject({ subscribed: false })
  })

  test('in a trial ends the plan before anything is charged', async () => {
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    const card = await attachCard(billing.api, customer)
    const items = [{ price: billing.priceOf('pro_monthly') }]
    await billing.api.subscriptions.create({ customer, items, default_payment_method: card, trial_period_days: 30 })
    await syncCustomer(billing.deps, customer)
    billing.server.clock.now = new Date(Date.now() + 25 * dayMs)
    const { page } = await withdraw(user.email)
    expect(page).toContain('Refund: $0.00')
    expect([await refundedOf(customer), (await subscriptionOf(customer)).status]).toEqual([0, 'canceled'])
  })

  test('is finished by the job, to the cent, if Stripe stops answering halfway', async () => {
    const { user, customer } = await buyer()
    await declare(user.email)
    const token = tokenFor(user.email)
    billing.proxy.failOnce(({ method, path }) => method === 'POST' && path.startsWith('/v1/refunds'), 'after')
    expect(await confirm(token)).toContain('You withdrew from')
    await workOnWithdrawals(billing.deps)
    await workOnWithdrawals(billing.deps)
    expect(await refundedOf(customer)).toBe(1000)
    expect(await rowsOf(user.email)).toMatchObject([{ settledAt: expect.any(Date) }])
  })

  test('while Stripe is down changes nothing and can be tried again', async () => {
    const { user, customer } = await buyer()
    await declare(user.email)
    const token = tokenFor(user.email)
    const contract = contractIn(await open(token))
    billing.proxy.outage = 'refused'
    try {
      expect((await post('/withdraw/confirm', { token, contract })).status).toBe(502)
    } finally {
      billing.proxy.outage = null
    }
    expect([await refundedOf(customer), (await rowsOf(user.email))[0]?.confirmedAt]).toEqual([0, null])
    expect(await confirm(token)).toContain('You withdrew from')
  })
})

describe('the form', () => {
  test('says the same to every address, and sends at most five emails a day', async () => {
    const nobody = `nobody-${randomUUID()}@example.test`
    const { user } = await buyer()
    const pages = [await (await declare(user.email)).text()]
    for (const _time of [1, 2, 3, 4, 5, 6, 7]) pages.push(await (await declare(nobody)).text())
    expect(new Set(pages).size).toBe(1)
    expect(emailsTo(nobody)).toHaveLength(5)
    expect(await open(tokenFor(nobody))).toContain('We found no purchase with this address')
  })

  test('refuses an invalid name or address, an invalid token, and someone else’s contract', async () => {
    expect((await declare('not an address')).status).toBe(422)
    expect((await declare('ana@example.test', '   ')).status).toBe(422)
    expect((await billing.server.app.request('/withdraw/confirm?token=x')).status).toBe(404)
    const { user, customer } = await buyer()
    const other = await buyer()
    await declare(user.email)
    await confirm(tokenFor(user.email), `plan:${(await subscriptionOf(other.customer)).id}`)
    for (const contract of ['', 'plan:', 'gift:x', '__proto__', "plan:' or 1=1"])
      await confirm(tokenFor(user.email), contract)
    expect([await refundedOf(customer), await refundedOf(other.customer)]).toEqual([0, 0])
  })

  test('doesn’t exist while the publisher has it off', async () => {
    set({ withdrawal: 'off' })
    expect((await billing.server.app.request('/withdraw')).status).toBe(404)
    expect((await declare('ana@example.test')).status).toBe(404)
  })

  test('escapes what was typed', async () => {
    const page = await (await declare('x', '<b>"Bold"</b>')).text()
    expect(page).not.toContain('<b>')
    expect(page).toContain('value="&lt;b&gt;&quot;Bold&quot;&lt;/b&gt;"')
  })

  test('a deleted account leaves the withdrawal without name and address', async () => {
    const { user } = await buyer()
    await withdraw(user.email)
    const [row] = await rowsOf(user.email)
    const data = await billing.call('export-data', {}, user)
    expect(JSON.stringify(data.body)).toContain('Ana Silva')
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
    const [left] = await billing.db
      .select()
      .from(withdrawal)
      .where(eq(withdrawal.id, row?.id ?? ''))
    expect(left).toMatchObject({ name: '', email: '', refundCents: 1000 })
  })
})

describe('consent', () => {
  const checkout = (user: TestUser, agreed?: string) =>
    billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly'), agreed }, user)
  const consentOf = async ({ id }: TestUser) =>
    (await billing.db.select().from(purchaseConsent).where(eq(purchaseConsent.userId, id)))[0]

  test('is required if the publisher asks for it, and only for the terms as shown', async () => {
    set({ asksConsent: true })
    const user = await billing.user()
    billing.proxy.calls.length = 0
    for (const agreed of [undefined, '', 'yes', `${terms()} `]) {
      expect((await checkout(user, agreed)).body.code).toBe('consent_required')
    }
    expect(billing.proxy.calls.filter(({ path, method }) => method === 'POST' && path.includes('sessions'))).toEqual([])
    expect((await checkout(user, terms())).status).toBe(200)
    expect(await consentOf(user)).toMatchObject({
      terms: terms(),
      ...{ agreed: true, waived: false, priceCents: 1000, currency: 'usd', interval: 'month', version: 0 },
    })
  })

  test('is stored with what was shown even if nothing is asked, and outlives the account', async () => {
    set({})
    const user = await billing.user()
    const saved = { name: 'legal', value: {}, version: 7, updatedAt: new Date() }
    await billing.db.insert(publicationSettings).values(saved)
    expect((await checkout(user)).status).toBe(200)
    await billing.db.delete(publicationSettings).where(eq(publicationSettings.name, 'legal'))
    const consent = await consentOf(user)
    expect(consent).toMatchObject({ agreed: false, waived: false, version: 7 })
    expect(consent?.terms).toContain('Pro Monthly costs $10 per month. It renews every month')
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
    const [kept] = await billing.db
      .select()
      .from(purchaseConsent)
      .where(eq(purchaseConsent.id, consent?.id ?? ''))
    expect(kept).toMatchObject({ userId: null, terms: consent?.terms })
  })
})

describe('access that was paid for once', () => {
  const bought = async (once: 'period' | 'forever', card?: string) => {
    const admin = await billing.user({ admin: true })
    const requestId = randomUUID()
    const given = {
      ...{
        key: null,
        version: 0,
        requestId,
        name: 'Paid once',
        note: '',
        features: [],
        priceCents: 9000,
        currency: 'usd',
      },
      ...{ interval: 'month', intervalCount: 3, seats: 1, trialDays: null, once },
    }
    const saved = await billing.call('admin-save-plan', given, admin)
    expect([saved.status, saved.body.error]).toEqual([200, undefined])
    const key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
    const { legal, plans } = billing.deps.config.settings.publication
    const plan = plans.find((one) => one.key === key)
    if (!plan) throw new Error('no plan')
    const agreed = [...purchaseTerms({ plan, trialDays: 0 }), ...consentBoxes(legal, plan)].join('\n')
    const user = await billing.user()
    const { status, body } = await billing.call('buy-access', { plan: key, amountCents: 9000, agreed }, user)
    expect([status, body.error]).toEqual([200, undefined])
    await payAtCheckout(String(body.url), card)
    await billing.call('own-purchases', {}, user)
    if (!card) expect(await billing.check(user)).toMatchObject({ subscribed: true })
    return user
  }
  const rows = (user: TestUser) => billing.db.select().from(purchase).where(eq(purchase.userId, user.id))

  test.each(['period', 'forever'] as const)('is refunded in full and ends without a waiver (%s)', async (once) => {
    const user = await bought(once)
    const { page } = await withdraw(user.email)
    expect(page).toContain('You withdrew from Paid once')
    expect(page).toContain('Refund: $90.00')
    expect(await rows(user)).toMatchObject([{ state: 'refunded', refundedCents: 9000 }])
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
  })

  test('with a waiver, a time is refunded by what is left of it, and access for good in full', async () => {
    set({ withdrawal: 'prorated', asksConsent: true })
    const [time, good] = [await bought('period'), await bought('forever')]
    billing.server.clock.advance(9 * dayMs)
    await withdraw(time.email)
    await withdraw(good.email)
    const [timed] = await rows(time)
    expect(timed?.state).toBe('refunded')
    expect(timed?.refundedCents).toBeGreaterThan(8000)
    expect(timed?.refundedCents).toBeLessThan(8200)
    expect(await rows(good)).toMatchObject([{ state: 'refunded', refundedCents: 9000 }])
    for (const user of [time, good]) expect(await billing.check(user)).toMatchObject({ subscribed: false })
  })

  test.each([
    ['winning_evidence', 'refunded', 9000],
    // The bank has taken all of it.
    ['losing_evidence', 'refunded', 0],
  ])('during a dispute, it is refunded only once the bank says so (%s)', async (evidence, state, refunded) => {
    const user = await bought('period', '4000 0000 0000 0259')
    const { page } = await withdraw(user.email)
    expect(page).toContain('You withdrew from')
    const [row] = await rows(user)
    expect(row).toMatchObject({ state: 'disputed', refundedCents: 0, refundCents: 9000 })
    const intent = row?.stripePaymentIntentId ?? ''
    const [charge] = (await billing.api.charges.list({ payment_intent: intent })).data
    const [dispute] = (await billing.api.disputes.list({ payment_intent: intent })).data
    await billing.api.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: evidence } })
    const job = oneTimePaymentJobOf(billing.deps)
    for (let time = 0; time < 2; time += 1) {
      await job.run({ objectId: dispute?.id ?? '', chargeId: charge?.id ?? '' })
      await workOnPurchases(billing.deps)
      await workOnWithdrawals(billing.deps)
    }
    expect(await billing.api.charges.retrieve(charge?.id ?? '')).toMatchObject({ amount_refunded: refunded })
    expect((await rows(user))[0]?.state).toBe(state)
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
  })

  test('isn’t offered after a full refund, and a second time refunds nothing more', async () => {
    const user = await bought('period')
    const admin = await billing.user({ admin: true })
    const [row] = await rows(user)
    await billing.call('admin-refund-purchase', { id: row?.id }, admin)
    await declare(user.email)
    expect(contractIn(await open(tokenFor(user.email)))).toBe('')
    const other = await bought('forever')
    await withdraw(other.email)
    const [paid] = await rows(other)
    await declare(other.email)
    await confirm(tokenFor(other.email), `once:${paid?.id}`)
    await billing.call('admin-refund-purchase', { id: paid?.id }, admin)
    for (const one of [user, other]) expect(await rows(one)).toMatchObject([{ state: 'refunded', refundedCents: 9000 }])
    const refunds = await billing.api.refunds.list({ payment_intent: paid?.stripePaymentIntentId ?? '' })
    expect(refunds.data).toHaveLength(1)
  })

  test('refunds what staff’s partial refund left', async () => {
    const user = await bought('period')
    const [row] = await rows(user)
    await billing.api.refunds.create({ payment_intent: row?.stripePaymentIntentId ?? '', amount: 1000 })
    const { page } = await withdraw(user.email)
    expect(page).toContain('Refund: $80.00')
    await workOnWithdrawals(billing.deps)
    expect((await rows(user))[0]).toMatchObject({ refundedCents: 9000 })
  })
})

describe('the list in the admin', () => {
  const list = async (more: object = {}) => {
    const owner = await billing.user({ admin: true })
    const { status, body } = await billing.call('admin-withdrawals', more, owner)
    expect([status, body.error]).toEqual([200, undefined])
    return body as unknown as WithdrawalsPage
  }
  beforeEach(() => billing.db.delete(withdrawal))

  test('is empty at first, and leaves out what wasn’t confirmed', async () => {
    await declare((await buyer()).user.email)
    expect(await list()).toEqual({ items: [], nextCursor: null })
  })

  test('has the newest first, page by page, with who, what and how much', async () => {
    const users = []
    for (let count = 0; count < 5; count += 1) {
      const { user } = await buyer()
      billing.server.clock.advance(60_000)
      await withdraw(user.email)
      users.unshift(user)
    }
    const pages: WithdrawalsPage[] = [await list({ limit: 2 })]
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await list({ limit: 2, cursor }))
    }
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1])
    const items = pages.flatMap((page) => page.items)
    expect(items.map(({ memberId }) => memberId)).toEqual(users.map(({ id }) => id))
    expect(items[0]).toMatchObject({
      ...{ name: 'Ana Silva', email: users[0]?.email, purchase: 'Pro Monthly', state: 'refunded' },
      ...{ refundCents: 1000, refundedCents: 1000, currency: 'usd', creditCents: 0 },
    })
  })

  test('is apart from cancellations, where a withdrawal has no words of the member', async () => {
    const { user } = await buyer()
    await withdraw(user.email)
    const { body } = await billing.call('admin-cancellations', {}, await billing.user({ admin: true }))
    const items = body.items as { comment: string | null; member: { id: string } | null }[]
    expect(items.filter(({ member }) => member?.id === user.id)).toMatchObject([{ comment: null }])
  })

  test('says what a dispute holds back, and what a lost one took', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user), '4000 0000 0000 0259')
    const customer = await billing.customerOf(user)
    await syncCustomer(billing.deps, customer)
    await withdraw(user.email)
    expect((await list()).items).toMatchObject([{ state: 'waiting', refundCents: 1000, refundedCents: 0 }])
    const [charge] = await chargesOf(customer)
    const [dispute] = (await billing.api.disputes.list({ charge: charge?.id })).data
    await billing.api.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'losing_evidence' } })
    await workOnWithdrawals(billing.deps)
    expect((await list()).items).toMatchObject([{ state: 'lost', refundCents: 1000, refundedCents: 0 }])
  })

  test('shows a gift by its refund, under an address that no member has', async () => {
    const gifts = createGifts(billing)
    await gifts.save()
    const { giverEmail, requestId } = await gifts.buy()
    billing.proxy.failOnce(({ method, path }) => method === 'POST' && path.startsWith('/v1/refunds'), 'before')
    await withdraw(giverEmail)
    expect((await list()).items).toMatchObject([{ state: 'waiting', refundedCents: 0, memberId: null }])
    await gifts.work()
    expect(await gifts.rowOf(requestId)).toMatchObject({ state: 'refunded' })
    expect((await list()).items).toMatchObject([{ state: 'refunded', refundedCents: 9900, email: giverEmail }])
  })

  test('names the credit that is left at Stripe, which a withdrawal doesn’t refund', async () => {
    const { user, customer } = await buyer()
    await billing.api.customers.createBalanceTransaction(customer, { amount: -450, currency: 'usd' })
    await withdraw(user.email)
    expect((await list()).items).toMatchObject([{ state: 'refunded', refundedCents: 1000, creditCents: 450 }])
    expect(await billing.api.customers.retrieve(customer)).toMatchObject({ balance: -450 })
  })
})
