import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { billingNotice, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { planStartedJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { storedPrice } from '#server/features/billing/subscriptions/sync/stored-price.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { listIssues } from '#server/features/library/content/read-issues.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { planStartedEmail } from '#server/mail/texts/welcome-emails.ts'
import { planOf } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { pickFirstDrops } from './first-drops.ts'

type StartedDeps = Pick<Deps, 'database' | 'config' | 'clock' | 'enqueue'>

/**
 * Enqueues the "You're in" email, once per subscription even if the job runs again. Sends nothing if the subscription has
 * ended or was transferred meanwhile.
 */
export async function sendPlanStarted(
  tx: Tx,
  deps: StartedDeps,
  { userId, subscriptionId, isReturning }: z.output<typeof planStartedJob.payload>,
): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const row = await findSubscriptionRow(tx, userId)
  const plan = planOfProduct(deps.config, row?.productId ?? null)
  const runs = row?.status === 'active' || row?.status === 'trialing'
  if (!user?.email || !row || !plan || !runs || row.stripeSubscriptionId !== subscriptionId) return
  const claimed = await tx
    .insert(billingNotice)
    .values({ userId, reason: `you-are-in:${subscriptionId}`, createdAt: deps.clock() })
    .onConflictDoNothing()
    .returning({ reason: billingNotice.reason })
  if (claimed.length === 0) return
  const preferences = await findPreferences(tx, userId)
  const price = storedPrice(deps.config, row)
  const terms = planOf(deps.config.settings.publication, plan)
  const email = planStartedEmail({
    planName: terms.name,
    price: price && formatPrice(price),
    seats: terms.perSeat ? row.quantity : terms.seats,
    renewsAt: row.cancelAt ? null : row.currentPeriodEnd,
    endsAt: row.cancelAt,
    isTrial: row.status === 'trialing',
    isReturning,
    preferences,
    first: pickFirstDrops(deps.config.settings.publication, await listIssues(tx), preferences),
    config: deps.config,
  })
  await deps.enqueue(tx, emailJob, { to: user.email, ...email })
}

export function onboardingJobs(deps: StartedDeps): FeatureJobs {
  const job = defineJob({
    ...planStartedJob,
    run: (started) => deps.database.db.transaction((tx) => sendPlanStarted(tx, deps, started)),
  })
  return { jobs: [job], schedules: [] }
}
