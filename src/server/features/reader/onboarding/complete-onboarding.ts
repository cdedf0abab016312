import { and, eq, gt, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { billingNotice, teamInvitation, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { planStartedJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { storedPrice } from '#server/features/billing/subscriptions/sync/stored-price.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { tryDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { listIssues } from '#server/features/library/content/read-issues.ts'
import { checkAnswers } from '#server/features/reader/preferences/check-answers.ts'
import {
  claimWelcome,
  findPreferences,
  hasAnswered,
  storePreferences,
} from '#server/features/reader/preferences/preferences-store.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { type NextStep, planStartedEmail, welcomeEmail } from '#server/mail/texts/welcome-emails.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { everythingOnSale, type PlanKey, planOf } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { pickFirstDrops } from './first-drops.ts'

type OnboardingDeps = Pick<Deps, 'database' | 'config' | 'clock' | 'enqueue'>
type Reader = Pick<Principal, 'userId' | 'email' | 'subscription' | 'team' | 'complimentaryUntil'>

/** Stores the preferences and, the first time, enqueues the welcome email in the same transaction. */
export async function completeOnboarding(
  deps: OnboardingDeps,
  who: Reader,
  preferences: Preferences,
): Promise<Preferences> {
  await deps.database.db.transaction(async (tx) => {
    checkAnswers(deps.config.settings.publication, preferences, await findPreferences(tx, who.userId))
    await storePreferences(tx, who.userId, preferences, deps.clock())
    await welcome(tx, deps, who, preferences)
  })
  return preferences
}

/** Changes the preferences under /account. Users who left onboarding unfinished get the welcome email here. */
export async function updatePreferences(
  deps: OnboardingDeps,
  who: Reader,
  preferences: Preferences,
): Promise<Preferences> {
  await deps.database.db.transaction(async (tx) => {
    checkAnswers(deps.config.settings.publication, preferences, await findPreferences(tx, who.userId))
    const isFirst = !(await hasAnswered(tx, who.userId))
    await storePreferences(tx, who.userId, preferences, deps.clock())
    if (isFirst) await welcome(tx, deps, who, preferences)
  })
  return preferences
}

async function welcome(tx: Tx, deps: OnboardingDeps, who: Reader, preferences: Preferences): Promise<void> {
  const now = deps.clock()
  if (!(await claimWelcome(tx, who.userId, now)) || !who.email) return
  // Limits emails to one address when accounts with it are created and deleted repeatedly.
  if (!(await tryDailyEmailLimit(tx, 'welcome', who.email, now))) return
  const isMember = hasAccess(deps.config, who, now)
  const next = await findNextStep(tx, deps, who, { isMember, now })
  const email = welcomeEmail({
    first: pickFirstDrops(deps.config.settings.publication, await listIssues(tx), preferences),
    next,
    config: deps.config,
  })
  await deps.enqueue(tx, emailJob, { to: who.email, ...email })
}

async function findNextStep(
  tx: Tx,
  deps: Pick<Deps, 'config'>,
  who: Reader,
  { isMember, now }: { isMember: boolean; now: Date },
): Promise<NextStep> {
  if (isMember) return { kind: 'portal' }
  if (await isInvited(tx, who.email, now)) return { kind: 'invitation' }
  const plan = await findChosenPlan(tx, deps, who.userId)
  return plan ? { kind: 'checkout', plan } : { kind: 'plan' }
}

/** The plan chosen before sign-up, stored in the user's metadata. */
async function findChosenPlan(tx: Tx, { config }: Pick<Deps, 'config'>, userId: string): Promise<PlanKey | null> {
  const [user] = await tx.select({ metadata: users.rawUserMetaData }).from(users).where(eq(users.id, userId))
  return (
    everythingOnSale(config.settings.publication).find(({ key }) => key === user?.metadata?.chosen_plan)?.key ?? null
  )
}

/** Returns true if an open team invitation exists for the email address. */
async function isInvited(tx: Tx, email: string, now: Date): Promise<boolean> {
  const open = await tx
    .select({ id: teamInvitation.id })
    .from(teamInvitation)
    .where(
      and(
        eq(teamInvitation.email, email.toLowerCase()),
        isNull(teamInvitation.acceptedAt),
        gt(teamInvitation.expiresAt, now),
      ),
    )
    .limit(1)
  return open.length > 0
}

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
