import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { complimentaryAccess, gift, giftLink, giftLinkUse, subscriptionState } from '#server/db/schema/index.ts'
import { knownProductIds } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { Person, World } from './world.ts'

export const linkMonths = 3

/** A link of the publisher for one person. */
export async function makeGiftLink(world: World): Promise<void> {
  const owner = await buildUser(world.server, { admin: true })
  const lastDay = new Date(world.clock.now.getTime() + 20 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const terms = { requestId: crypto.randomUUID(), note: 'Fair', months: linkMonths, maxUses: 1, lastDay }
  const { body } = await call(world.server, 'admin-create-gift-link', terms, owner.token)
  world.giftLinkToken = new URL(String(body.link)).hash.replace('#gift=', '')
}

export const claimGiftLink = (world: World, person: Person) =>
  world.call('use-gift-link', { token: world.giftLinkToken }, person)

type Gift = typeof gift.$inferSelect
type Snapshot = {
  until: Map<string, Date>
  gifts: Map<string, Gift>
  uses: Map<string, Date>
  planEnds: Map<string, Date | null>
}

async function takeSnapshot({ database: { db }, people, config, clock }: World): Promise<Snapshot> {
  const access = await db.select().from(complimentaryAccess)
  const planEnds = new Map<string, Date | null>()
  for (const { user } of people) {
    const [row] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, user.id))
    const own = entitlement(row ?? null, clock.now, knownProductIds(config))
    planEnds.set(user.id, own.entitled && row?.cancelAt ? own.shownEnd : null)
  }
  return {
    planEnds,
    until: new Map(access.map(({ userId, until }) => [userId, until])),
    gifts: new Map((await db.select().from(gift)).map((row) => [row.id, row])),
    uses: new Map((await db.select().from(giftLinkUse)).map(({ userId, usedAt }) => [String(userId), usedAt])),
  }
}

const holds = (row: Gift | undefined) =>
  row !== undefined && row.outcome === 'access' && (row.state === 'claimed' || row.state === 'refunding')

/**
 * Runs a step and expects that access by gifts changed by exactly what it claimed, took or gave back. A gift that a dispute
 * took comes back with the seconds that were taken.
 */
export async function watchGiftedAccess<T>(world: World, run: () => Promise<T>): Promise<T> {
  const before = await takeSnapshot(world)
  const result = await run()
  const after = await takeSnapshot(world)
  for (const { user } of world.people) {
    const expected = expectedUntil(world, user.id, before, after)
    const shown = after.until.get(user.id) ?? null
    expect([user.id, shown?.toISOString() ?? null]).toEqual([user.id, expected?.toISOString() ?? null])
  }
  return result
}

function expectedUntil(world: World, userId: string, before: Snapshot, after: Snapshot): Date | null {
  const now = world.clock.now
  let until = before.until.get(userId) ?? null
  const addFrom = () => new Date(Math.max(+now, +(before.planEnds.get(userId) ?? 0), +(until ?? 0)))
  if (after.uses.has(userId) && !before.uses.has(userId)) until = addMonths(addFrom(), linkMonths)
  for (const row of [...after.gifts.values()].filter(({ claimedBy }) => claimedBy === userId)) {
    const old = before.gifts.get(row.id)
    if (holds(row) && !holds(old)) {
      const taken = world.takenSeconds.get(row.id)
      until = taken === undefined ? addMonths(addFrom(), row.months) : new Date(+addFrom() + taken * 1000)
      world.takenSeconds.delete(row.id)
      world.givenBack.set(row.id, taken ?? null)
    }
    if (!holds(row) && holds(old) && until) {
      const back = world.givenBack.get(row.id)
      const left = typeof back === 'number' ? new Date(+until - back * 1000) : addMonths(until, -row.months)
      world.takenSeconds.set(row.id, Math.round((+until - Math.max(+now, +left)) / 1000))
      until = left <= now ? null : left
    }
  }
  return until
}

/** The link gave its months to one person at most, whatever crashed. */
export async function expectUsesWithinLimit({ database: { db } }: World): Promise<void> {
  const [link] = await db.select().from(giftLink)
  expect(await db.$count(giftLinkUse)).toBeLessThanOrEqual(link?.maxUses ?? 0)
}
