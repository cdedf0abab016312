import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  billingCustomer,
  referral,
  revenueInvoice,
  sessions,
  subscriptionState,
  users,
} from '#server/db/schema/index.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { wholePeriod } from '#server/features/billing/subscriptions/plan-changes/switch-plan.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { referralThanksEmail, referralWelcomeEmail } from '#server/mail/texts/referral-emails.ts'
import type { refusalReasons } from '#shared/contracts/billing/referrals.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { settleCredits } from './referral-credits.ts'
import { countRewards, monthOf, type ReferralDeps, readReferralSettings } from './referrals.ts'
import { isDisputed } from './withdraw-rewards.ts'

export type ReferralRow = typeof referral.$inferSelect
type Refusal = (typeof refusalReasons)[number]
type Payment = { id: string; paidAt: Date; isRefunded: boolean; isDisputed: boolean; cards: Cards; paid: Paid }
/** What they paid after refunds, without tax: the new member in all, and each for a month. */
type Paid = { netCents: number; currency: string; refereeMonth: number; referrerMonth: number }
type InvoiceRow = typeof revenueInvoice.$inferSelect
/** Stripe's fingerprints. */
type Cards = { referrer: string[]; referee: string[] }

const batch = 200
/** Long enough for a trial. Someone who pays later can accept again. */
const keptPendingMs = 90 * dayMs
const mailboxPurpose = 'referral mailbox'
const cardPurpose = 'referral card'

/** The price of a trial is paid before recurring revenue begins. */
const paysForPlan = sql`exists (select 1 from revenue_change c where c.customer_id = ${revenueInvoice.customerId}
  and c.at < ${revenueInvoice.paidAt} + interval '1 hour')`

/** Decides on referrals whose new member has paid, and forgets those who never did. */
export async function rewardReferrals(deps: ReferralDeps): Promise<void> {
  const { db } = deps.database
  const rows = await db
    .select({ row: referral, invoice: revenueInvoice })
    .from(referral)
    .innerJoin(billingCustomer, eq(billingCustomer.userId, referral.refereeId))
    .innerJoin(revenueInvoice, eq(revenueInvoice.customerId, billingCustomer.stripeCustomerId))
    .where(
      and(
        eq(referral.state, 'pending'),
        isNotNull(revenueInvoice.paidAt),
        gt(revenueInvoice.paidCents, 0),
        paysForPlan,
      ),
    )
    .orderBy(asc(revenueInvoice.paidAt))
    .limit(batch)
  const seen = new Set<string>()
  for (const { row, invoice } of rows) {
    if (seen.has(row.id)) continue
    seen.add(row.id)
    await decide(deps, row, invoice).catch((error: unknown) =>
      deps.logger.warn({ referralId: row.id, ...describeFailure(error) }, 'referral failed; it is tried again'),
    )
  }
  const old = new Date(deps.clock().getTime() - keptPendingMs)
  // One that was decided on is open again because a dispute was won.
  const isUndecided = and(eq(referral.state, 'pending'), isNull(referral.decidedAt))
  await db.delete(referral).where(and(isUndecided, lt(referral.createdAt, old)))
}

async function decide(deps: ReferralDeps, row: ReferralRow, invoice: InvoiceRow) {
  const { db } = deps.database
  const referrerCustomer = row.referrerId && (await findCustomerId(db, row.referrerId))
  const payment = {
    id: invoice.id,
    paidAt: invoice.paidAt ?? deps.clock(),
    isRefunded: invoice.refundedCents >= invoice.paidCents,
    isDisputed: await isDisputed(deps, invoice.id),
    cards: {
      referrer: referrerCustomer ? await fingerprintsOf(deps, referrerCustomer) : [],
      referee: await fingerprintsOf(deps, invoice.customerId),
    },
    paid: {
      netCents: netOf(invoice),
      currency: invoice.currency,
      refereeMonth: await paidForMonth(deps, [invoice]),
      referrerMonth: referrerCustomer ? await lastPaidMonth(deps, referrerCustomer) : 0,
    },
  }
  const customers = { referrerCustomerId: referrerCustomer, refereeCustomerId: invoice.customerId }
  await db.transaction(async (tx) => {
    // The referrer first, so that two rewards of one member don't exceed the year's limit.
    if (row.referrerId) await lockUser(tx, row.referrerId)
    const [locked] = await tx.select().from(referral).where(eq(referral.id, row.id)).for('update')
    if (locked?.state !== 'pending' || !locked.refereeId) return
    const people = await readPeople(tx, locked)
    const reason = await findRefusal(tx, deps, locked, people, payment)
    if (reason) await refuse(tx, deps, locked, { reason, invoiceId: payment.id })
    else await reward(tx, deps, locked, people, { payment, customers })
  })
  await settleCredits(deps, row.id)
}

