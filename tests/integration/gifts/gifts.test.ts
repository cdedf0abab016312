import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { onAccountDeleted } from '#server/all-features.ts'
import { complimentaryAccess, emailEvents, gift, staffEmailChoice, staffEvent, users } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { deleteUser } from '#server/features/identity/auth/users/delete-user.ts'
import { sendStaffEvents } from '#server/features/operations/staff-emails/send-staff-emails.ts'
import { dayMs, deliver, openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from './support.ts'

const billing = openForTests(async () => openBilling())
let gifts: ReturnType<typeof createGifts>

beforeAll(async () => {
  gifts = createGifts(billing)
  await gifts.save()
})

const paying = async () => {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  await syncCustomer(billing.deps, await billing.customerOf(user))
  return user
}
const accessOf = async (user: TestUser) =>
  (await billing.db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, user.id)))[0]
const inAYear = (from: Date) => new Date(Date.UTC(from.getUTCFullYear() + 1, from.getUTCMonth(), from.getUTCDate()))
const dayOf = (instant: unknown) => new Date(String(instant)).toISOString().slice(0, 10)

test('without a chosen plan, gifts aren’t for sale', async () => {
  await gifts.save({ plan: null })
  expect((await billing.call('gift-offer', {})).body).toEqual({ offer: null })
  expect((await gifts.order(gifts.wanted())).body).toMatchObject({ code: 'gifts_unavailable' })
  expect((await gifts.save({ plan: 'no_such_plan' })).body).toMatchObject({ code: 'validation_failed' })
  await gifts.save({ plan: 'pro_monthly' })
  expect((await billing.call('gift-offer', {})).body).toMatchObject({ offer: { amountCents: 12_000, months: 12 } })
  await gifts.save()
  expect((await billing.call('gift-offer', {})).body).toMatchObject({ offer: { amountCents: 9900, currency: 'usd' } })
})

test('staff who want to know hear of a paid and a claimed gift, once each', async () => {
  const { db, deps, server } = billing
  const owner = await gifts.owner()
  const hear = async () => {
    await sendStaffEvents(deps)
    return gifts.emailsTo(owner.email).map(({ subject }) => subject)
  }
  await gifts.buy()
  expect(await db.$count(staffEvent)).toBe(0)
  await billing.call('admin-staff-emails', { save: { kind: 'gift', on: true } }, owner)
  const bought = await gifts.buy()
  await gifts.deliverEvents(bought.id, 2)
  expect(await hear()).toEqual(['A gift was paid for or claimed'])
  const remy = await billing.user()
  const token = gifts.claimTokenOf(bought.recipientEmail)
  await Promise.all([gifts.claim(remy, token), gifts.claim(remy, token)])
  await gifts.buy()
  server.clock.advance(61 * 60_000)
  expect(await hear()).toContain('2 gifts were paid for or claimed')
  await db.delete(staffEmailChoice)
})

