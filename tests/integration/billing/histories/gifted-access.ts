import { expect } from 'vitest'
import {
  complimentaryAccess,
  gift,
  giftLink,
  giftLinkUse,
  purchase,
  subscriptionState,
} from '#server/db/schema/index.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { knownProductIds } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { entitlement, forGood, isForGood } from '#shared/domain/entitlement.ts'
import { call } from '#tests/support/client-for.ts'
import { timeMonths } from './one-time.ts'
import type { Person, World } from './world.ts'

export const linkMonths = 3

/** A link of the publisher for one person. */
export async function makeGiftLink(world: World): Promise<void> {
  const lastDay = new Date(world.clock.now.getTime() + 20 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const terms = { requestId: crypto.randomUUID(), note: 'Fair', months: linkMonths, maxUses: 1, lastDay }
  const { body } = await call(world.server, 'admin-create-gift-link', terms, world.owner.token)
  world.giftLinkToken = new URL(String(body.link)).hash.replace('#gift=', '')
}

export const claimGiftLink = (world: World, person: Person) =>
  world.call('use-gift-link', { token: world.giftLinkToken }, person)

type Gift = typeof gift.$inferSelect
type Purchase = typeof purchase.$inferSelect
type Snapshot = {
  until: Map<string, Date>
  gifts: Map<string, Gift>
  purchases: Map<string, Purchase>
  uses: Map<string, Date>
  planEnds: Map<string, Date | null>
}

async function takeSnapshot({ database: { db }, people, config, clock }: World): Promise<Snapshot> {
  const access = await db.select().from(complimentaryAccess)
  const planEnds = new Map<string, Date | null>()
  const plans = await db.select().from(subscriptionState)
  for (const { user } of people) {
    const row = plans.find(({ userId }) => userId === user.id)
    const own = entitlement(row ?? null, clock.now, knownProductIds(config))
    planEnds.set(user.id, own.entitled && row?.cancelAt ? own.shownEnd : null)
  }
  return {
    planEnds,
    until: new Map(access.map(({ userId, until }) => [userId, until])),
    gifts: new Map((await db.select().from(gift)).map((row) => [row.id, row])),
    purchases: new Map((await db.select().from(purchase)).map((row) => [row.id, row])),
    uses: new Map((await db.select().from(giftLinkUse)).map(({ userId, usedAt }) => [String(userId), usedAt])),
  }
}

const holds = (row: Gift | undefined) =>
  row !== undefined && row.outcome === 'access' && (row.state === 'claimed' || row.state === 'refunding')

/** What we know of the access of one person: its end, and what was taken of, or lies behind, each payment. */
type Model = {
  until: Date | null
  /** By gift or purchase: the seconds that a dispute took. */
  taken: ReadonlyMap<string, number>
  /** By gift: the seconds that were given back after a dispute; null for its months. */
  givenBack: ReadonlyMap<string, number | null>
  /** By purchase of a time: the seconds that it gave. */
  given: ReadonlyMap<string, number>
  /** The purchase of access for good, with the end of the access before it. */
  forGood: { id: string; former: Date | null } | null
}
const nothing: Model = { until: null, taken: new Map(), givenBack: new Map(), given: new Map(), forGood: null }
const models = new WeakMap<World, Map<string, Model>>()

/** The access that a change of a gift or a purchase leaves. */
type Change = (model: Model) => Model

/**
 * Runs what the app does, and expects that access without a plan changed by exactly what was claimed, paid, taken or given
 * back. What a dispute took comes back with the seconds that were taken. Nothing says in which order a job works, so the
 * outcome of each order counts.
 */
export async function watchGiftedAccess<T>(world: World, run: () => Promise<T>): Promise<T> {
  const before = await takeSnapshot(world)
  const result = await run()
  const after = await takeSnapshot(world)
  const known = models.get(world) ?? new Map<string, Model>()
  models.set(world, known)
  for (const { user } of world.people) {
    const shown = after.until.get(user.id)?.toISOString() ?? null
    const outcomes = permutations(changesOf(world, user.id, before, after)).map((changes) =>
      changes.flat().reduce((model, change) => change(model), known.get(user.id) ?? nothing),
    )
    const ends = outcomes.map(({ until }) => until?.toISOString() ?? null)
    expect([user.id, ends]).toEqual([user.id, expect.arrayContaining([shown])])
    known.set(user.id, outcomes[ends.indexOf(shown)] ?? nothing)
  }
  return result
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first, index) => permutations(all.toSpliced(index, 1)).map((rest) => [first, ...rest]))
}

