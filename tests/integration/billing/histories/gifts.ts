import { randomUUID } from 'node:crypto'
import { card, press, visit } from '@front-counter/stripe-sandbox/testing'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { gift } from '#server/db/schema/index.ts'
import { claimLink } from '#server/features/billing/gifts/gift-links.ts'
import { giftSettingsSchema } from '#shared/contracts/billing/gifts.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { isTakenBack } from './disputes.ts'
import type { Person, World } from './world.ts'

export const giverEmail = 'gwen@example.test'

/** Sells years of a plan as gifts. */
export async function sellGifts(world: World, plan: PlanKey): Promise<void> {
  const value = giftSettingsSchema.parse({ plan, forPayers: 'credit', unclaimed: 'refund' })
  await world.database.db.transaction((tx) =>
    writePublicationSetting(tx, 'gifts', 0, { value, updatedAt: world.clock.now, updatedBy: null, updatedById: null }),
  )
}

/** Someone without an account buys a gift for an address, and pays if the card works. */
export async function buyGift(world: World, person: Person, isQuestioned: boolean): Promise<void> {
  const offered = (await world.call('gift-offer', {}, person))?.body.offer as
    | { amountCents: number; today: string }
    | undefined
    | null
  if (!offered) return
  const given = {
    requestId: randomUUID(),
    giverName: 'Gwen',
    giverEmail,
    recipientName: 'Remy',
    recipientEmail: 'remy@example.test',
    deliverOn: offered.today,
    message: '',
    amountCents: offered.amountCents,
  }
  const url = (await world.call('buy-gift', given, person))?.body.url
  if (typeof url !== 'string') return
  const page = await visit(url)
  if (page.text.includes('name="number"'))
    await press(page, 'Pay', card(isQuestioned ? '4000 0000 0000 1976' : '4242 4242 4242 4242'))
}

/** Someone opens the newest gift that was sent: access, credit, or money back. */
export async function claimGift(world: World, person: Person): Promise<void> {
  const [row] = await world.database.db.select().from(gift).where(eq(gift.state, 'sent')).limit(1)
  if (!row) return
  const token = new URL(claimLink(world.deps, row)).hash.replace('#gift=', '')
  for (const accept of [null, 'credit', 'refund']) {
    const answer = await world.call('claim-gift', { token, accept }, person)
    if (answer?.status === 200) return
  }
}

/** Payments that bought gifts. */
export async function giftCharges({ api }: World): Promise<Stripe.Charge[]> {
  const found: Stripe.Charge[] = []
  for await (const charge of api.charges.list({ limit: 100 })) {
    if (charge.metadata.gift_id && charge.paid) found.push(charge)
  }
  return found
}

/** A refund or a dispute in Stripe ends a gift, and a won dispute doesn't; credits at Stripe follow, to the cent. */
export async function expectGiftsAsPaid(world: World): Promise<void> {
  for (const charge of await giftCharges(world)) {
    const [row] = await world.database.db
      .select()
      .from(gift)
      .where(eq(gift.id, charge.metadata.gift_id ?? ''))
    const isRefunded = charge.amount_refunded >= charge.amount
    const isEnded = isRefunded || (await isTakenBack(world, charge))
    expect([row?.id, row?.state === 'refunded' || row?.state === 'disputed']).toEqual([row?.id, isEnded])
    const customer = row?.creditCustomerId
    if (!customer || (await world.api.customers.retrieve(customer)).deleted) continue
    const { data } = await world.api.customers.listBalanceTransactions(customer, { limit: 100 })
    const own = data.filter(({ metadata }) => metadata?.gift_id === row.id)
    const credit = -own.reduce((sum, { amount }) => sum + amount, 0)
    // Of an ended gift, the part that invoices used stays, and taking the rest back charges nobody.
    const used = data.reduce((sum, { type, amount }) => (type.startsWith('applied_to') ? sum + amount : sum), 0)
    if (!isEnded) expect(credit).toBe(row.amountCents)
    else expect(credit >= 0 && credit <= Math.min(row.amountCents, used)).toBe(true)
    for (const { amount, ending_balance: after } of own) if (amount > 0) expect(after).toBeLessThanOrEqual(0)
  }
}
