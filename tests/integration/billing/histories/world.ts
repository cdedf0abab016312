import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { readConfig } from '#server/config/config.ts'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { leases, sessions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { workOnGifts } from '#server/features/billing/gifts/feature.ts'
import { oneTimePaymentJobOf } from '#server/features/billing/purchases/feature.ts'
import { workOnPurchases } from '#server/features/billing/purchases/refund-purchase.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { endDuePauses } from '#server/features/billing/subscriptions/plan-changes/pause-plan.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import { isHandledType, oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import { lowerDueSeats } from '#server/features/billing/teams/seats/raise-and-lower-seats.ts'
import { workOnWithdrawals } from '#server/features/billing/withdrawals/feature.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { type CrashableNode, type Network, startCrashableNode } from '#tests/support/crashable-node.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { type PlanKey, planKeys } from '#tests/support/default-plans.ts'
import type { TestDatabase } from '#tests/support/open-test-database.ts'
import { startTestStripe } from '#tests/support/stripe-sandbox.ts'
import { runEventJobs } from '../support.ts'
import { watchSeats } from './company-seats.ts'
import { watchGiftedAccess } from './gifted-access.ts'
import { sellOnce } from './one-time.ts'
import { type PriceList, sellIn, type TaxBehavior } from './sell-in.ts'

const payingCards = ['4242 4242 4242 4242', '5555 5555 5555 4444']

const tenYearsSeconds = 10 * 365 * 24 * 60 * 60
const eventsPerPage = 100

export type Person = {
  user: TestUser
  /** All checkout URLs that the app returned to this person. */
  pages: string[]
  /** All customers created for this person, including deleted ones. */
  customers: string[]
  clock: string | null
  /** Subscriptions created directly at Stripe, and those canceled by the person or by Stripe after failed payments. */
  boughtPastApp: Set<string>
  endedByHand: Set<string>
  /** Subscriptions that bill other products, as originally bought. */
  others: Stripe.Subscription[]
  /** Subscriptions with a payment that staff refunded or a bank disputed. */
  refundedByHand: Set<string>
  /** The number of a card that pays. Two people have two cards. */
  card: string
}

export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * The environment of one history: a Stripe sandbox, an empty database, one server process at a time and a few people.
 * All share a simulated wall clock. Test clocks advance subscriptions.
 */
export async function openWorld(
  database: TestDatabase,
  options: {
    startsAt: Date
    people: number
    trialDays: number
    priceList: PriceList
    amounts: readonly number[]
    tax: TaxBehavior
    /** Checkouts and gifts are taxed. */
    collectsTax: boolean
    /** Buyers of the yearly plan choose the amount. */
    choosesAmount: boolean
  },
) {
  await database.truncate()
  const clock = { now: options.startsAt }
  const stripe = await startTestStripe({ now: () => clock.now.getTime() })
  const { auth } = readConfig({ NODE_ENV: 'test' })
  const server = await createTestApp({
    config: {
      stripe: stripe.config,
      trialDays: options.trialDays,
      // Histories span years, so sessions must not expire.
      auth: { ...auth, accessTokenSeconds: tenYearsSeconds, stepUpSeconds: tenYearsSeconds },
    },
    database,
  })
  server.deps.clock = () => clock.now
  const stripeConfig = { ...stripe.config, port: stripe.port } as typeof stripe.config & { port: number }
  const api = createStripe(stripeConfig)
  const [endpoint] = (await api.webhookEndpoints.list()).data
  // The history delivers webhooks itself.
  if (endpoint) await api.webhookEndpoints.update(endpoint.id, { disabled: true })

  if (options.collectsTax) {
    const value = { enabled: true, included: options.tax === 'inclusive', taxIds: false }
    const facts = { updatedAt: clock.now, updatedBy: null, updatedById: null }
    await database.db.transaction((tx) => writePublicationSetting(tx, 'tax', 0, { value, ...facts }))
  }
  const { settings } = server.deps.config
  const ids = await sellIn(api, settings, server.deps.config.stripe.ids, options)
  await sellOnce(api, settings, options.tax)
  const owner = await buildUser(server, { admin: true })
  const { data: onSale } = await api.prices.list({ limit: 100 })
  const currencyOf = (plan: PlanKey) => onSale.find(({ id }) => id === ids[plan].priceId)?.currency ?? 'usd'

  const others = new Map<string, string>()
  for (const currency of new Set(planKeys.map(currencyOf))) {
    const { id } = await api.prices.create({
      currency,
      unit_amount: 50_000,
      recurring: { interval: 'month' },
      product_data: { name: 'Coaching' },
    })
    others.set(currency, id)
  }

  let network: Network = 'up'
  const startNode = () => startCrashableNode(server.deps, stripeConfig, { network: () => network })
  let node: CrashableNode = startNode()

  const people: Person[] = []
  for (let count = 0; count < options.people; count += 1) {
    const user = await buildUser(server)
    // Two people on one device couldn't invite each other.
    await database.db
      .update(sessions)
      .set({ ip: `203.0.113.${count}` })
      .where(eq(sessions.userId, user.id))
    people.push({
      user,
      pages: [],
      customers: [],
      clock: null,
      boughtPastApp: new Set(),
      endedByHand: new Set(),
      others: [],
      refundedByHand: new Set(),
      card: payingCards[count % payingCards.length] as string,
    })
  }
  const post: Stripe.Event[] = []
  const delivered: Stripe.Event[] = []
  let last: string | undefined

  /** Syncs on second nodes that have read Stripe but haven't written yet. */
  const slow: { go: () => void; done: Promise<unknown> }[] = []

  /** Starts another process after a crash, when the dead one's leases have expired. */
  async function replaceDeadNode() {
    if (!node.isDead()) return
    node = startNode()
    await database.db.delete(leases)
  }

  async function onLiveNode<T>(work: (node: CrashableNode) => Promise<T>): Promise<T | null> {
    const own = node
    try {
      return await work(own)
    } catch (error) {
      if (own.isDead()) return null
      throw error
    } finally {
      await replaceDeadNode()
    }
  }

  /** Everything that the app does, so that what it changes is watched call by call. */
  const watched = <T>(work: (node: CrashableNode) => Promise<T>): Promise<T | null> =>
    watchSeats(world, () => watchGiftedAccess(world, () => onLiveNode(work)))

  const postWebhook = async (app: CrashableNode['app'], event: Stripe.Event): Promise<number> => {
    const payload = JSON.stringify(event)
    const secret = server.deps.config.stripe.webhookSecrets[0] ?? ''
    const signature = api.webhooks.generateTestHeaderString({ payload, secret })
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
    return (await app.request('/webhooks/stripe', { method: 'POST', headers, body: payload })).status
  }

  async function finishSlow() {
    for (const { go, done } of slow.splice(0)) {
      go()
      await done
    }
  }

  const world = {
    api,
    clock,
    database,
    people,
    owner,
    /** People of a company, who have a seat at most. */
    workers: [] as TestUser[],
    collectsTax: options.collectsTax,
    tax: options.tax,
    /** The amounts for which checkouts of one-time purchases were opened. */
    asked: new Map<string, number>(),
    post,
    delivered,
    config: server.deps.config,
    deps: server.deps,
    server,
    sandboxPort: stripe.port,
    giftLinkToken: '',
    /** The seconds of access that a dispute took from a gift, and those that were given back after it. */
    takenSeconds: new Map<string, number>(),
    givenBack: new Map<string, number | null>(),
    priceOf: (plan: PlanKey) => ids[plan].priceId,
    isPlan: ({ price }: Pick<Stripe.SubscriptionItem, 'price'>) =>
      planKeys.some((key) => server.deps.config.stripe.ids[key].productId === price.product),
    /** A price of another product in the same Stripe account, in the currency of a plan. */
    otherPriceBeside: (plan: PlanKey) => others.get(currencyOf(plan)) ?? '',
    isOtherPrice: (id: unknown) => [...others.values()].some((price) => price === id),
    /** The job that finishes what is left of gifts. */
    workOnGifts: () =>
      watched(async ({ deps }) => {
        await runGiftJobs(server.jobs, deps)
        await workOnGifts(deps)
      }),
    workOnReferrals: () => watched(({ deps }) => workOnReferrals(deps)),
    workOnPurchases: () => watched(({ deps }) => workOnPurchases(deps)),
    endDuePauses: () => watched(({ deps }) => endDuePauses(deps)),
    workOnWithdrawals: () => watched(({ deps }) => workOnWithdrawals(deps)),
    onLiveNode: watched,
    lowerDueSeats: () => watched(({ deps }) => lowerDueSeats(deps)),
    call: (name: string, body: unknown, person: Pick<Person, 'user'>) =>
      watched(({ app }) => call({ app }, name, body, person.user.token)),
    reconcile: () =>
      watched(async ({ deps }) => {
        try {
          return await reconcile(deps)
        } catch (error) {
          // The job queue would record the error and retry in an hour.
          if (error instanceof Stripe.errors.StripeError) return null
          throw error
        }
      }),
    setNetwork(state: Network) {
      network = state
    },
    dieAfter: (steps: number, when: 'before' | 'after') => node.dieAfter(steps, when),
    /** Restores the network and starts a healthy node. */
    async heal() {
      network = 'up'
      node = startNode()
      await database.db.delete(leases)
    },
    /** Queues Stripe's events since the last call for delivery. */
    async collectEvents() {
      for (;;) {
        const page = await api.events.list({ limit: eventsPerPage, ...(last && { ending_before: last }) })
        // The first call reads only the newest page, which is enough at the start of a history.
        const fresh = page.data.toReversed()
        for (const event of fresh) {
          noteCustomer(people, event)
          if (isHandledType(event.type)) post.push(event)
        }
        last = fresh.at(-1)?.id ?? last
        if (fresh.length < eventsPerPage) return
      }
    },
    deliver(event: Stripe.Event): Promise<number | null> {
      delivered.push(event)
      return watched(async ({ app, deps }) => {
        const status = await postWebhook(app, event)
        await runEventJobs({ deps, jobs: server.jobs })
        await runGiftJobs(server.jobs, deps)
        return status
      })
    },
    /** Starts a sync on a second node that reads Stripe now and writes its row much later. */
    async startSlowSync(customer: string) {
      const release = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      const second = startCrashableNode(server.deps, stripeConfig, {
        network: () => network,
        slowUntil: release.promise,
        onSlow: reached.resolve,
      })
      // A failed sync changes nothing.
      const done = syncCustomer(second.deps, customer).catch(() => null)
      slow.push({ go: release.resolve, done })
      await Promise.race([reached.promise, done])
    },
    finishSlow,
    async close() {
      await finishSlow()
      await stripe.close()
    },
  }
  return world
}

/** Runs the queued jobs about gifts. One that fails during an outage or a crash stays queued. */
async function runGiftJobs(jobs: TestApp['jobs'], deps: Deps) {
  const queued = jobs.filter(({ name }) => name === oneTimePaymentJob.name)
  for (const job of queued) {
    try {
      await oneTimePaymentJobOf(deps).run(oneTimePaymentJob.payload.parse(job.payload))
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) continue
      throw error
    }
    jobs.splice(jobs.indexOf(job), 1)
  }
}

function noteCustomer(people: Person[], event: Stripe.Event) {
  if (event.type !== 'customer.created') return
  const customer = event.data.object
  people.find(({ user }) => user.id === customer.metadata.user_id)?.customers.push(customer.id)
}
