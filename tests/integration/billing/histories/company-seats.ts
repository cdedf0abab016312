import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { subscriptionState, teamSeat } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { stepKind } from './step-kinds.ts'
import { expectedState } from './truth.ts'
import type { Person, World } from './world.ts'

const domain = 'bakery.test'

/** People with an address at one company's domain, who buy nothing. */
export async function hireWorkers(world: World): Promise<void> {
  for (const name of ['ana', 'ben', 'cleo']) {
    world.workers.push(await buildUser(world.server, { email: `${name}@${domain}` }))
  }
}

const workerOf = ({ workers }: World, pick: number) => {
  const user = workers[pick % workers.length]
  if (!user) throw new Error('no workers')
  return user
}

async function proveDomain(world: World, person: Person): Promise<void> {
  const email = `it@${domain}`
  await world.call('add-team-domain', { email }, person)
  const text = world.server.outbox.list(email)[0]?.text ?? ''
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
  if (code) await world.call('prove-team-domain', { domain, code }, person)
}

const signIn = (world: World, worker: number) =>
  world.onLiveNode(({ app }) => {
    const { email, password } = workerOf(world, worker)
    const body = JSON.stringify({ email, password })
    const headers = { 'Content-Type': 'application/json' }
    return Promise.resolve(app.request('/auth/v1/token?grant_type=password', { method: 'POST', headers, body }))
  })

async function answer(world: World, person: Person, { worker, accept, clicks }: Answer): Promise<void> {
  const given = { userId: workerOf(world, worker).id, accept }
  for (let count = 0; count < clicks; count += 1) await world.call('answer-seat-request', given, person)
}
type Answer = { worker: number; accept: boolean; clicks: number }

const worker = fc.nat(2)

export const companySteps = {
  'proves the domain of a company': stepKind(2, {}, proveDomain),
  'sees someone of the company sign in': stepKind(4, { worker }, (world, _person, step) => signIn(world, step.worker)),
  'answers a request for a seat': stepKind(
    2,
    { worker, accept: fc.constantFrom(true, true, false), clicks: fc.integer({ min: 1, max: 2 }) },
    answer,
  ),
  'has a member who asks for seats': stepKind(
    1,
    { worker, seats: fc.integer({ min: 1, max: 3 }) },
    (world, _person, step) =>
      world.call('request-seats', { seats: step.seats }, { user: workerOf(world, step.worker) }),
  ),
  'removes a member': stepKind(1, { worker }, (world, person, step) =>
    world.call('remove-member', { userId: workerOf(world, step.worker).id }, person),
  ),
}

/** A new seat was free, in a plan that is paid for or on trial. */
export async function watchSeats<T>(world: World, run: () => Promise<T>): Promise<T> {
  const { db } = world.database
  const before = new Set((await db.select().from(teamSeat)).map(({ userId }) => userId))
  const result = await run()
  const seats = await db.select().from(teamSeat)
  for (const { ownerId } of seats.filter(({ userId }) => !before.has(userId))) {
    const [row] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, ownerId))
    expect(['active', 'trialing', 'past_due']).toContain(row?.status)
    const people = 1 + seats.filter((one) => one.ownerId === ownerId).length
    expect(people).toBeLessThanOrEqual(row?.quantity ?? 0)
  }
  return result
}

/** Someone of a company is let in by the plan of the owner who gave a seat, as it is at Stripe, and by nothing else. */
export async function expectSeatsAsPaid(world: World): Promise<void> {
  const seats = await world.database.db.select().from(teamSeat)
  for (const user of world.workers) {
    const seat = seats.find(({ userId }) => userId === user.id)
    const owner = world.people.find((one) => one.user.id === seat?.ownerId)
    const truth = owner && (await expectedState(world, owner)).answer
    const isTeam = truth?.product_id === world.config.stripe.ids.team_monthly.productId
    const nothing = { subscribed: false, product_id: null, subscription_end: null }
    expect((await world.call('check-subscription', {}, { user }))?.body).toEqual(isTeam ? truth : nothing)
  }
}
