import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { gift, purchase, withdrawal } from '#server/db/schema/index.ts'
import { type GiftDeps, hashToken, lockGift } from '#server/features/billing/gifts/gift-links.ts'
import { startRefund, tryRefund } from '#server/features/billing/gifts/refund-gift.ts'
import { startRefund as startPurchaseRefund } from '#server/features/billing/purchases/refund-purchase.ts'
import { idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import {
  describeFailure,
  isMissing,
  withStripeErrors,
} from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { requireAcceptableEmail } from '#server/features/identity/auth/limits/bot-protection.ts'
import { aboutAddress, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { withdrawalLinkEmail, withdrawalReceiptEmail } from '#server/mail/texts/withdrawal-emails.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { findPurchases, type Purchase, readPlan } from './find-purchases.ts'

type WithdrawalRow = typeof withdrawal.$inferSelect

/** Per address, so that the form can't be used to flood a mailbox. */
const maxEmailsPerDay = 5

/**
 * Stores a declaration and emails the link to confirm it. The deadline is checked against the declaration's time.
 * @throws AppError email_address_invalid, email_address_not_authorized
 */
export async function declareWithdrawal(deps: GiftDeps, name: string, address: string): Promise<void> {
  const email = requireEmail(address)
  requireAcceptableEmail(deps.config, email)
  const id = randomUUID()
  const token = deps.secrets.sign('withdrawal', id)
  const declaredAt = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const isRecent = gt(withdrawal.declaredAt, new Date(declaredAt.getTime() - dayMs))
    if ((await tx.$count(withdrawal, and(eq(withdrawal.email, email), isRecent))) >= maxEmailsPerDay) return
    await tx.insert(withdrawal).values({ id, name, email, tokenHash: hashToken(token), declaredAt })
    const link = `${deps.config.publicUrl}/withdraw/confirm?token=${token}`
    await deps.enqueue(tx, emailJob, withdrawalLinkEmail({ to: email, config: deps.config, link }))
  })
}

/** The declaration and purchases behind a link; null if the link isn't valid. */
export async function readWithdrawal(
  deps: GiftDeps,
  token: string,
): Promise<{ row: WithdrawalRow; purchases: Purchase[] } | null> {
  const [row] = await deps.database.db
    .select()
    .from(withdrawal)
    .where(eq(withdrawal.tokenHash, hashToken(token)))
  if (!row) return null
  const find = () => findPurchases(deps, row.email, row.declaredAt)
  return { row, purchases: row.confirmedAt ? [] : await withStripeErrors(deps, 'find-purchases', find) }
}

/**
 * Withdraws from one purchase: stores it with the promised refund, sends the receipt, then ends the contract and refunds.
 * The job retries what fails. Repeated calls do nothing.
 * @throws AppError stripe_unavailable
 */
export const confirmWithdrawal = (deps: GiftDeps, token: string, contract: string): Promise<void> =>
  withLease(deps, `withdrawal:${contract}`, async () => {
    const found = await readWithdrawal(deps, token)
    const purchase = found?.purchases.find((one) => one.contract === contract && one.state === 'open')
    if (!found || !purchase) return
    const { id, email, name, declaredAt } = found.row
    const { name: contractName, refundCents, currency, isDisputed } = purchase
    const confirmedAt = deps.clock()
    const done = await deps.database.db.transaction(async (tx) => {
      const [row] = await tx
        .update(withdrawal)
        .set({ contract, contractName, refundCents, currency, confirmedAt })
        .where(and(eq(withdrawal.id, id), isNull(withdrawal.confirmedAt)))
        .returning()
      if (!row) return null
      const facts = { contractName, refundCents, currency, isDisputed, timeZone: await readTimeZone(tx) }
      const receipt = { to: email, config: deps.config, name, declaredAt, confirmedAt, ...facts }
      await deps.enqueue(tx, emailJob, withdrawalReceiptEmail(receipt))
      await recordAdminEvent(
        tx,
        { userId: '', email },
        {
          event: 'purchase_withdrawn',
          about: await aboutAddress(tx, email),
          note: `${contractName}; ${formatMoney(refundCents, currency)}`,
          now: confirmedAt,
        },
      )
      return row
    })
    if (done) await trySettle(deps, done)
  })

