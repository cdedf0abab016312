import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { complimentaryAccess, purchase } from '#server/db/schema/index.ts'
import { ownPlan } from '#server/features/billing/gifts/add-gift-months.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import {
  addRevenue,
  fetchPayment,
  type Payment,
  type PaymentOfEvent,
} from '#server/features/billing/gifts/sync-gift.ts'
import { giveAccess, takeAccess } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { accessBoughtEmail, boughtAccessEndedEmail, itemBoughtEmail } from '#server/mail/texts/purchase-emails.ts'
import { addPeriods } from '#shared/domain/billing-interval.ts'
import { forGood, isForGood } from '#shared/domain/entitlement.ts'
import { planOf } from '#shared/domain/plans.ts'
import { soldItemPath } from '#shared/domain/sold-items.ts'
import type { PurchaseRow } from './buy-access.ts'

/** The name in the log for access that was bought. */
const actor = { userId: '', email: 'Purchase' }

/**
 * Records payment, refunds and disputes as Stripe has them now, and gives or takes the access. Webhooks, the billing page
 * and the job call it, in any order and number: each step happens once, under locks of the account and the row.
 */
export async function syncPurchase(deps: GiftDeps, row: PurchaseRow): Promise<PurchaseRow> {
  const payment = await fetchPayment(deps, row)
  if (!payment) return row
  return deps.database.db.transaction((tx) => recordPayment(tx, deps, row, payment))
}

async function recordPayment(tx: Tx, deps: GiftDeps, found: PurchaseRow, payment: Payment): Promise<PurchaseRow> {
  // The user first: giving access locks it, too.
  const [user] = found.userId ? await lockUser(tx, found.userId) : []
  const member = user?.email && !user.deletedAt ? { id: user.id, email: user.email } : null
  const [before] = await tx.select().from(purchase).where(eq(purchase.id, found.id)).for('update')
  if (!before) return found
  const update = async (facts: Partial<PurchaseRow>) => {
    if (Object.keys(facts).length === 0) return
    const [after] = await tx.update(purchase).set(facts).where(eq(purchase.id, found.id)).returning()
    row = after ?? row
  }
  let row = before
  if (!row.paidAt) {
    const { intentId, paidAt, paidCents: amountCents, taxCents } = payment
    await update({ state: 'paid', paidAt, stripePaymentIntentId: intentId, amountCents, taxCents })
    await update(await give(tx, deps, row, member))
  }
  const isFull = payment.refundedCents >= row.amountCents
  const isTaken = payment.takingIds.some((id) => id !== row.wonDisputeId)
  const [wonDisputeId] = payment.wonIds
  // Refunded cents only grow, so a late answer of Stripe never undoes a newer one.
  if (payment.refundedCents > row.refundedCents) await update({ refundedCents: payment.refundedCents })
  const endsWithRefund = isFull || (row.refundCents !== null && row.refundedCents >= row.refundCents)
  if (isTaken || endsWithRefund) {
    if (row.state === 'paid' || row.state === 'refunding') await update(await take(tx, deps, row, member))
    if (row.state !== 'refunded') await update({ state: isTaken && !endsWithRefund ? 'disputed' : 'refunded' })
  } else if (wonDisputeId && wonDisputeId !== row.wonDisputeId) {
    const isBack = row.state === 'disputed'
    await update({ wonDisputeId, ...(isBack && { state: row.refundCents === null ? 'paid' : 'refunding' }) })
    if (row.state === 'paid' && isBack) await update(await give(tx, deps, row, member))
  }
  await addRevenue(tx, before, row)
  return row
}

type Member = { id: string; email: string } | null

