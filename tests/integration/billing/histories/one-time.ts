import { card as cardFields, press, visit } from '@front-counter/stripe-sandbox/testing'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { SettingsStore } from '#server/config/settings.ts'
import { purchase, revenueChange, revenueCurrencyMonth, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { priceTexts } from '#shared/domain/price-texts.ts'
import { isTakenBack, withLostDisputes } from './disputes.ts'
import { stepKind } from './step-kinds.ts'
import type { Person, World } from './world.ts'

/** Sold once: a time, a time for an amount that the buyer chooses, and access for good. */
export const timeMonths: Record<string, number> = { plan_00000000000a: 6, plan_00000000000b: 12 }
const forGoodKey = 'plan_00000000000c'
const keys = [...Object.keys(timeMonths), forGoodKey]
const chosenKey = 'plan_00000000000b'

/** Sells them beside the plans, in the plans' currencies. */
export async function sellOnce(api: Stripe, settings: SettingsStore, taxBehavior: 'exclusive' | 'inclusive') {
  const { publication, planIds } = settings
  const models = publication.plans.slice(0, keys.length)
  const sold = await Promise.all(
    keys.map(async (key, index) => {
      const { currency, note, features } = models[index] as PlanTerms
      const priceCents = [4999, 5000, 30_000][index] ?? 0
      const { id: productId } = await api.products.create({ name: key, metadata: { plan: key } })
      const given = { product: productId, currency, unit_amount: priceCents, tax_behavior: taxBehavior }
      const { id: priceId } = await api.prices.create(given)
      const price = { priceCents, currency, interval: 'month' as const, intervalCount: timeMonths[key] ?? 1 }
      const once = key === forGoodKey ? ('forever' as const) : ('period' as const)
      const terms: PlanTerms = {
        ...{ key, name: key, note, features, ...price, ...priceTexts({ ...price, once }), once, seats: 1 },
        ...{ trialDays: null, isRetired: false, floorCents: key === chosenKey ? 1000 : null },
      }
      return { terms, ids: [key, { productId, priceId }] as const }
    }),
  )
  settings.replace({
    planIds: new Map([...planIds, ...sold.map(({ ids }) => ids)]),
    publication: { ...publication, plans: [...publication.plans, ...sold.map(({ terms }) => terms)] },
  })
}

const cards = {
  pays: null,
  'is declined': '4000 0000 0000 0002',
  'is disputed': '4000 0000 0000 0259',
  'is questioned': '4000 0000 0000 1976',
} as const
type Card = keyof typeof cards

const owned = async ({ database: { db } }: World, { user }: Person) =>
  db.select().from(purchase).where(eq(purchase.userId, user.id)).orderBy(purchase.createdAt, purchase.id)

async function buy(
  world: World,
  person: Person,
  {
    item,
    more,
    card,
    clicks,
    comesBack,
  }: { item: number; more: number; card: Card; clicks: number; comesBack: boolean },
): Promise<void> {
  const plan = keys[item % keys.length] ?? ''
  const listed = world.config.settings.publication.plans.find(({ key }) => key === plan)?.priceCents ?? 0
  const given = { plan, amountCents: plan === chosenKey ? listed + more : listed }
  const urls: string[] = []
  for (let count = 0; count < clicks; count += 1) {
    const answer = await world.call('buy-access', given, person)
    if (answer?.status === 200) urls.push(String(answer.body.url))
  }
  expect(new Set(urls).size).toBeLessThanOrEqual(1)
  const [url] = urls
  if (!url) return
  if (!person.pages.includes(url)) person.pages.push(url)
  world.asked.set(/cs_\w+/.exec(url)?.[0] ?? '', given.amountCents)
  const page = await visit(url)
  if (!page.text.includes('name="number"')) return
  const number = cards[card] ?? person.card
  await press(page, 'Pay', cardFields(number))
  if (comesBack) await world.call('own-purchases', {}, person)
}

/** The publisher pays back a part of the newest payment, in Stripe's dashboard. */
async function refundAtStripe(world: World, person: Person, { part }: { part: number }): Promise<void> {
  const ids = new Set((await owned(world, person)).map(({ id }) => id))
  const charge = (await oneTimeCharges(world)).find(
    ({ metadata, refunded }) => ids.has(metadata.purchase_id ?? '') && !refunded,
  )
  if (!charge || (await isTakenBack(world, charge))) return
  const amount = Math.max(1, Math.floor((charge.amount - charge.amount_refunded) * part))
  await world.api.refunds.create({ charge: charge.id, amount })
}

async function refundInAdmin(world: World, person: Person, { pick, clicks }: { pick: number; clicks: number }) {
  const rows = await owned(world, person)
  const row = rows[pick % Math.max(rows.length, 1)]
  if (!row) return
  for (let count = 0; count < clicks; count += 1) {
    await world.call('admin-refund-purchase', { id: row.id }, { user: world.owner })
  }
}

const clicks = fc.integer({ min: 1, max: 2 })

export const oneTimeSteps = {
  'buys access once': stepKind(
    8,
    {
      item: fc.nat(2),
      more: fc.constantFrom(0, 1, 799),
      card: fc.constantFrom<Card[]>('pays', 'pays', 'pays', 'is declined', 'is disputed', 'is questioned'),
      clicks,
      comesBack: fc.boolean(),
    },
    buy,
  ),
  'gets a refund of what was paid once': stepKind(2, { part: fc.constantFrom(0.4, 1, 1) }, refundAtStripe),
  'is refunded in the admin': stepKind(2, { pick: fc.nat(3), clicks }, refundInAdmin),
  'looks at what was paid once': stepKind(1, {}, (world, person) => world.call('own-purchases', {}, person)),
  'the purchases job runs': stepKind(2, {}, (world) => world.workOnPurchases()),
}

/** Payments that bought access once, newest first. */
export async function oneTimeCharges({ api }: Pick<World, 'api'>): Promise<Stripe.Charge[]> {
  const found: Stripe.Charge[] = []
  for await (const charge of api.charges.list({ limit: 100 })) {
    if (charge.metadata.purchase_id && charge.paid) found.push(charge)
  }
  return found
}

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

/**
 * Each payment is recorded to the cent, its refund was decided or made at Stripe and was made once, and access for good is
 * kept by one payment at most.
 */
export async function expectPurchasesAsPaid(world: World): Promise<void> {
  const { db } = world.database
  const rows = await db.select().from(purchase)
  const charges = await oneTimeCharges(world)
  const paid = rows.filter(({ paidAt }) => paidAt !== null)
  expect(charges.map(({ metadata }) => metadata.purchase_id).sort()).toEqual(paid.map(({ id }) => id).sort())
  for (const charge of charges) {
    const row = paid.find(({ id }) => id === charge.metadata.purchase_id)
    if (!row) continue
    const { amount_refunded: refundedCents } = await withLostDisputes(world, charge)
    const isDecided = row.refundCents !== null && refundedCents >= row.refundCents
    const isTaken = await isTakenBack(world, charge)
    const state = refundedCents >= charge.amount || isDecided ? 'refunded' : isTaken ? 'disputed' : 'paid'
    expect(row).toMatchObject({ state, refundedCents, amountCents: charge.amount, currency: charge.currency })
    // Tax is a fifth of the price where it's collected, on top of it or in it.
    const asked = world.asked.get(row.stripeSessionId ?? '') ?? 0
    const tax = !world.collectsTax ? 0 : world.tax === 'exclusive' ? asked * 0.2 : asked - Math.round(asked / 1.2)
    const added = world.tax === 'exclusive' ? Math.round(tax) : 0
    expect([charge.amount, row.taxCents]).toEqual([asked + added, Math.round(tax)])
    const { data: refunds } = await world.api.refunds.list({ charge: charge.id, limit: 100 })
    const ours = refunds.filter(({ metadata }) => metadata?.purchase_id === row.id)
    if (ours.length > 0) expect(ours.map(({ amount }) => amount)).toEqual([expect.any(Number)])
    expect(sum(ours.map(({ amount }) => amount))).toBeLessThanOrEqual(row.refundCents ?? 0)
  }
  for (const { user } of world.people) {
    const kept = paid.filter(({ userId, once, state }) => userId === user.id && once === 'forever' && state === 'paid')
    expect(kept.length).toBeLessThanOrEqual(1)
  }
  await expectApartFromRecurring(world)
}

/** What is paid once counts in its month, and never as recurring. */
async function expectApartFromRecurring({ database: { db } }: World): Promise<void> {
  const totals = [
    ...(await db.select().from(revenueMonthlyTotal)).map((row) => ({ ...row, currency: 'usd' })),
    ...(await db.select().from(revenueCurrencyMonth)),
  ]
  const rows = (await db.select().from(purchase)).filter(({ paidAt }) => paidAt !== null)
  for (const key of keys) {
    const own = rows.filter(({ plan }) => plan === key)
    const of = (name: string) =>
      sum(totals.filter((one) => one.plan === key && one.name === name).map((one) => one.cents))
    const net = (cents: number, { amountCents, taxCents }: (typeof rows)[number]) =>
      cents - Math.round((taxCents * cents) / amountCents)
    expect({ key, paid: of('paid'), refunded: of('refunded') }).toEqual({
      key,
      paid: sum(own.map((row) => net(row.amountCents, row))),
      refunded: sum(own.map((row) => net(row.refundedCents, row))),
    })
    expect(totals.filter(({ plan, name }) => plan === key && name !== 'paid' && name !== 'refunded')).toEqual([])
  }
  expect(await db.$count(revenueChange, sql`${revenueChange.plan} like 'plan_0000%'`)).toBe(0)
}
