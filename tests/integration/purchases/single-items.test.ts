import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { guides, promptCategories, prompts, purchase, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import { workOnPurchases } from '#server/features/billing/purchases/refund-purchase.ts'
import { syncPurchase } from '#server/features/billing/purchases/sync-purchase.ts'
import { findPurchases } from '#server/features/billing/withdrawals/find-purchases.ts'
import { confirmWithdrawal, declareWithdrawal } from '#server/features/billing/withdrawals/withdraw.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { Purchase } from '#shared/contracts/billing/purchases.ts'
import { itemsPlan } from '#shared/domain/sold-items.ts'
import { callTool, connect } from '#tests/integration/assistants/support.ts'
import { openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
const guide = { kind: 'guide', id: 'opening-week-playbook' } as const
let pack: { kind: 'prompt-pack'; id: string }
let prompt: { id: string; title: string }
let otherPrompt: { id: string }
let owner: TestUser

beforeAll(async () => {
  await seedContent(billing.deps)
  owner = await billing.user({ admin: true })
  const [first, second] = await billing.db.select().from(promptCategories).orderBy(promptCategories.position)
  pack = { kind: 'prompt-pack', id: first?.id ?? '' }
  const promptsOf = (id = '') => billing.db.select().from(prompts).where(eq(prompts.categoryId, id)).limit(1)
  prompt = (await promptsOf(first?.id))[0] as typeof prompt
  otherPrompt = (await promptsOf(second?.id))[0] as typeof otherPrompt
  expect((await price(pack, 1900)).status).toBe(200)
  expect((await price(guide, 900)).status).toBe(200)
})

type Ref = { kind: string; id: string }
async function price(item: Ref, priceCents: number | null, version?: number) {
  const known = (await billing.call('admin-item-price', item, owner)).body as { version: number }
  const save = { priceCents, version: version ?? known.version }
  return billing.call('admin-item-price', { ...item, save }, owner)
}
const buy = (user: TestUser, item: Ref, amountCents = item.kind === 'guide' ? 900 : 1900) =>
  billing.call('buy-item', { ...item, amountCents }, user)
const own = async (user: TestUser) => (await billing.call('own-purchases', {}, user)).body.items as Purchase[]
async function bought(item: Ref) {
  const user = await billing.user()
  const { status, body } = await buy(user, item)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  await own(user)
  return user
}
const rowsOf = (user: TestUser) => billing.db.select().from(purchase).where(eq(purchase.userId, user.id))
async function sync(user: TestUser) {
  for (const row of await rowsOf(user)) await syncPurchase(billing.deps, row)
}
const statusOf = async (user: TestUser, name: string, body: object = {}) =>
  (await billing.call(name, body, user)).status
const packsOf = async (user: TestUser) =>
  ((await billing.call('prompt-packs', {}, user)).body.categories as { id: string }[]).map(({ id }) => id)
const intentOf = async (user: TestUser) => String((await rowsOf(user))[0]?.stripePaymentIntentId)

describe('a price', () => {
  test.each([0, 49, -5, 100_000_000])('of %d can’t be charged and is refused', async (cents) => {
    const { status, body } = await price(guide, cents)
    expect([status, body.error]).toEqual([400, expect.stringContaining('from $0.50')])
  })

  test('is saved once, refused for what isn’t published, and not overwritten from an older page', async () => {
    expect((await price({ kind: 'guide', id: 'nowhere' }, 900)).status).toBe(404)
    expect((await price(guide, 901, 0)).body.code).toBe('edit_conflict')
    const { items } = (await billing.call('sold-items', {})).body as { items: object[] }
    expect(items).toHaveLength(2)
    expect(items).toMatchObject([
      { ...pack, priceCents: 1900, currency: 'usd' },
      { ...guide, priceCents: 900 },
    ])
    expect(items[0]).toMatchObject({ contents: expect.arrayContaining([prompt.title]) })
    expect(JSON.stringify(items)).not.toContain('"body"')
  })
})

describe('someone who bought a pack', () => {
  test('opens it and nothing else: by calls, in search, and with an assistant', async () => {
    const user = await bought(pack)
    expect(await packsOf(user)).toEqual([pack.id])
    expect((await billing.call('guides', {}, user)).body.guides).toEqual([])
    expect(await statusOf(user, 'download-guide', { id: guide.id })).toBe(403)
    expect(await statusOf(user, 'weekly-drops')).toBe(403)
    expect(await statusOf(user, 'tools')).toBe(403)
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    const search = { query: prompt.title, limit: 20 }
    const found = (await billing.call('search', search, user)).body.items as { kind: string; path: string }[]
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ path }) => path === `/items/prompt-pack/${pack.id}`)).toBe(true)

    const { client } = await connect(billing.server, user)
    const text = async (id: string) => String((await callTool(client, 'fetch', { id })).text)
    expect(await text(`prompt:${prompt.id}`)).toContain('## Prompt')
    expect(await text(`prompt:${otherPrompt.id}`)).toContain('isn’t open to you')
    expect(await text(`guide:${guide.id}`)).toContain('isn’t open to you')
    const { results } = await callTool(client, 'search', { query: prompt.title })
    expect(JSON.stringify(results)).toContain(`prompt:${prompt.id}`)
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain(prompt.id)
    await expect(client.getPrompt({ name: otherPrompt.id })).rejects.toThrow('open to you')
    await client.close()
  })

  test('is told so instead of paying twice; a second click gets the same checkout; two paid ones are paid once', async () => {
    const user = await billing.user()
    const [first, second] = await Promise.all([buy(user, pack), buy(user, pack)])
    expect(second.body.url).toBe(first.body.url)
    await billing.db.update(purchase).set({ terms: 'older' }).where(eq(purchase.userId, user.id))
    const lost = await rowsOf(user)
    await billing.db.update(purchase).set({ stripeSessionId: null }).where(eq(purchase.userId, user.id))
    const again = await buy(user, pack)
    await billing.db
      .update(purchase)
      .set({ stripeSessionId: lost[0]?.stripeSessionId ?? null })
      .where(eq(purchase.id, lost[0]?.id ?? ''))
    await payAtCheckout(String(first.body.url))
    await payAtCheckout(String(again.body.url))
    await sync(user)
    await workOnPurchases(billing.deps)
    expect((await rowsOf(user)).map(({ state }) => state).toSorted()).toEqual(['paid', 'refunded'])
    expect(await packsOf(user)).toEqual([pack.id])
    const { status, body } = await buy(user, pack)
    expect([status, body.error]).toEqual([409, 'You’ve already bought this.'])
  })
})

