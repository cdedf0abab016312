import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { users } from '#server/db/schema/index.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { Caller } from '#server/http/principal.ts'
import type { adminChangeMemberPlanCall } from '#shared/contracts/billing/member-billing.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { cancelPlan, resumePlan } from '../plan-changes/cancel-plan.ts'
import { pausePlan } from '../plan-changes/pause-plan.ts'
import { previewSwitch, switchPlan } from '../plan-changes/switch-plan.ts'
import { idsOfPlan, planNameOf } from '../stripe/plan-ids.ts'
import { findSubscriptionRow } from '../sync/subscription-row.ts'

export type MemberCustomer = { customerId: string; email: string }

/** @throws AppError not_found, no_billing_account */
export async function requireMemberCustomer(deps: BillingDeps, userId: string): Promise<MemberCustomer> {
  const { db } = deps.database
  const [user] = await db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  const customerId = await findCustomerId(db, userId)
  if (!customerId) throw new AppError('no_billing_account', { message: 'This member has no billing account yet.' })
  return { customerId, email: user.email ?? '' }
}

/** The id of the log entry about a request, so that a repeated request adds no second one. */
export function entryIdFor(action: 'refund' | 'credit' | 'plan', userId: string, requestId: string): string {
  const hex = createHash('sha256').update(`${action} ${userId} ${requestId}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-5$3-8$4-$5')
}

type Wanted = z.output<typeof adminChangeMemberPlanCall.input>

/** @throws AppError not_found, no_billing_account; errors of `previewSwitch` */
export async function previewMemberSwitch(deps: BillingDeps, { userId, plan }: { userId: string; plan: PlanKey }) {
  await requireMemberCustomer(deps, userId)
  return forStaff(previewSwitch(deps, { userId }, requirePriceId(deps, plan)))
}

/**
 * Cancels, keeps, pauses or switches a member's plan as the member could, and records it once per request. Stripe's notices go to
 * the member as always.
 * @throws AppError not_found, no_billing_account; errors of `changeSubscription`
 */
export async function changeMemberPlan(
  deps: BillingDeps,
  who: Caller,
  { userId, requestId, change }: Wanted,
): Promise<Record<string, never>> {
  const { email } = await requireMemberCustomer(deps, userId)
  const { db } = deps.database
  const before = planNameOf(deps.config, (await findSubscriptionRow(db, userId))?.productId ?? null)
  await forStaff(apply(deps, { userId }, requestId, change))
  await recordAdminEvent(db, who, {
    id: entryIdFor('plan', userId, requestId),
    event: events[change.kind],
    about: { userId, email },
    ...(change.kind === 'switch' && {
      changes: [{ field: 'plan', before, after: planOf(deps.config.settings.publication, change.plan).name }],
    }),
    ...(change.kind === 'cancel' && { note: [before, change.note].filter(Boolean).join('; ') }),
    ...(change.kind === 'keep' && { note: before }),
    ...(change.kind === 'pause' && { note: `${before}; ${formatCount(change.months, 'month')}` }),
    now: deps.clock(),
  })
  return {}
}

const events = {
  cancel: 'member_plan_canceled',
  keep: 'member_plan_kept',
  pause: 'member_plan_paused',
  switch: 'member_plan_switched',
} as const

function apply(deps: BillingDeps, member: { userId: string }, requestId: string, change: Wanted['change']) {
  if (change.kind === 'cancel') return cancelPlan(deps, member, { requestId })
  if (change.kind === 'keep') return resumePlan(deps, member, requestId)
  if (change.kind === 'pause') return pausePlan(deps, member, { months: change.months, requestId })
  const { prorationDate, dueTodayCents, plan, seats } = change
  return switchPlan(deps, member, {
    priceId: requirePriceId(deps, plan),
    prorationDate,
    dueTodayCents,
    seats,
    requestId,
  })
}

/** The staff member's session was checked instead of the member's. */

/** @throws AppError plan_unavailable */
function requirePriceId(deps: BillingDeps, plan: PlanKey): string {
  const ids = idsOfPlan(deps.config, plan)
  if (!ids) throw new AppError('plan_unavailable')
  return ids.priceId
}

const staffMessages: Partial<Record<string, string>> = {
  no_billing_account: 'This member has no plan at Stripe.',
  payment_failed:
    'The payment failed, so the plan stays as it is. The member can pay or change the card under Billing.',
  subscription_not_changeable:
    'This plan can’t be changed this way now. It may be paused, unpaid, ending, or billed together with another product. Check it in Stripe.',
}

/** The messages of these errors speak to the member. */
async function forStaff<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const message = error instanceof AppError ? staffMessages[error.code] : undefined
    throw error instanceof AppError && message ? new AppError(error.code, { message, cause: error }) : error
  }
}
