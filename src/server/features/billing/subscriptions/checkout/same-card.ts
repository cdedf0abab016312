import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { billingNotice, subscriptionState, users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { maskEmail } from '#server/mail/mask-email.ts'
import { sameCardEmail } from '#server/mail/texts/billing-emails.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { knownProductIds } from '../stripe/plan-ids.ts'

type SubscriptionRow = typeof subscriptionState.$inferSelect

type CardOwner = { userId: string; email: string; subscriptionId: string }

/** The other account whose plan is charged to the same card; the oldest if there are several. Trials cost nothing yet. */
export async function findSameCard(
  db: Db | Tx,
  deps: Pick<BillingDeps, 'config'>,
  row: SubscriptionRow | null,
): Promise<CardOwner | null> {
  if (!row || !paying(deps, row)) return null
  const { cardHash, status, productId, currentPeriodStart, stripeSubscriptionId } = subscriptionState
  const [found] = await db
    .select({ userId: users.id, email: users.email, subscriptionId: stripeSubscriptionId })
    .from(subscriptionState)
    .innerJoin(users, eq(users.id, subscriptionState.userId))
    .where(
      and(
        eq(cardHash, row.cardHash ?? ''),
        ne(subscriptionState.userId, row.userId),
        inArray(status, payingStatuses),
        inArray(productId, [...knownProductIds(deps.config)]),
      ),
    )
    .orderBy(asc(currentPeriodStart), asc(users.id))
    .limit(1)
  return found?.email && found.subscriptionId
    ? { userId: found.userId, email: found.email, subscriptionId: found.subscriptionId }
    : null
}

const payingStatuses = ['active', 'past_due']

const paying = ({ config }: Pick<BillingDeps, 'config'>, { status, productId, cardHash }: SubscriptionRow) =>
  cardHash !== null && payingStatuses.includes(status) && knownProductIds(config).has(productId ?? '')

/**
 * Tells a member once per pair of plans that another account pays with the same card, in the transaction that writes the
 * row. The other address is masked, because two people can share a card and a name.
 */
export async function reportSameCard(
  tx: Tx,
  deps: BillingDeps,
  before: SubscriptionRow | null,
  row: SubscriptionRow,
): Promise<void> {
  const isNew = before?.cardHash !== row.cardHash || before?.status !== row.status
  const other = isNew ? await findSameCard(tx, deps, row) : null
  if (!other || !row.stripeSubscriptionId) return
  const pair = [row.stripeSubscriptionId, other.subscriptionId].toSorted().join(':')
  const [recorded] = await tx
    .insert(billingNotice)
    .values({ userId: row.userId, reason: `same-card:${pair}`, createdAt: deps.clock() })
    .onConflictDoNothing()
    .returning({ reason: billingNotice.reason })
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.userId))
  if (!recorded || !user?.email || (await isOnHold(tx))) return
  const { config } = deps
  await deps.enqueue(tx, emailJob, sameCardEmail({ to: user.email, otherAddress: maskEmail(other.email), config }))
}