const netOf = (row: InvoiceRow) => row.paidCents - row.refundedCents - (row.paidTaxCents - row.refundedTaxCents)

/** What the customer paid for a month of the last period that they paid for. */
export async function lastPaidMonth(deps: ReferralDeps, customerId: string): Promise<number> {
  const isPaid = and(eq(revenueInvoice.status, 'paid'), gt(revenueInvoice.paidCents, revenueInvoice.refundedCents))
  const rows = await deps.database.db
    .select()
    .from(revenueInvoice)
    .where(and(eq(revenueInvoice.customerId, customerId), isPaid))
    .orderBy(desc(revenueInvoice.paidAt))
    .limit(12)
  return paidForMonth(deps, rows)
}

/** Of the first invoice that bills a whole period; those of a change bill a part of one. For a shorter one, all of it. */
async function paidForMonth({ stripe }: ReferralDeps, rows: readonly InvoiceRow[]): Promise<number> {
  for (const row of rows) {
    const period = wholePeriod(await stripe.invoices.retrieve(row.id))?.period
    if (!period) continue
    const months = ((period.end - period.start) * 1000 * 12) / (365 * dayMs)
    return Math.floor(netOf(row) / Math.max(1, Math.round(months)))
  }
  return 0
}

async function fingerprintsOf({ stripe }: ReferralDeps, customer: string): Promise<string[]> {
  const { data } = await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })
  return data.flatMap(({ card }) => card?.fingerprint ?? [])
}

type Person = { email: string; row: typeof subscriptionState.$inferSelect | null }
type People = { referrer: Person | null; referee: Person | null }

async function readPeople(tx: Tx, { referrerId, refereeId }: ReferralRow): Promise<People> {
  const found = await tx
    .select({ id: users.id, email: users.email, row: subscriptionState })
    .from(users)
    .leftJoin(subscriptionState, eq(subscriptionState.userId, users.id))
    .where(
      inArray(
        users.id,
        [referrerId, refereeId].filter((id) => id !== null),
      ),
    )
  const personOf = (id: string | null) => {
    const person = found.find((one) => one.id === id)
    return person?.email ? { email: person.email, row: person.row } : null
  }
  return { referrer: personOf(referrerId), referee: personOf(refereeId) }
}

async function findRefusal(
  tx: Tx,
  deps: ReferralDeps,
  row: ReferralRow,
  { referrer, referee }: People,
  { paidAt, isRefunded, isDisputed: disputed, cards }: Payment,
): Promise<Refusal | null> {
  // Stripe's times are whole seconds.
  if (paidAt.getTime() + 1000 <= row.createdAt.getTime()) return 'not_new'
  if (isRefunded) return 'refunded'
  if (disputed) return 'disputed'
  const mailbox = normalizeMailbox(referee?.email ?? '')
  if (!referee || (referrer && normalizeMailbox(referrer.email) === mailbox)) return 'same_person'
  if (cards.referee.some((card) => cards.referrer.includes(card))) return 'same_card'
  const isOther = ne(referral.id, row.id)
  const mailboxHashes = deps.secrets.signatures(mailboxPurpose, mailbox)
  if (await tx.$count(referral, and(isOther, inArray(referral.mailboxHash, mailboxHashes)))) return 'same_person'
  const cardHashes = cards.referee.flatMap((card) => deps.secrets.signatures(cardPurpose, card))
  if (cardHashes.length > 0 && (await tx.$count(referral, and(isOther, inArray(referral.cardHash, cardHashes))))) {
    return 'same_card'
  }
  return (await shareDevice(tx, row)) ? 'same_device' : null
}