test('a guide is downloaded by its buyer, with the pages of its file, also once it isn’t published anymore', async () => {
  const user = await bought(guide)
  const download = async () => {
    const { body } = await billing.call('download-guide', { id: guide.id }, user)
    return billing.server.app.request(String(body.url))
  }
  expect((await download()).status).toBe(200)
  const listed = (await billing.call('guides', {}, user)).body.guides as { pages: { path: string }[] }[]
  const [page] = listed[0]?.pages ?? []
  if (page) expect((await billing.server.app.request(page.path)).status).toBe(200)
  const [before] = await billing.db.select().from(guides).where(eq(guides.id, guide.id))
  await billing.db.update(guides).set({ publishedAt: null }).where(eq(guides.id, guide.id))
  expect((await download()).status).toBe(200)
  expect(await statusOf(await billing.user(), 'download-guide', { id: guide.id })).toBe(403)
  await billing.db.update(guides).set({ publishedAt: before?.publishedAt }).where(eq(guides.id, guide.id))
})

test('a refund closes the item, a dispute closes it until it is won, and revenue counts the payment once', async () => {
  const total = async () =>
    (await billing.db.select().from(revenueMonthlyTotal).where(eq(revenueMonthlyTotal.plan, itemsPlan))).reduce(
      (sum, { name, cents }) => sum + (name === 'paid' ? cents : 0),
      0,
    )
  const before = await total()
  const refunded = await bought(pack)
  expect((await total()) - before).toBe(1900)
  const [item] = await own(refunded)
  expect(item).toMatchObject({ item: pack, state: 'paid', isForGood: true })
  expect(await statusOf(owner, 'admin-refund-purchase', { id: item?.id })).toBe(200)
  expect(await statusOf(refunded, 'prompt-packs')).toBe(403)

  const disputing = await billing.user()
  const { body } = await buy(disputing, pack)
  await payAtCheckout(String(body.url), '4000 0000 0000 0259')
  await own(disputing)
  await sync(disputing)
  expect(await statusOf(disputing, 'prompt-packs')).toBe(403)
  const { data } = await billing.api.disputes.list({ payment_intent: await intentOf(disputing) })
  const evidence = { uncategorized_text: 'winning_evidence' }
  await billing.api.disputes.update(String(data[0]?.id), { evidence, submit: true })
  await sync(disputing)
  expect(await packsOf(disputing)).toEqual([pack.id])
})

test('a buyer withdraws within 14 days and gets everything back', async () => {
  const user = await bought(pack)
  const [found] = await findPurchases(billing.deps, user.email, billing.deps.clock())
  expect(found).toMatchObject({ state: 'open', refundCents: 1900 })
  await declareWithdrawal(billing.deps, 'Ana Silva', user.email)
  const email = billing.server.outbox.list(user.email).find(({ text }) => text.includes('token='))
  await confirmWithdrawal(billing.deps, /token=([^\s"]+)/.exec(email?.text ?? '')?.[1] ?? '', found?.contract ?? '')
  expect(await statusOf(user, 'prompt-packs')).toBe(403)
  expect(await rowsOf(user)).toMatchObject([{ state: 'refunded', refundedCents: 1900 }])
})

test('the price can change while a checkout is open: the buyer keeps what they pay for, and others see the new one', async () => {
  const user = await billing.user()
  const { body } = await buy(user, pack)
  await price(pack, 2500)
  expect((await buy(await billing.user(), pack)).body.error).toContain('price has changed')
  await payAtCheckout(String(body.url))
  expect(await own(user)).toMatchObject([{ amountCents: 1900, state: 'paid' }])
  expect(await packsOf(user)).toEqual([pack.id])
  await price(pack, 1900)
})

test('members, and wrong items and amounts, are refused before Stripe is asked', async () => {
  const member = await billing.user({ subscription: 'active' })
  const user = await billing.user()
  billing.proxy.calls.length = 0
  const refused = await buy(member, pack)
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('can open this already')])
  expect((await buy(user, { kind: 'guide', id: 'nowhere' })).body.code).toBe('plan_unavailable')
  expect((await buy(user, pack, 1)).body.code).toBe('plan_unavailable')
  expect((await buy(user, { kind: 'tool', id: 'x' })).status).toBe(400)
  expect(billing.proxy.calls).toEqual([])
  expect(await rowsOf(user)).toEqual([])
})
