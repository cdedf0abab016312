import type { BillingDeps } from './billing-deps.ts'
import { tryLease } from './lease.ts'
import type { RowCounts } from './reconcile-active-subscriptions.ts'
import { type EventCounts, fetchMissedEvents, retryUnprocessed } from './reconcile-events.ts'
import { syncStaleRows } from './reconcile-stale-rows.ts'

export type Reconciliation = {
  /** Events that no webhook brought, and events in the ledger that had failed. */
  missed: EventCounts
  retried: EventCounts
  /** Rows looked at because their boundary passed or nobody had looked for a day. */
  due: RowCounts
}

/**
 * Makes up for lost and failed webhooks. One run at a time on all nodes; null when another is at work. Each part is
 * bounded and goes on where a failure leaves it, so a run never waits for the one customer that Stripe refuses.
 */
export const reconcile = (deps: BillingDeps): Promise<Reconciliation | null> =>
  tryLease(deps, 'billing-reconcile', async () => {
    const missed = await fetchMissedEvents(deps)
    const retried = await retryUnprocessed(deps)
    const due = await syncStaleRows(deps)
    const report = { missed, retried, due }
    const drift = missed.changed + retried.changed + due.changed
    const failed = missed.failed + retried.failed + due.failed
    if (drift > 0 || failed > 0) deps.logger.warn({ ...report, drift, failed }, 'billing drifted from Stripe')
    else deps.logger.info(report, 'billing matchesState with Stripe')
    return report
  })