/** Access from now, or from the end of what the member has. A member who already has access for good gets a refund. */
async function give(tx: Tx, deps: GiftDeps, row: PurchaseRow, member: Member): Promise<Partial<PurchaseRow>> {
  if (!member) return {}
  if (row.itemId) return giveItem(tx, deps, row, member)
  const now = deps.clock()
  const [earlier] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, member.id))
  if (isForGood(earlier?.until ?? null)) {
    // What an earlier dispute took isn't back, so the refund takes nothing.
    return { state: 'refunding', refundCents: row.amountCents, accessUntil: null }
  }
  const { end } = ownPlan(deps, { subscription: await findSubscriptionRow(tx, member.id) })
  const from = new Date(Math.max(now.getTime(), end?.getTime() ?? 0, earlier?.until.getTime() ?? 0))
  // After a won dispute, the time that it took.
  const ofPeriod =
    row.accessSeconds === null ? addPeriods(from, row, 1) : new Date(from.getTime() + row.accessSeconds * 1000)
  const until = row.once === 'forever' ? forGood : ofPeriod
  const planName = planOf(deps.config.settings.publication, row.plan).name
  const { amountCents, currency } = row
  const facts = { to: member.email, config: deps.config, planName, amountCents, currency, until }
  const email = (await isOnHold(tx)) ? null : accessBoughtEmail(facts)
  await giveAccess(tx, deps, actor, { userId: member.id, until, note: planName, now, source: 'purchase', email })
  return {
    accessUntil: until,
    formerUntil: row.once === 'forever' ? (earlier?.until ?? null) : null,
    accessSeconds: row.once === 'forever' ? null : Math.round((until.getTime() - from.getTime()) / 1000),
  }
}

/** The paid row opens the item. Someone who has it already, as from another tab, gets a refund. */
async function giveItem(tx: Tx, deps: GiftDeps, row: PurchaseRow, member: NonNullable<Member>) {
  const { id, itemKind, itemId, itemTitle, amountCents, currency } = row
  const isOther = and(ne(purchase.id, id), eq(purchase.userId, member.id), eq(purchase.state, 'paid'))
  const isSame = sql`${purchase.itemKind} = ${itemKind} and ${purchase.itemId} = ${itemId}`
  if ((await tx.$count(purchase, and(isOther, isSame))) > 0) return { state: 'refunding', refundCents: amountCents }
  const path = soldItemPath({ kind: itemKind ?? 'guide', id: itemId ?? '' })
  const facts = { to: member.email, config: deps.config, title: itemTitle ?? '', amountCents, currency, path }
  if (!(await isOnHold(tx))) await deps.enqueue(tx, emailJob, itemBoughtEmail(facts))
  return { accessUntil: forGood }
}

/** Takes what this purchase gave, so that what another one added stays. Access that staff have changed since is theirs to end. */
async function take(tx: Tx, deps: GiftDeps, row: PurchaseRow, member: Member): Promise<Partial<PurchaseRow>> {
  if (!member || !row.accessUntil) return {}
  if (row.itemId) {
    const ended = { to: member.email, config: deps.config, planName: row.itemTitle ?? '' }
    if (!(await isOnHold(tx))) await deps.enqueue(tx, emailJob, boughtAccessEndedEmail(ended))
    return {}
  }
  const { accessSeconds: seconds, formerUntil } = row
  const [access] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, member.id))
  if (!access || access.source === 'staff') return {}
  const isBehind = seconds !== null && isForGood(access.until)
  if (isBehind) {
    // Access for good was bought later; what it follows is shorter now.
    await tx
      .update(purchase)
      .set({ formerUntil: sql`${purchase.formerUntil} - make_interval(secs => ${seconds})` })
      .where(eq(purchase.userId, member.id))
    return {}
  }
  const now = deps.clock()
  const until = seconds === null ? formerUntil : new Date(access.until.getTime() - seconds * 1000)
  const planName = planOf(deps.config.settings.publication, row.plan).name
  const email = (await isOnHold(tx))
    ? null
    : boughtAccessEndedEmail({ to: member.email, config: deps.config, planName })
  const userId = member.id
  if (!until || until <= now) await takeAccess(tx, deps, actor, { userId, now, email })
  else await giveAccess(tx, deps, actor, { userId, until, note: access.note, now, source: 'purchase', email })
  const left = (access.until.getTime() - now.getTime()) / 1000
  return seconds === null ? {} : { accessSeconds: Math.round(Math.max(0, Math.min(seconds, left))) }
}

export async function findPurchaseOfPayment(
  { database: { db } }: GiftDeps,
  { sessionId, intentId, metadata }: PaymentOfEvent,
): Promise<PurchaseRow | null> {
  const id = metadata.purchase_id ?? ''
  const [row] = await db
    .select()
    .from(purchase)
    .where(sql`${purchase.id}::text = ${id} or ${purchase.stripePaymentIntentId} = ${intentId}`)
  if (!row || row.stripeSessionId || !sessionId) return row ?? null
  // The process died between creating the session and storing its id.
  await db.update(purchase).set({ stripeSessionId: sessionId }).where(eq(purchase.id, row.id))
  return { ...row, stripeSessionId: sessionId }
}
