import { reportEvent } from '#server/monitoring/events.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { reconcileOffers } from '../offers/refresh-offers.ts'
import { tryLease } from '../sync/lease.ts'
import type { RowCounts } from './reconcile-active-subscriptions.ts'
import { type EventCounts, fetchMissedEvents, retryUnprocessed } from './reconcile-events.ts'
import { syncStaleRows } from './reconcile-stale-rows.ts'

export type Reconciliation = {
  /** Events whose webhook never arrived. */
  missed: EventCounts
  /** Recorded events whose processing had failed. */
  retried: EventCounts
  /** Rows whose access ended since their last sync, or that weren't synced for a day. */
  due: RowCounts
}

/**
 * Catches up on missed and failed webhooks. Returns null if another node is already running it. One failing customer
 * doesn't stop the run.
 */
export const reconcile = (deps: BillingDeps): Promise<Reconciliation | null> =>
  tryLease(deps, 'billing-reconcile', async () => {
    const missed = await fetchMissedEvents(deps)
    const retried = await retryUnprocessed(deps)
    const due = await syncStaleRows(deps)
    await reconcileOffers(deps)
    const report = { missed, retried, due }
    const drift = missed.changed + retried.changed + due.changed
    const failed = missed.failed + retried.failed + due.failed
    reportEvent('stripeReconciliation', { differences: drift, failures: failed })
    if (drift > 0 || failed > 0) deps.logger.warn({ ...report, drift, failed }, 'billing drifted from Stripe')
    else deps.logger.info(report, 'billing matches Stripe')
    return report
  })
