import type { BillingDeps } from '../billing-deps.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { markEventsProcessed, recordEventFailure } from '../webhooks/event-outcomes.ts'
import { syncCustomer } from './sync-customer.ts'

/** Syncs in parallel. Low enough to leave most of Stripe's rate limit to user requests. */
const maxConcurrent = 4

/** Collects customers with the events that triggered their sync, syncs each once and counts changes and failures. */
export function customerSyncBatch(deps: BillingDeps) {
  const eventsByCustomer = new Map<string, string[]>()
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
      // The customer isn't ours.
      if (!result) await markEventsProcessed(deps.database.db, eventIds, { at: deps.clock() })
    } catch (error) {
      counts.failed += 1
      await recordEventFailure(deps.database.db, eventIds, error)
      deps.logger.error({ customerId, ...describeFailure(error) }, 'customer sync failed')
    }
  }

  return {
    count,
    add(customerId: string, ...eventIds: string[]) {
      eventsByCustomer.set(customerId, [...(eventsByCustomer.get(customerId) ?? []), ...eventIds])
    },
    async run() {
      const queue = eventsByCustomer.entries()
      const worker = async () => {
        for (const [customerId, eventIds] of queue) await syncOne(customerId, eventIds)
      }
      await Promise.all(Array.from({ length: maxConcurrent }, worker))
      return counts
    },
  }
}
