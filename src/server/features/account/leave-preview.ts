import type { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { planOfProduct } from '#server/features/billing/plan-ids.ts'
import { findSubscriptionRow } from '#server/features/billing/subscription-row.ts'
import { listMembers } from '#server/features/teams/team-rows.ts'
import type { leavePreviewCall } from '#shared/contracts/account-security.ts'
import { paidUntil } from '#shared/domain/entitlement.ts'
import { plans } from '#shared/domain/plans.ts'

/** Statuses in which there is nothing left to lose or to be charged for. */
const over: ReadonlySet<string> = new Set(['none', 'canceled', 'incomplete', 'incomplete_expired'])

/** What would end with the account: the subscription, as our row says it, and the seats that it gives to others. */
export async function previewLeaving(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  userId: string,
): Promise<z.input<typeof leavePreviewCall.output>> {
  const row = await findSubscriptionRow(database.db, userId)
  const teamMembers = (await listMembers(database.db, userId)).length
  if (!row || over.has(row.status)) return { subscription: null, teamMembers }
  const plan = planOfProduct(config, row.productId)
  return {
    subscription: {
      planName: plan ? plans[plan].name : 'Subscription',
      paidUntil: paidUntil(row)?.toISOString() ?? null,
    },
    teamMembers,
  }
}