/** Whether both have signed in with the same browser from the same address, by the sessions that we keep. */
async function shareDevice(tx: Tx, { referrerId, refereeId }: ReferralRow): Promise<boolean> {
  if (!referrerId || !refereeId) return false
  const other = sql`select 1 from auth.sessions other where other.user_id = ${referrerId}::uuid
    and other.ip = ${sessions.ip} and other.user_agent = ${sessions.userAgent}`
  return (await tx.$count(sessions, and(eq(sessions.userId, refereeId), sql`exists (${other})`))) > 0
}

const refuse = (tx: Tx, deps: ReferralDeps, { id }: ReferralRow, facts: { reason: Refusal; invoiceId: string }) =>
  tx
    .update(referral)
    .set({ state: 'refused', decidedAt: deps.clock(), ...facts })
    .where(eq(referral.id, id))

type Reward = { payment: Payment; customers: { referrerCustomerId: string | null; refereeCustomerId: string } }

const atMost = (month: ReturnType<typeof monthOf>, cents: number) =>
  month && cents > 0 ? { ...month, cents: Math.min(month.cents, cents) } : null

/** The job pays the credits afterwards. A referrer without a plan, or over the year's limit, gets none. */
async function reward(
  tx: Tx,
  deps: ReferralDeps,
  { id, referrerId }: ReferralRow,
  { referrer, referee }: People,
  { payment, customers }: Reward,
) {
  const { maxPerYear } = (await readReferralSettings(tx)).settings
  const isOver = referrerId !== null && (await countRewards(tx, referrerId, deps.clock())) >= maxPerYear
  const { netCents, currency, refereeMonth, referrerMonth } = payment.paid
  const month = monthOf(deps, referee?.row)
  const forReferee = atMost(month, refereeMonth)
  const own = customers.referrerCustomerId && !isOver ? monthOf(deps, referrer?.row) : null
  // In another currency, the part of the month's price that the new member paid counts.
  const brought = own && own.currency !== currency ? own.cents * (month ? refereeMonth / month.cents : 0) : netCents
  const forReferrer = atMost(own, Math.floor(Math.min(referrerMonth, brought)))
  const [card] = payment.cards.referee
  await tx
    .update(referral)
    .set({
      ...{ state: 'rewarded', decidedAt: deps.clock(), invoiceId: payment.id, ...customers },
      referrerCents: forReferrer?.cents ?? null,
      referrerCurrency: forReferrer?.currency ?? null,
      refereeCents: forReferee?.cents ?? null,
      refereeCurrency: forReferee?.currency ?? null,
      mailboxHash: deps.secrets.sign(mailboxPurpose, normalizeMailbox(referee?.email ?? '')),
      cardHash: card ? deps.secrets.sign(cardPurpose, card) : null,
    })
    .where(eq(referral.id, id))
  const { config } = deps
  if (referrer && forReferrer) {
    await deps.enqueue(tx, emailJob, referralThanksEmail({ to: referrer.email, config, ...forReferrer }))
  }
  if (referee && forReferee) {
    await deps.enqueue(tx, emailJob, referralWelcomeEmail({ to: referee.email, config, ...forReferee }))
  }
}

/** Rewards whose credits an interrupted run left open. */
export async function finishCredits(deps: ReferralDeps): Promise<void> {
  const open = sql`(${referral.state} = 'rewarded' and (
      (referrer_cents is not null and referrer_credit_id is null) or
      (referee_cents is not null and referee_credit_id is null)))`
  const toTake = sql`(${referral.state} = 'withdrawn' and (
      (referrer_cents is not null and referrer_taken_cents is null) or
      (referee_cents is not null and referee_taken_cents is null)))`
  const rows = await deps.database.db.select({ id: referral.id }).from(referral).where(or(open, toTake)).limit(batch)
  for (const { id } of rows) await settleCredits(deps, id)
}
