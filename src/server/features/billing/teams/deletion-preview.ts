import type { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { listMembers } from '#server/features/billing/teams/team-queries.ts'
import type { deletionPreviewCall } from '#shared/contracts/identity/account-security.ts'
import { paidUntil } from '#shared/domain/entitlement.ts'
import { planOf } from '#shared/domain/plans.ts'

const endedStatuses: ReadonlySet<string> = new Set(['none', 'canceled', 'incomplete', 'incomplete_expired'])

/** Reads what deleting the account would end: its subscription and the team seats it pays for. */
export async function previewDeletion(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  userId: string,
): Promise<z.input<typeof deletionPreviewCall.output>> {
  const row = await findSubscriptionRow(database.db, userId)
  const teamMembers = (await listMembers(database.db, userId)).length
  if (!row || endedStatuses.has(row.status)) return { subscription: null, teamMembers }
  const plan = planOfProduct(config, row.productId)
  return {
    subscription: {
      planName: plan ? planOf(config.settings.publication, plan).name : 'Subscription',
      paidUntil: paidUntil(row)?.toISOString() ?? null,
    },
    teamMembers,
  }
}