test('a gift for today arrives when it is paid, with a receipt, and is claimed by any confirmed account once', async () => {
  const before = await gifts.revenue()
  const bought = await gifts.buy()
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'sent', bounced: false, amountCents: 9900 })
  const receipt = gifts.lastTo(bought.giverEmail)
  expect(receipt.subject).toContain('Remy')
  expect(receipt.text).toContain('$99.00')
  expect(gifts.tokenIn(gifts.linkIn(receipt))).toBe(bought.giverToken)
  const arrived = gifts.lastTo(bought.recipientEmail)
  expect(arrived.subject).toContain('Gwen Giver gave you')
  expect(arrived.text).toContain('Happy birthday!')
  expect(await gifts.revenue()).toEqual({ ...before, paid: (before?.paid ?? 0) + 9900 })

  const token = gifts.claimTokenOf(bought.recipientEmail)
  // A scanner that opens the link claims nothing.
  expect(await gifts.received(token)).toMatchObject({ state: 'open', giverName: 'Gwen Giver' })
  expect(await gifts.received(token)).toMatchObject({ state: 'open' })
  const row = await gifts.rowOf(bought.id)
  expect(JSON.stringify(row)).not.toContain(token)
  expect(JSON.stringify(row)).not.toContain(bought.giverToken)

  const remy = await billing.user()
  const claimed = await gifts.claim(remy, token)
  expect(claimed).toMatchObject({ status: 200, body: { outcome: 'access' } })
  expect(dayOf(claimed.body.accessUntil)).toBe(dayOf(inAYear(billing.server.clock.now)))
  expect(await accessOf(remy)).toMatchObject({ source: 'gift', note: 'Gift from Gwen Giver', grantedBy: 'Gift' })
  expect(await billing.check(remy)).toMatchObject({ subscribed: true })
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'claimed', canChange: false })
  expect(gifts.lastTo(bought.giverEmail).subject).toBe('Remy claimed your gift')

  // The second click of the same person answers the same; anyone else is too late.
  expect((await gifts.claim(remy, token)).body).toEqual(claimed.body)
  expect((await gifts.claim(await billing.user(), token)).body).toMatchObject({ code: 'gift_used' })
  expect(dayOf((await accessOf(remy))?.until)).toBe(dayOf(claimed.body.accessUntil))
})

test('webhooks that arrive twice, the return page and a lost webhook count one payment and send one email', async () => {
  const before = await gifts.revenue()
  const wanted = gifts.wanted()
  const page = await gifts.pay(wanted)
  await Promise.all([gifts.status(gifts.tokenIn(page)), gifts.deliverEvents(wanted.requestId, 2)])
  await gifts.deliverEvents(wanted.requestId, 2)
  expect(await gifts.status(gifts.tokenIn(page))).toMatchObject({ state: 'sent' })
  const lost = gifts.wanted()
  await gifts.pay(lost)
  await billing.server.clock.advance(11 * 60_000)
  await gifts.work()
  await gifts.work()
  for (const { requestId, giverEmail, recipientEmail } of [wanted, lost]) {
    expect(await gifts.rowOf(requestId)).toMatchObject({ state: 'sent' })
    expect(gifts.emailsTo(giverEmail)).toHaveLength(1)
    expect(gifts.emailsTo(recipientEmail)).toHaveLength(1)
  }
  expect(await gifts.revenue()).toEqual({ ...before, paid: (before?.paid ?? 0) + 2 * 9900 })
})

test('a payment whose session was never stored is found by its metadata', async () => {
  const wanted = gifts.wanted()
  await gifts.pay(wanted)
  const { stripeSessionId } = await gifts.rowOf(wanted.requestId)
  // The server died before it stored the session.
  await billing.db.update(gift).set({ stripeSessionId: null }).where(eq(gift.id, wanted.requestId))
  const { data } = await billing.api.events.list({ type: 'checkout.session.completed', limit: 1 })
  expect(data[0]?.data.object).toMatchObject({ id: stripeSessionId })
  await deliver(billing, data[0] as object)
  await gifts.deliverEvents(wanted.requestId, 0)
  expect(await gifts.rowOf(wanted.requestId)).toMatchObject({ state: 'sent', stripeSessionId })
})

test('a scheduled gift arrives at eight in the publication’s zone on its day, and can be moved before', async () => {
  const bought = await gifts.buy({ deliverOn: gifts.dayAfter(10) })
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'scheduled', canChange: true })
  await gifts.work()
  expect(gifts.emailsTo(bought.recipientEmail)).toHaveLength(0)
  const move = (deliverOn: string, recipientEmail = bought.recipientEmail) =>
    billing.call('change-gift', { token: bought.giverToken, recipientEmail, deliverOn })
  expect((await move(gifts.dayAfter(-1))).body).toMatchObject({ code: 'validation_failed' })
  expect((await move(gifts.dayAfter(400))).body).toMatchObject({ code: 'validation_failed' })
  expect((await move(gifts.dayAfter(12))).status).toBe(200)
  billing.server.clock.advance(11 * dayMs)
  await gifts.work()
  expect(gifts.emailsTo(bought.recipientEmail)).toHaveLength(0)
  const { deliverAt } = await gifts.rowOf(bought.id)
  expect(deliverAt.toLocaleTimeString('en-US', { timeZone: 'America/New_York' })).toBe('8:00:00 AM')
  billing.server.clock.now = deliverAt
  await gifts.work()
  expect(gifts.emailsTo(bought.recipientEmail)).toHaveLength(1)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'sent' })
})

