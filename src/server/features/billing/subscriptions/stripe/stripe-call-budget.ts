import { setTimeout as delay } from 'node:timers/promises'
import { consumePoints, getCounter, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { loadAdoptedPrices } from '../sync/plan-subscriptions.ts'

type BudgetDeps = Pick<BillingDeps, 'database' | 'clock'>
type CallDeps = BudgetDeps & Pick<BillingDeps, 'config'>

/** Stripe calls per account and minute, across all nodes. Stripe allows 100 per second for all accounts together. */
const maxCalls = 300
const windowSeconds = 60

/** @throws AppError over_request_rate_limit with the seconds until the window ends */
export async function takeStripeCalls({ database, clock }: BudgetDeps, userId: string, calls: number): Promise<void> {
  const now = clock()
  const key = userCounterKey(userId, 'stripe')
  const { points, expiresAt } = await consumePoints(database, key, { points: calls, windowSeconds, now })
  if (points <= maxCalls) return
  throw new AppError('over_request_rate_limit', {
    message: 'Too many requests. Try again in a minute.',
    retryAfterSeconds: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
  })
}

/** Waits until the budget allows more, for work in the background: members come first. */
export async function waitForStripeCalls(deps: BudgetDeps, userId: string, calls: number): Promise<void> {
  for (;;) {
    try {
      return await takeStripeCalls(deps, userId, calls)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'over_request_rate_limit') throw error
      await delay((error.retryAfterSeconds ?? 1) * 1000)
    }
  }
}

/** Takes `calls`, the approximate number of Stripe calls that `run` makes, from the caller's budget. */
export const withinBudget =
  <Input, Output, Who extends Pick<Principal, 'userId'>>(
    deps: CallDeps,
    calls: number,
    run: (input: Input, who: Who) => Promise<Output>,
  ) =>
  async (input: Input, who: Who): Promise<Output> => {
    await takeStripeCalls(deps, who.userId, calls)
    await loadAdoptedPrices(deps)
    return run(input, who)
  }

/** How long a visit to Stripe's own pages can last. */
const visitSeconds = 30 * 60
const visitKey = (userId: string) => userCounterKey(userId, 'at-stripe')

/** Bypasses the billing cache for the user, who may now change things on Stripe's pages. */
export async function markVisitingStripe({ database, clock }: BudgetDeps, userId: string): Promise<void> {
  await consumePoints(database, visitKey(userId), { points: 1, windowSeconds: visitSeconds, now: clock() })
}

export const mayBeVisitingStripe = async ({ database, clock }: BudgetDeps, userId: string): Promise<boolean> =>
  (await getCounter(database, visitKey(userId), { windowSeconds: visitSeconds, now: clock() })) !== null
