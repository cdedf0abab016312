import type { z } from 'zod'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { composePublication } from './apply-settings.ts'
import { renamePlansJob } from './rename-plans-job.ts'
import { readSettings } from './setting-store.ts'

type RenameDeps = Pick<Deps, 'database' | 'config' | 'stripe'>

/**
 * Gives the plans' products at Stripe their current names, which checkout and invoices show. Reads the names when it runs,
 * so running late or twice is fine.
 */
export async function renamePlans(
  { database: { db }, config, stripe }: RenameDeps,
  { plans }: z.output<typeof renamePlansJob.payload>,
): Promise<void> {
  // A copy of an instance leaves the products to the original.
  if (await isOnHold(db)) return
  const { values } = await readSettings(db, 'publication')
  const publication = composePublication(values, {})
  for (const plan of plans) {
    await stripe.products.update(config.stripe.ids[plan].productId, { name: publication.plans[plan].name })
  }
}

export const siteSettingsJobs = (deps: RenameDeps): FeatureJobs => ({
  jobs: [defineJob({ ...renamePlansJob, run: (change) => renamePlans(deps, change) })] as AnyJob[],
  schedules: [],
})