test('bad orders are refused: to oneself, into the past or far ahead, to no address, at an old price', async () => {
  const refusal = async (more: object) => (await gifts.order(gifts.wanted(more))).body.code
  expect(await refusal({ giverEmail: 'me.too@gmail.com', recipientEmail: 'Metoo+gift@googlemail.com' })).toBe(
    'gift_to_yourself',
  )
  expect(await refusal({ deliverOn: gifts.dayAfter(-1) })).toBe('validation_failed')
  expect(await refusal({ deliverOn: gifts.dayAfter(400) })).toBe('validation_failed')
  expect(await refusal({ recipientEmail: 'nobody' })).toBe('validation_failed')
  expect(await refusal({ recipientEmail: 'a@host.invalid' })).toBe('email_address_invalid')
  expect(await refusal({ amountCents: 100 })).toBe('gifts_unavailable')
  expect(await refusal({ giverName: 'Gwen\r\nBcc: all@example.test' })).toBe('validation_failed')
  // A repeated request opens the same checkout; another gift can't use its id.
  const first = gifts.wanted()
  const url = (await gifts.order(first)).body.url
  expect((await gifts.order(first)).body.url).toBe(url)
  expect((await gifts.order({ ...first, recipientEmail: 'other@example.test' })).status).toBe(409)
})

test('forged links open nothing, the giver can’t claim, and an unconfirmed account has to confirm', async () => {
  expect(await gifts.received('forged')).toMatchObject({ code: 'gift_invalid' })
  expect(await gifts.status('forged')).toMatchObject({ code: 'gift_invalid' })
  const giver = await billing.user()
  const bought = await gifts.buy({ giverEmail: giver.email })
  const token = gifts.claimTokenOf(bought.recipientEmail)
  // The giver's token doesn't claim, and the recipient's doesn't open the giver's page.
  expect(await gifts.received(bought.giverToken)).toMatchObject({ code: 'gift_invalid' })
  expect(await gifts.status(token)).toMatchObject({ code: 'gift_invalid' })
  expect((await gifts.claim(giver, token)).body).toMatchObject({ code: 'gift_to_yourself' })
  const stranger = await billing.user({ confirmed: false })
  expect((await gifts.claim(stranger, token)).body).toMatchObject({ code: 'address_not_confirmed' })
  // The link went to the recipient's own address, so it confirms that one.
  const recipient = await billing.user({ confirmed: false, email: bought.recipientEmail })
  expect((await gifts.claim(recipient, token)).body).toMatchObject({ outcome: 'access' })
})

test('an email that came back is reported to the giver, whose new address gets a new link', async () => {
  const bought = await gifts.buy()
  const old = gifts.claimTokenOf(bought.recipientEmail)
  const at = new Date(billing.server.clock.now.getTime() + 1000)
  await billing.db.insert(emailEvents).values({
    source: 'dsn',
    externalId: bought.id,
    type: 'hard_bounce',
    email: bought.recipientEmail,
    occurredAt: at,
    receivedAt: at,
  })
  await gifts.work()
  await gifts.work()
  expect(gifts.emailsTo(bought.giverEmail).filter(({ subject }) => subject.includes('didn’t arrive'))).toHaveLength(1)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ bounced: true })
  const recipientEmail = `corrected-${bought.recipientEmail}`
  const change = { token: bought.giverToken, recipientEmail, deliverOn: bought.deliverOn }
  expect((await billing.call('change-gift', change)).status).toBe(200)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ bounced: false, recipientEmail })
  expect(await gifts.received(old)).toMatchObject({ code: 'gift_invalid' })
  expect(await gifts.received(gifts.claimTokenOf(recipientEmail))).toMatchObject({ state: 'open' })
  // Five new addresses at most.
  for (let n = 0; n < 6; n += 1)
    await billing.call('change-gift', { ...change, recipientEmail: `n${n}-${recipientEmail}` })
  expect((await gifts.rowOf(bought.id)).addressVersion).toBe(5)
})

