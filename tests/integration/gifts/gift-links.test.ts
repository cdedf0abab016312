import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { exportedData, onAccountDeleted } from '#server/all-features.ts'
import { createApp } from '#server/app.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { complimentaryAccess, giftLink, giftLinkUse } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { deleteUser } from '#server/features/identity/auth/users/delete-user.ts'
import type { AdminGiftLink, NewGiftLink } from '#shared/contracts/billing/gift-links.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { ageAuthentication } from '#tests/integration/account/support.ts'
import { dayMs, openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from './support.ts'

const billing = openForTests(() => openBilling())
let gifts: ReturnType<typeof createGifts>

beforeAll(() => {
  gifts = createGifts(billing)
})

const terms = (more: Partial<NewGiftLink> = {}): NewGiftLink => ({
  requestId: crypto.randomUUID(),
  note: 'Spring fair',
  months: 3,
  maxUses: 2,
  lastDay: gifts.dayAfter(10),
  ...more,
})
async function make(more?: Partial<NewGiftLink>) {
  const { status, body } = await billing.call('admin-create-gift-link', terms(more), await gifts.owner())
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
  return { id: String(body.id), link: String(body.link), token: gifts.tokenIn(String(body.link)) }
}
const read = async (token: string) => (await billing.call('gift-link', { token })).body
const claim = (user: TestUser, token: string) => billing.call('use-gift-link', { token }, user)
const listed = async (id: string, by?: TestUser) => {
  const { items } = (await billing.call('admin-gift-links', {}, by ?? (await gifts.owner()))).body
  return (items as AdminGiftLink[]).find((one) => one.id === id)
}
const accessOf = async (user: TestUser) =>
  (await billing.db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, user.id)))[0]
const usesOf = (id: string) => billing.db.select().from(giftLinkUse).where(eq(giftLinkUse.linkId, id))
const inMonths = (months: number) => addMonths(billing.server.clock.now, months).toISOString()

async function paying() {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  await syncCustomer(billing.deps, await billing.customerOf(user))
  return user
}

test('a link gives its months to each person once, without a card, and only as often as it says', async () => {
  const { id, link, token } = await make()
  expect(link).toBe(`${billing.deps.config.publicUrl}/gift/link#gift=${token}`)
  const open = { state: 'open', months: 3, lastDay: gifts.dayAfter(10) }
  // Opening uses nothing.
  expect(await read(token)).toEqual(open)
  expect(await read(token)).toEqual(open)
  const [ann, ben, cleo] = [await billing.user(), await billing.user(), await billing.user()]
  const first = await claim(ann, token)
  expect(first).toMatchObject({ status: 200, body: { accessUntil: inMonths(3) } })
  expect(await accessOf(ann)).toMatchObject({ source: 'gift_link', note: 'Gift link: Spring fair' })
  expect(await billing.check(ann)).toMatchObject({ subscribed: true })
  expect(await billing.call('billing-overview', {}, ann)).toMatchObject({ body: { isGift: true, hasCustomer: false } })
  expect(gifts.lastTo(ann.email).text).toContain('won’t be charged')
  expect(await listed(id)).toMatchObject({ uses: 1, maxUses: 2, state: 'open', link })

  // A second click answers the same, and adds nothing.
  expect((await claim(ann, token)).body).toEqual(first.body)
  expect(gifts.emailsTo(ann.email)).toHaveLength(1)
  billing.server.clock.advance(60_000)
  expect((await claim(ben, token)).status).toBe(200)
  expect((await claim(cleo, token)).body).toMatchObject({
    code: 'gift_over',
    error: 'All gifts of this link have been claimed.',
  })
  expect(await read(token)).toMatchObject({ state: 'used_up' })
  expect(await listed(id)).toMatchObject({ uses: 2, state: 'used_up' })
  const people = (await billing.call('admin-gift-link-uses', { id }, await gifts.owner())).body.items
  expect(people).toEqual([
    expect.objectContaining({ userId: ben.id, email: ben.email }),
    expect.objectContaining({ userId: ann.id, email: ann.email, ...first.body }),
  ])
})

