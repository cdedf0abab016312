/** Runs one reconciliation, or its baseline, in a new process to measure its memory. Prints the result as JSON. */
import { listExpand } from '#server/features/billing/subscriptions/sync/read-customer-state.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import { openBillingDeps } from './billing-deps.ts'

const { deps, close } = await openBillingDeps(process.env.DATABASE_URL ?? '', Number(process.env.STRIPE_PORT))
let calls = 0
deps.stripe.on('request', () => {
  calls += 1
})

/** Reads the pages that reconciliation reads, and does nothing with them. */
async function readPages() {
  let after: string | undefined
  let rows = 0
  do {
    const page = await deps.stripe.subscriptions.list({
      limit: 100,
      expand: listExpand,
      ...(after && { starting_after: after }),
    })
    rows += page.data.length
    after = page.has_more ? page.data.at(-1)?.id : undefined
  } while (after)
  return { due: { rows, changed: 0, failed: 0 } }
}

await deps.stripe.events.list({ limit: 1 })
calls = 0
const before = process.memoryUsage.rss()
// Sampled, since the maximum that the system reports includes the start.
let peak = before
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20)
const startedAt = performance.now()
const report = await (process.env.BASELINE ? readPages() : reconcile(deps))
const seconds = (performance.now() - startedAt) / 1000
clearInterval(sampling)
await close()
console.log(JSON.stringify({ seconds, calls, before, peak, due: report?.due }))