test('someone who pays gets a credit after agreeing to it, which a refund takes back', async () => {
  const member = await paying()
  const customer = await billing.customerOf(member)
  const balance = async () => {
    const found = await billing.api.customers.retrieve(customer)
    return found.deleted ? null : found.balance
  }
  const bought = await gifts.buy()
  const token = gifts.claimTokenOf(bought.recipientEmail)
  expect((await gifts.claim(member, token)).body).toMatchObject({ code: 'gift_already_paying', choice: 'credit' })
  expect(await gifts.received(token)).toMatchObject({ state: 'open' })
  // Stripe doesn't answer: the gift is claimed, and the job credits it.
  billing.proxy.failOnce(({ path }) => path.includes('/balance_transactions'))
  expect((await gifts.claim(member, token, 'credit')).body).toMatchObject({ outcome: 'credit', creditCents: 9900 })
  await gifts.work()
  await gifts.work()
  expect(await balance()).toBe(-9900)
  expect(await accessOf(member)).toBeUndefined()

  await billing.call('admin-refund-gift', { id: bought.id }, await gifts.owner())
  await gifts.deliverEvents(bought.id)
  await gifts.work()
  await gifts.work()
  expect(await balance()).toBe(0)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'refunded', refundedCents: 9900 })
})

test('or the giver gets the money back, if the setting says so', async () => {
  await gifts.save({ forPayers: 'refund' })
  const member = await paying()
  const bought = await gifts.buy()
  const token = gifts.claimTokenOf(bought.recipientEmail)
  expect((await gifts.claim(member, token)).body).toMatchObject({ code: 'gift_already_paying', choice: 'refund' })
  expect((await gifts.claim(member, token, 'refund')).body).toMatchObject({ outcome: 'refund' })
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'refunded', refundReason: 'already_paying' })
  expect(gifts.lastTo(bought.giverEmail).text).toContain('already pays for a plan')
  expect((await gifts.claim(await billing.user(), token)).body).toMatchObject({ code: 'gift_refunded' })
  await gifts.save()
})

test('a canceled plan is followed by the gift’s year, and a second gift adds another', async () => {
  const member = await paying()
  await billing.call('cancel-plan', { requestId: crypto.randomUUID(), reason: null, comment: null }, member)
  const end = (await billing.row(member))?.cancelAt
  expect(end).toBeInstanceOf(Date)
  const first = await gifts.buy()
  await gifts.claim(member, gifts.claimTokenOf(first.recipientEmail))
  expect(dayOf((await accessOf(member))?.until)).toBe(dayOf(inAYear(end as Date)))
  const second = await gifts.buy()
  await gifts.claim(member, gifts.claimTokenOf(second.recipientEmail))
  expect(dayOf((await accessOf(member))?.until)).toBe(dayOf(inAYear(inAYear(end as Date))))
})

