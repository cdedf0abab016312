import { inArray, sql } from 'drizzle-orm'
import { stripeEvent } from '#server/db/schema/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { describeFailure, nameFailure } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

/** Few enough that a reconciliation leaves Stripe's rate limit to the readers. */
const atOnce = 4

/** Collects customers to look at, each with the events that ask for it, looks at them and counts what came of it. */
export function customerSyncBatch(deps: BillingDeps) {
  const wanted = new Map<string, string[]>()
  const counts = { changed: 0, failed: 0 }

  async function count(work: () => Promise<unknown>): Promise<void> {
    await work().catch(() => {
      counts.failed += 1
    })
  }

  async function syncOne(customerId: string, eventIds: string[]) {
    try {
      const result = await syncCustomer(deps, customerId, { eventIds })
      if (result?.changed) counts.changed += 1
      if (!result) await markProcessed(deps, eventIds)
    } catch (error) {
      counts.failed += 1
      await noteFailure(deps, eventIds, error)
      deps.logger.error({ customerId, ...describeFailure(error) }, 'a customer could not be reconciled')
    }
  }

  return {
    count,
    add(customerId: string, ...eventIds: string[]) {
      wanted.set(customerId, [...(wanted.get(customerId) ?? []), ...eventIds])
    },
    async run() {
      const queue = wanted.entries()
      const worker = async () => {
        for (const [customerId, eventIds] of queue) await syncOne(customerId, eventIds)
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      return counts
    },
  }
}

/** Events of customers that are not ours ask for nothing. */
async function markProcessed(deps: BillingDeps, eventIds: string[]) {
  if (eventIds.length === 0) return
  await deps.database.db
    .update(stripeEvent)
    .set({ processedAt: deps.clock(), lastError: null })
    .where(inArray(stripeEvent.id, eventIds))
}

async function noteFailure(deps: BillingDeps, eventIds: string[], error: unknown) {
  if (eventIds.length === 0) return
  await deps.database.db
    .update(stripeEvent)
    .set({ attempts: sql`${stripeEvent.attempts} + 1`, lastError: nameFailure(error) })
    .where(inArray(stripeEvent.id, eventIds))
}
