import { eq, sql } from 'drizzle-orm'
import { gift } from '#server/db/schema/index.ts'
import { workOnGifts } from '#server/features/billing/gifts/feature.ts'
import { oneTimePaymentJobOf } from '#server/features/billing/purchases/feature.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import type { GiftSettings, NewGift } from '#shared/contracts/billing/gifts.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { type Billing, dayMs, deliver, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'

export const timeZone = 'America/New_York'

/** A year costs $99. */
export const settings = (more: Partial<GiftSettings> = {}): GiftSettings => ({
  plan: 'pro_yearly',
  forPayers: 'credit',
  unclaimed: 'refund',
  ...more,
})

export const createGifts = (billing: Billing) => {
  const { db, deps, server } = billing
  let count = 0
  const dayAfter = (days: number) =>
    localTimeOf(new Date(server.clock.now.getTime() + days * dayMs).toISOString(), timeZone).slice(0, 10)

  const wanted = (more: Partial<NewGift> = {}): NewGift => {
    count += 1
    return {
      requestId: crypto.randomUUID(),
      giverName: 'Gwen Giver',
      giverEmail: `giver-${count}@example.test`,
      recipientName: 'Remy',
      recipientEmail: `remy-${count}@example.test`,
      deliverOn: dayAfter(0),
      message: 'Happy birthday!',
      amountCents: 9900,
      ...more,
    }
  }
  const owner = () => billing.user({ admin: true })
  const rowOf = async (id: string) => {
    const [row] = await db.select().from(gift).where(eq(gift.id, id))
    if (!row) throw new Error('no such gift')
    return row
  }
  const tokenIn = (url: string) => new URL(url).hash.replace('#gift=', '')
  const emailsTo = (address: string) => server.outbox.list().filter(({ to }) => to === address)
  const lastTo = (address: string) => {
    const found = emailsTo(address)[0]
    if (!found) throw new Error(`no email to ${address}`)
    return found
  }
  const linkIn = ({ text }: { text: string }) => /\S+\/gift\/\w+#gift=\S+/.exec(text)?.[0] ?? ''
  const events = async () => {
    const found = []
    for await (const event of billing.api.events.list({ limit: 100 })) found.push(event)
    return found.reverse()
  }
  const runJobs = async () => {
    const queued = server.jobs.filter(({ name }) => name === oneTimePaymentJob.name)
    server.jobs.splice(0, server.jobs.length, ...server.jobs.filter((job) => !queued.includes(job)))
    for (const { payload } of queued) await oneTimePaymentJobOf(deps).run(oneTimePaymentJob.payload.parse(payload))
  }

  return {
    dayAfter,
    wanted,
    rowOf,
    tokenIn,
    emailsTo,
    lastTo,
    linkIn,
    work: () => workOnGifts(deps),
    /** One who has just signed in, since tests move the clock. */
    owner,
    save: async (more: Partial<GiftSettings> = {}) => {
      const by = await owner()
      const { version } = (await billing.call('admin-gifts', {}, by)).body
      return billing.call('admin-save-gift-settings', { settings: settings(more), version }, by)
    },
    order: (gift: NewGift) => billing.call('buy-gift', gift),
    /** Pays at checkout and returns the giver's page. Tells the server nothing. */
    async pay(given: NewGift) {
      const { status, body } = await billing.call('buy-gift', given)
      if (status !== 200) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
      return payAtCheckout(String(body.url))
    },
    /** Delivers Stripe's events about the gift, and runs their jobs. */
    async deliverEvents(id: string, times = 1) {
      const { stripeSessionId, stripePaymentIntentId } = await rowOf(id)
      const about = (await events()).filter((event) => {
        const text = JSON.stringify(event.data.object)
        return [stripeSessionId, stripePaymentIntentId].some((known) => known && text.includes(known))
      })
      for (let time = 0; time < times; time += 1) for (const event of about) await deliver(billing, event)
      await runJobs()
    },
    async buy(more: Partial<NewGift> = {}) {
      const given = wanted(more)
      const page = await this.pay(given)
      await this.deliverEvents(given.requestId)
      return { ...given, id: given.requestId, giverToken: tokenIn(page) }
    },
    claimTokenOf: (address: string) => tokenIn(linkIn(lastTo(address))),
    status: async (token: string) => (await billing.call('gift-status', { token })).body,
    received: async (token: string) => (await billing.call('received-gift', { token })).body,
    claim: (user: TestUser, token: string, accept: string | null = null) =>
      billing.call('claim-gift', { token, accept }, user),
    /** Sums of the revenue report's table, in cents. */
    async revenue() {
      const { rows } = (await db.execute(
        sql`select coalesce(sum(cents) filter (where name = 'paid'), 0)::int as paid,
          coalesce(sum(cents) filter (where name = 'refunded'), 0)::int as refunded from revenue_monthly_total`,
      )) as unknown as { rows: { paid: number; refunded: number }[] }
      return rows[0]
    },
  }
}