test('a refund at Stripe ends the access and counts to the cent; a part of it ends nothing', async () => {
  const bought = await gifts.buy()
  const remy = await billing.user()
  await gifts.claim(remy, gifts.claimTokenOf(bought.recipientEmail))
  const before = await gifts.revenue()
  const { stripePaymentIntentId: payment_intent } = await gifts.rowOf(bought.id)
  await billing.api.refunds.create({ payment_intent: String(payment_intent), amount: 1234 })
  await gifts.deliverEvents(bought.id, 2)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'claimed', refundedCents: 1234 })
  expect(await billing.check(remy)).toMatchObject({ subscribed: true })
  await billing.api.refunds.create({ payment_intent: String(payment_intent) })
  await gifts.deliverEvents(bought.id, 2)
  expect(await gifts.status(bought.giverToken)).toMatchObject({ state: 'refunded', refundedCents: 9900 })
  expect(await gifts.revenue()).toEqual({ ...before, refunded: (before?.refunded ?? 0) + 9900 })
  expect(await billing.check(remy)).toMatchObject({ subscribed: false })
  expect(gifts.lastTo(remy.email).text).toContain('The payment for your gift was refunded or disputed')
  expect(gifts.emailsTo(bought.giverEmail).filter(({ subject }) => subject.includes('was refunded'))).toHaveLength(1)
})

test('a dispute ends a gift as a refund does, once, and counts as refunded when it is lost', async () => {
  const [remy, member] = [await billing.user(), await paying()]
  const before = await gifts.revenue()
  // The bank tells nothing yet.
  const undisputed = vi.spyOn(billing.deps.stripe.disputes, 'list').mockResolvedValue({ data: [] } as never)
  const pay = async () => {
    const given = gifts.wanted()
    await payAtCheckout(String((await gifts.order(given)).body.url), '4000 0000 0000 0259')
    await gifts.deliverEvents(given.requestId)
    return given
  }
  const [given, credited, unclaimed] = [await pay(), await pay(), await pay()]
  await gifts.claim(remy, gifts.claimTokenOf(given.recipientEmail))
  await gifts.claim(member, gifts.claimTokenOf(credited.recipientEmail), 'credit')
  expect(await billing.check(remy)).toMatchObject({ subscribed: true })
  undisputed.mockRestore()
  for (const { requestId } of [given, credited, unclaimed]) await gifts.deliverEvents(requestId, 2)
  await gifts.work()
  await gifts.work()
  expect(await gifts.rowOf(given.requestId)).toMatchObject({ state: 'disputed', refundedCents: 0 })
  expect(await billing.check(remy)).toMatchObject({ subscribed: false })
  const ended = () => gifts.emailsTo(remy.email).filter(({ subject }) => subject.includes('gift has ended'))
  expect(ended()).toHaveLength(1)
  const customer = await billing.api.customers.retrieve(await billing.customerOf(member))
  expect(customer).toMatchObject({ balance: 0 })
  const token = gifts.claimTokenOf(unclaimed.recipientEmail)
  expect((await gifts.claim(await billing.user(), token)).body).toMatchObject({ code: 'gift_refunded' })
  const refund = await billing.call('admin-refund-gift', { id: given.requestId }, await gifts.owner())
  expect(refund.body).toMatchObject({ code: 'gift_not_changeable' })
  expect(await gifts.revenue()).toEqual({ ...before, paid: (before?.paid ?? 0) + 3 * 9900 })

  const { stripePaymentIntentId } = await gifts.rowOf(given.requestId)
  const [dispute] = (await billing.api.disputes.list({ payment_intent: String(stripePaymentIntentId) })).data
  await billing.api.disputes.close(String(dispute?.id))
  await gifts.deliverEvents(given.requestId, 2)
  expect(await gifts.rowOf(given.requestId)).toMatchObject({ state: 'disputed', refundedCents: 9900 })
  expect((await gifts.revenue())?.refunded).toBe((before?.refunded ?? 0) + 9900)
  expect(ended()).toHaveLength(1)
  expect(gifts.emailsTo(given.giverEmail).filter(({ subject }) => subject.includes('was refunded'))).toEqual([])
})