test('another account of the same mailbox can’t use a link again, nor one made after deleting the first', async () => {
  const { id, token } = await make({ maxUses: 10 })
  const first = await billing.user({ email: 'dana.reader@gmail.com' })
  expect((await claim(first, token)).status).toBe(200)
  const alias = await billing.user({ email: 'danareader+2@googlemail.com' })
  expect((await claim(alias, token)).body).toMatchObject({
    code: 'gift_used',
    error: 'You’ve already used this link with another account.',
  })
  expect(await accessOf(alias)).toBeUndefined()
  await billing.db.transaction((tx) => deleteUser(tx, { onAccountDeleted: onAccountDeleted(billing.deps) }, first.id))
  expect((await claim(alias, token)).body).toMatchObject({ code: 'gift_used' })
  const [use] = await usesOf(id)
  expect(use).toMatchObject({ userId: null })
  expect(use?.mailboxHash).not.toContain('dana')
  expect((await billing.call('admin-gift-link-uses', { id }, await gifts.owner())).body).toMatchObject({
    items: [{ userId: null, email: null }],
  })
})

test('two nodes and many tabs never give more than the number, and never twice to a person', async () => {
  const { id, token } = await make({ maxUses: 3 })
  const people = await Promise.all(Array.from({ length: 8 }, () => billing.user()))
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  try {
    const apps = [billing.server.app, createApp({ ...billing.deps, ...(second && { database: second }) })]
    const clicks = people.flatMap((user) => [0, 1].map((node) => ({ user, app: apps[node] ?? billing.server.app })))
    const answers = await Promise.all(
      clicks.map(async ({ user, app }) => ({
        user,
        ...(await call({ app }, 'use-gift-link', { token }, user.token)),
      })),
    )
    const winners = new Set(answers.filter(({ status }) => status === 200).map(({ user }) => user.id))
    expect(winners.size).toBe(3)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['gift_over']),
    )
    expect((await usesOf(id)).map(({ userId }) => userId).toSorted()).toEqual([...winners].toSorted())
    for (const user of people) {
      const access = await accessOf(user)
      expect(access?.until.toISOString()).toBe(winners.has(user.id) ? inMonths(3) : undefined)
      expect(gifts.emailsTo(user.email)).toHaveLength(winners.has(user.id) ? 1 : 0)
    }
  } finally {
    await second?.close()
  }
})

test('after its last day or once retired, a link gives nothing more, and access that it gave stays', async () => {
  const { id, token } = await make({ maxUses: 5, lastDay: gifts.dayAfter(1) })
  const early = await billing.user()
  await claim(early, token)
  billing.server.clock.advance(2 * dayMs)
  expect(await read(token)).toMatchObject({ state: 'ended' })
  expect((await claim(await billing.user(), token)).body).toMatchObject({
    code: 'gift_over',
    error: 'This gift link has ended.',
  })
  expect(await listed(id)).toMatchObject({ state: 'ended' })

  const other = await make({ maxUses: 5 })
  const reader = await billing.user()
  await claim(reader, other.token)
  const owner = await gifts.owner()
  for (let time = 0; time < 2; time += 1) {
    expect((await billing.call('admin-retire-gift-link', { id: other.id }, owner)).status).toBe(200)
  }
  expect(await read(other.token)).toMatchObject({ state: 'ended' })
  expect((await claim(await billing.user(), other.token)).body).toMatchObject({ code: 'gift_over' })
  // Those who used it still see until when.
  expect((await claim(reader, other.token)).status).toBe(200)
  for (const user of [early, reader]) expect(await billing.check(user)).toMatchObject({ subscribed: true })
})

