import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { subscriptionState, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { offerFreeMonth } from '#server/features/billing/referrals/free-month.ts'
import type { renewalNoticeJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { renewingSoonEmail } from '#server/mail/texts/billing-emails.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { yearCents } from '#shared/domain/store-receipt.ts'
import { readReceiptSource } from './read-receipt.ts'

/**
 * The renewal email with the year's receipt, if there is something on it. Where it is below the price, the email says so
 * and offers a free month, if the publisher turned that on.
 */
export async function sendRenewalNotice(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>,
  { userId, priceCents, currency, renewsAt, ...plan }: z.output<typeof renewalNoticeJob.payload>,
): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const [row] = await tx.select().from(subscriptionState).where(eq(subscriptionState.userId, userId))
  if (!user?.email || row?.status !== 'active' || row.cancelAt) return
  const source = await readReceiptSource(deps, tx, userId)
  const cents = yearCents(source.facts, source.today.slice(0, 7), source.today)
  // Someone who entered nothing has no receipt that could fall short.
  const hasReceipt = source.facts.wageCents !== null || source.facts.money.length > 0
  const isComparable = hasReceipt && priceCents !== null && source.currency === currency
  const isBelow = isComparable && cents < priceCents
  const offer = isBelow ? await offerFreeMonth(deps, tx, { userId, renewsAt: new Date(renewsAt) }) : false
  const receipt = isComparable
    ? { worth: formatMoney(cents, currency), price: formatMoney(priceCents, currency), isBelow, offer }
    : null
  const email = renewingSoonEmail({
    ...plan,
    to: user.email,
    renewsAt: new Date(renewsAt),
    receipt,
    config: deps.config,
  })
  await deps.enqueue(tx, emailJob, email)
}