/** What happened to each gift and purchase of a person. Of one of them, the order is known. */
function changesOf(world: World, userId: string, before: Snapshot, after: Snapshot): Change[][] {
  const now = world.clock.now
  const from = ({ until }: Model) => new Date(Math.max(+now, +(before.planEnds.get(userId) ?? 0), +(until ?? 0)))
  const changes: Change[][] = []
  if (after.uses.has(userId) && !before.uses.has(userId)) {
    changes.push([(model) => ({ ...model, until: addMonths(from(model), linkMonths) })])
  }
  for (const row of [...after.gifts.values()].filter(({ claimedBy }) => claimedBy === userId)) {
    const had = holds(before.gifts.get(row.id))
    if (holds(row) && !had) changes.push([(model) => claim(model, row, from)])
    if (!holds(row) && had) changes.push([(model) => withdraw(model, row, now)])
  }
  for (const row of [...after.purchases.values()].filter((one) => one.userId === userId)) {
    const had = before.purchases.get(row.id)?.state ?? 'unpaid'
    const gives: Change = (model) => give(model, row, from)
    const takes: Change = (model) => take(model, row, now)
    const isTaken = row.state === 'disputed' || row.state === 'refunded'
    if (had === 'unpaid' && row.state !== 'unpaid') changes.push(isTaken ? [gives, takes] : [gives])
    if (had === 'disputed' && row.state === 'paid') changes.push([gives])
    if ((had === 'paid' || had === 'refunding') && isTaken) changes.push([takes])
  }
  return changes
}

type From = (model: Model) => Date
const addSeconds = (instant: Date, seconds: number) => new Date(+instant + seconds * 1000)
const secondsFrom = (start: Date, end: Date) => Math.round((+end - +start) / 1000)
const without = <T>(all: ReadonlyMap<string, T>, id: string) => new Map([...all].filter(([key]) => key !== id))

function claim(model: Model, { id, months }: Gift, from: From): Model {
  const taken = model.taken.get(id) ?? null
  if (isForGood(model.until)) return model
  const until = taken === null ? addMonths(from(model), months) : addSeconds(from(model), taken)
  return {
    ...{ ...model, until, taken: without(model.taken, id) },
    givenBack: new Map([...model.givenBack, [id, taken]]),
  }
}

function withdraw(model: Model, { id, months }: Gift, now: Date): Model {
  const { until } = model
  if (!until || isForGood(until)) return model
  const back = model.givenBack.get(id)
  const left = typeof back === 'number' ? addSeconds(until, -back) : addMonths(until, -months)
  const taken = secondsFrom(left > now ? left : now, until)
  return { ...model, until: left <= now ? null : left, taken: new Map([...model.taken, [id, taken]]) }
}

/** A payment gives its time, or access for good, unless the person has access for good already. */
function give(model: Model, { id, plan }: Purchase, from: From): Model {
  if (isForGood(model.until)) return model
  const months = timeMonths[plan]
  if (months === undefined) return { ...model, until: forGood, forGood: { id, former: model.until } }
  const start = from(model)
  const taken = model.taken.get(id)
  const until = taken === undefined ? addMonths(start, months) : addSeconds(start, taken)
  const given = new Map([...model.given, [id, secondsFrom(start, until)]])
  return { ...model, until, given, taken: without(model.taken, id) }
}

/** Takes what the payment gave, and nothing that another one did. */
function take(model: Model, { id }: Purchase, now: Date): Model {
  const { until, forGood: good } = model
  if (good?.id === id) {
    return { ...model, until: good.former && good.former > now ? good.former : null, forGood: null }
  }
  const seconds = model.given.get(id)
  if (seconds === undefined || !until) return model
  const given = without(model.given, id)
  if (good) return { ...model, given, forGood: { ...good, former: good.former && addSeconds(good.former, -seconds) } }
  const left = addSeconds(until, -seconds)
  const taken = Math.max(0, Math.min(seconds, secondsFrom(now, until)))
  return { ...model, given, until: left <= now ? null : left, taken: new Map([...model.taken, [id, taken]]) }
}

/**
 * After each step: who has access by a gift, a payment or a seat is let in, and who never had a plan, a seat or such
 * access isn't.
 */
export async function expectFairAccess(world: World): Promise<void> {
  const { database, config, clock, people } = world
  const isLetIn = async (userId: string) => hasAccess(config, await readAccessFacts(database.db, userId), clock.now)
  for (const { user, customers } of people) {
    const until = models.get(world)?.get(user.id)?.until ?? null
    const isLet = await isLetIn(user.id)
    if (until && until > clock.now) expect([user.id, isLet]).toEqual([user.id, true])
    else if (isLet) expect([user.id, await hadPlan(world, customers)]).toEqual([user.id, true])
  }
}

async function hadPlan({ api, isPlan }: World, customers: readonly string[]): Promise<boolean> {
  for (const customer of customers) {
    const { data } = await api.subscriptions.list({ customer, status: 'all', limit: 100 })
    if (data.some(({ status, items }) => !status.startsWith('incomplete') && items.data.some(isPlan))) return true
  }
  return false
}

/** The link gave its months to one person at most, whatever crashed. */
export async function expectUsesWithinLimit({ database: { db } }: World): Promise<void> {
  const [link] = await db.select().from(giftLink)
  expect(await db.$count(giftLinkUse)).toBeLessThanOrEqual(link?.maxUses ?? 0)
}