test('an unclaimed gift is refunded after 90 days, with a reminder a month before', async () => {
  const bought = await gifts.buy()
  const token = gifts.claimTokenOf(bought.recipientEmail)
  billing.server.clock.advance(61 * dayMs)
  await gifts.work()
  await gifts.work()
  expect(gifts.emailsTo(bought.recipientEmail).map(({ subject }) => subject)).toContain(
    'Your gift from Gwen Giver is waiting',
  )
  expect(gifts.claimTokenOf(bought.recipientEmail)).toBe(token)
  billing.server.clock.advance(30 * dayMs)
  expect((await gifts.claim(await billing.user(), token)).body).toMatchObject({ code: 'gift_over' })
  await gifts.work()
  await gifts.work()
  expect(await gifts.rowOf(bought.id)).toMatchObject({
    state: 'refunded',
    refundReason: 'unclaimed',
    refundedCents: 9900,
  })
  expect(gifts.emailsTo(bought.recipientEmail)).toHaveLength(2)
})

test('or extended once, if the setting says so', async () => {
  await gifts.save({ unclaimed: 'extend' })
  const bought = await gifts.buy()
  const token = gifts.claimTokenOf(bought.recipientEmail)
  billing.server.clock.advance(91 * dayMs)
  await gifts.work()
  expect(await gifts.received(token)).toMatchObject({ state: 'open' })
  expect(gifts.lastTo(bought.giverEmail).subject).toContain('still unclaimed')
  billing.server.clock.advance(91 * dayMs)
  await gifts.work()
  expect(await gifts.rowOf(bought.id)).toMatchObject({ state: 'refunded' })
  await gifts.save()
})

test('gifts that were never paid are forgotten, and the owner sees the paid ones; a viewer without their people', async () => {
  const abandoned = gifts.wanted()
  await gifts.order(abandoned)
  const bought = await gifts.buy()
  billing.server.clock.advance(3 * dayMs)
  await gifts.work()
  await expect(gifts.rowOf(abandoned.requestId)).rejects.toThrow('no such gift')
  const page = (await billing.call('admin-gifts', {}, await gifts.owner())).body as {
    items: { id: string; giverEmail: string }[]
  }
  expect(page.items.find(({ id }) => id === bought.id)).toMatchObject({ giverEmail: bought.giverEmail, state: 'sent' })
  const viewer = await billing.user({ role: 'viewer' })
  const seen = JSON.stringify((await billing.call('admin-gifts', {}, viewer)).body)
  expect(seen).toContain(bought.id)
  expect(seen).not.toContain(bought.giverEmail)
  expect((await billing.call('admin-refund-gift', { id: bought.id }, viewer)).status).toBe(403)
})

test('deleted accounts leave no name: neither the giver’s nor the recipient’s', async () => {
  const giver = await billing.user()
  const remy = await billing.user()
  const bought = await gifts.buy({ giverEmail: giver.email })
  await gifts.claim(remy, gifts.claimTokenOf(bought.recipientEmail))
  await billing.db.transaction(async (tx) => {
    await deleteUser(tx, { onAccountDeleted: onAccountDeleted(billing.deps) }, giver.id)
    await deleteUser(tx, { onAccountDeleted: onAccountDeleted(billing.deps) }, remy.id)
  })
  expect(await gifts.rowOf(bought.id)).toMatchObject({
    ...{ giverName: '', giverEmail: '', recipientName: '', recipientEmail: '', message: '', claimedBy: null },
    amountCents: 9900,
  })
})