export const trySettle = (deps: GiftDeps, row: WithdrawalRow): Promise<void> =>
  settle(deps, row).catch((error: unknown) =>
    deps.logger.warn({ withdrawalId: row.id, ...describeFailure(error) }, 'a withdrawal is settled later'),
  )

/**
 * Ends the contract and refunds what the receipt promised. Repeatable: refunds carry the withdrawal's id, and none exceeds
 * what is left of a payment. A disputed payment waits until the bank has decided.
 */
async function settle(deps: GiftDeps, row: WithdrawalRow): Promise<void> {
  const [kind, object = ''] = (row.contract ?? '').split(':')
  let money: PlanMoney | null = null
  if (kind === 'gift') await endGift(deps, object)
  else if (kind === 'once') await endPaidOnce(deps, object, row)
  else {
    money = await endPlan(deps, object, row)
    if (!money) return
  }
  const settled = { settledAt: deps.clock(), ...money }
  await deps.database.db.update(withdrawal).set(settled).where(eq(withdrawal.id, row.id))
}

/** The gifts job retries a failed refund, and refunds a disputed payment once we win the dispute. */
async function endGift(deps: GiftDeps, id: string): Promise<void> {
  const row = await deps.database.db.transaction(async (tx) => {
    const found = await lockGift(tx, id)
    if (found?.state === 'disputed') await tx.update(gift).set({ refundReason: 'withdrawn' }).where(eq(gift.id, id))
    else if (found && found.state !== 'refunded') await startRefund(tx, id, 'withdrawn')
    return found?.state === 'disputed' ? null : found
  })
  if (row) await tryRefund(deps, row)
}

/** Earlier refunds count toward what ends the access. The purchases job retries what fails. */
async function endPaidOnce(deps: GiftDeps, id: string, { refundCents }: WithdrawalRow): Promise<void> {
  const [row] = await deps.database.db.select().from(purchase).where(eq(purchase.id, id))
  if (row) await startPurchaseRefund(deps, id, row.refundedCents + (refundCents ?? 0))
}

type PlanMoney = { refundedCents: number; creditCents: number }

/** @returns null while a payment to refund is disputed */
async function endPlan(deps: GiftDeps, plan: string, row: WithdrawalRow): Promise<PlanMoney | null> {
  const { id, refundCents, declaredAt } = row
  const { stripe } = deps
  const details = { cancellation_details: { comment: `Withdrawal ${id}` } }
  await stripe.subscriptions
    .cancel(plan, { invoice_now: false, prorate: false, ...details })
    .catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  const { subscription, payments } = await readPlan(deps, plan, declaredAt)
  let refundedCents = 0
  for (const { intent, due, refunded, dispute } of payments) {
    // `due` excludes earlier refunds, including ours.
    const amount = Math.min(due, refundCents ?? 0)
    if (dispute !== 'lost') refundedCents += refunded + amount
    if (amount === 0 || dispute === 'open') continue
    const params = { payment_intent: intent, amount, reason: 'requested_by_customer' as const }
    const options = { idempotencyKey: `withdrawal:${id}:${intent}` }
    await stripe.refunds.create({ ...params, metadata: { withdrawal_id: id } }, options)
  }
  const customerId = idOf(subscription.customer) ?? ''
  await syncCustomer(deps, customerId, { afterPayment: true })
  if (payments.some(({ due, dispute }) => due > 0 && dispute === 'open')) return null
  const customer = await stripe.customers.retrieve(customerId)
  const creditCents = customer.deleted ? 0 : Math.max(0, -customer.balance)
  return { refundedCents: Math.min(refundedCents, refundCents ?? 0), creditCents }
}