test('a forged link and an unconfirmed address get one clear sentence', async () => {
  const { token } = await make()
  const forged = { code: 'gift_invalid', error: 'This gift link isn’t valid. Check that you copied all of it.' }
  expect(await read(`${token.slice(0, -1)}_`)).toMatchObject(forged)
  expect((await claim(await billing.user(), 'guessed')).body).toMatchObject(forged)
  // A bought gift's tokens open no link, and the other way around.
  await gifts.save()
  const bought = await gifts.buy()
  expect(await read(bought.giverToken)).toMatchObject({ code: 'gift_invalid' })
  expect(await gifts.received(token)).toMatchObject({ code: 'gift_invalid' })
  const unconfirmed = await billing.user({ confirmed: false })
  expect((await claim(unconfirmed, token)).body).toMatchObject({ code: 'address_not_confirmed' })
  expect((await billing.call('use-gift-link', { token })).status).toBe(401)
  const rows = await billing.db.select().from(giftLink)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('guessing links is limited for each network', async () => {
  const { config } = billing.deps
  const limits = { ...config.auth.limits, verify: { points: 5, windowSeconds: 300 } }
  const app = createApp({ ...billing.deps, config: { ...config, auth: { ...config.auth, limits } } })
  billing.server.clock.advance(10 * 60_000)
  const guesser = await billing.user()
  const statuses: number[] = []
  for (let time = 0; time < 4; time += 1) {
    statuses.push((await call({ app }, 'gift-link', { token: crypto.randomUUID() })).status)
    statuses.push((await call({ app }, 'use-gift-link', { token: crypto.randomUUID() }, guesser.token)).status)
  }
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429])
})

test('a plan that renews leaves the link for someone else; a canceled one is followed by the months', async () => {
  const { id, token } = await make({ months: 1 })
  const member = await paying()
  expect((await claim(member, token)).body).toMatchObject({
    code: 'gift_already_paying',
    error: expect.stringContaining('stays free for someone else'),
  })
  expect(await usesOf(id)).toEqual([])
  await billing.call('cancel-plan', { requestId: crypto.randomUUID(), reason: null, comment: null }, member)
  const end = (await billing.row(member))?.cancelAt as Date
  expect((await claim(member, token)).body).toMatchObject({ accessUntil: addMonths(end, 1).toISOString() })
  // Another link adds to it.
  const next = await make({ months: 2 })
  expect((await claim(member, next.token)).body).toMatchObject({
    accessUntil: addMonths(addMonths(end, 1), 2).toISOString(),
  })
})

test('terms that make no sense are refused, a repeated request makes one link, and only owners make and see them', async () => {
  const owner = await gifts.owner()
  const create = (more: Partial<NewGiftLink>, by = owner) => billing.call('admin-create-gift-link', terms(more), by)
  for (const more of [
    { months: 0 },
    { months: 25 },
    { maxUses: 0 },
    { maxUses: 100_001 },
    { note: '  ' },
    { lastDay: gifts.dayAfter(-1) },
    { lastDay: '2126-01-01' },
  ]) {
    expect((await create(more)).body, JSON.stringify(more)).toMatchObject({ code: 'validation_failed' })
  }
  const once = terms()
  const made = await create(once)
  expect((await create(once)).body).toEqual(made.body)
  expect((await create({ ...once, maxUses: 50 })).status).toBe(409)
  expect((await create({ ...once, lastDay: gifts.dayAfter(30) })).status).toBe(409)
  const viewer = await billing.user({ role: 'viewer' })
  expect((await create({}, viewer)).status).toBe(403)
  expect(await listed(once.requestId, viewer)).toMatchObject({ link: null, note: 'Spring fair' })
  expect((await billing.call('admin-gift-link-uses', { id: once.requestId }, viewer)).status).toBe(403)
  await ageAuthentication(billing.server, owner)
  expect((await create({})).body).toMatchObject({ code: 'step_up_required' })
})

test('a person’s download has the links that they used', async () => {
  const { token } = await make({ months: 12 })
  const user = await billing.user()
  await claim(user, token)
  const parts = await billing.db.transaction(async (tx) => exportedData.gifts?.(tx, user.id))
  expect(parts).toMatchObject({ links: [{ months: 12 }] })
})
