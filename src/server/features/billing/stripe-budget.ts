import { consumePoints, getCounter, userCounterKey } from '#server/features/auth/limits/rate-limit-counters.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'

type BudgetDeps = Pick<BillingDeps, 'database' | 'clock'>

/** Calls to Stripe that one account may cause in a minute, on all nodes together. Stripe allows all of us 100 a second. */
const maxCalls = 300
const windowSeconds = 60

/** @throws AppError over_request_rate_limit, with the seconds until the window ends */
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

/** Takes `calls` from the caller's budget before `run`, which is about as many as it makes. */
export const withinBudget =
  <Input, Output, Who extends Pick<Principal, 'userId'>>(
    deps: BudgetDeps,
    calls: number,
    run: (input: Input, who: Who) => Promise<Output>,
  ) =>
  async (input: Input, who: Who): Promise<Output> => {
    await takeStripeCalls(deps, who.userId, calls)
    return run(input, who)
  }

/** How long somebody may be at Stripe's own pages, where they change what we can't see yet. */
const atStripeSeconds = 30 * 60
const atStripeKey = (userId: string) => userCounterKey(userId, 'at-stripe')

/** From now on they may have changed something there, so nothing remembered is good enough for them. */
export async function markVisitingStripe({ database, clock }: BudgetDeps, userId: string): Promise<void> {
  await consumePoints(database, atStripeKey(userId), { points: 1, windowSeconds: atStripeSeconds, now: clock() })
}

export const mayBeVisitingStripe = async ({ database, clock }: BudgetDeps, userId: string): Promise<boolean> =>
  (await getCounter(database, atStripeKey(userId), clock())) !== null