test('two people who claim at once, two nodes that deliver at once, and a claim during a refund: one wins', async () => {
  const bought = await gifts.buy({ deliverOn: gifts.dayAfter(1) })
  billing.server.clock.advance(2 * dayMs)
  await Promise.all([gifts.work(), gifts.work(), gifts.work()])
  expect(gifts.emailsTo(bought.recipientEmail)).toHaveLength(1)
  const token = gifts.claimTokenOf(bought.recipientEmail)
  const people = await Promise.all([billing.user(), billing.user(), billing.user()])
  const answers = await Promise.all(people.map((user) => gifts.claim(user, token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
  const entitled = await Promise.all(people.map((user) => accessOf(user)))
  expect(entitled.filter(Boolean)).toHaveLength(1)

  const late = await gifts.buy()
  const lateToken = gifts.claimTokenOf(late.recipientEmail)
  const user = await billing.user()
  const owner = await gifts.owner()
  await Promise.all([gifts.claim(user, lateToken), billing.call('admin-refund-gift', { id: late.id }, owner)])
  await gifts.work()
  expect(await gifts.rowOf(late.id)).toMatchObject({ state: 'refunded' })
  expect(await billing.check(user)).toMatchObject({ subscribed: false })
})

test('a gift is delivered once, also when the clock is set back or forward by an hour', async () => {
  const { server } = billing
  const bought = await gifts.buy({ deliverOn: gifts.dayAfter(2) })
  const { deliverAt } = await gifts.rowOf(bought.id)
  const counts: number[] = []
  for (const minutes of [-90, -30, -90, 30, -30, 30, 90]) {
    server.clock.now = new Date(deliverAt.getTime() + minutes * 60_000)
    await gifts.work()
    counts.push(gifts.emailsTo(bought.recipientEmail).length)
  }
  expect(counts).toEqual([0, 0, 0, 1, 1, 1, 1])
})

test('a refunded gift takes back only the credit that is left, and tells the member', async () => {
  billing.server.clock.now = new Date()
  const member = await paying()
  const customer = await billing.customerOf(member)
  const bought = await gifts.buy()
  await gifts.claim(member, gifts.claimTokenOf(bought.recipientEmail), 'credit')
  await gifts.work()
  const change = (amount: number) =>
    billing.api.customers.createBalanceTransaction(customer, { amount, currency: 'usd' })
  // Invoices have used 80 of the 99 dollars; then staff gave another 5.
  await change(8000)
  await change(-500)
  await billing.call('admin-refund-gift', { id: bought.id }, await gifts.owner())
  await gifts.work()
  await gifts.work()
  const found = await billing.api.customers.retrieve(customer)
  expect(found.deleted ? null : found.balance).toBe(-500)
  const told = billing.server.outbox.list().filter(({ to, subject }) => to === member.email && /credit/.test(subject))
  expect(told.map(({ text }) => text.includes('$19.00'))).toEqual([true, false])
})

test('a paid gift whose webhook was lost is found however late, and only one that wasn’t paid is forgotten', async () => {
  const paid = gifts.wanted()
  const { body } = await billing.call('buy-gift', paid)
  const unpaid = gifts.wanted()
  await gifts.order(unpaid)
  await payAtCheckout(String(body.url))
  billing.server.clock.advance(30 * dayMs)
  billing.proxy.failOnce(({ path }) => path.includes('/checkout/sessions'))
  await gifts.work()
  await gifts.work()
  expect(await gifts.rowOf(paid.requestId)).toMatchObject({ state: 'sent' })
  await expect(gifts.rowOf(unpaid.requestId)).rejects.toThrow('no such gift')
})

test('claiming confirms no address, since a link can be forwarded', async () => {
  const bought = await gifts.buy()
  const remy = await billing.user({ email: bought.recipientEmail, confirmed: false })
  expect((await gifts.claim(remy, gifts.claimTokenOf(bought.recipientEmail))).status).toBe(200)
  const [stored] = await billing.db.select().from(users).where(eq(users.id, remy.id))
  expect(stored?.emailConfirmedAt).toBeNull()
})

test('links and addresses in a giver’s words are words in our email', async () => {
  const words = { giverName: 'www.evil.example', message: 'Go to https://evil.example or write to a@evil.example' }
  const bought = await gifts.buy({ ...words, recipientName: 'evil.example' })
  const { subject, text, html } = gifts.lastTo(bought.recipientEmail)
  for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.example|https:\/\/evil|a@evil/)
  expect(text).toContain('https: //evil. example')
  expect(gifts.lastTo(bought.giverEmail).subject).not.toContain('evil.example')
})
