import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '#server/config/config.ts'
import type { Deps } from '#server/deps.ts'
import { limitKey } from './limit-key.ts'
import { consumePoints } from './rate-limit-counters.ts'
import { rateLimitError } from './rate-limit-error.ts'

type LimitName = 'signUp' | 'token' | 'refresh' | 'verify' | 'mail' | 'updateUser' | 'factor' | 'passkey'

/** Limits per client address, shared by all nodes. What protects one account is counted per account besides. */
export type IpRateLimits = {
  /** @throws AppError over_request_rate_limit */
  take(name: LimitName, address: string): Promise<void>
}

type LimitDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock'>

/**
 * A refused refresh signs the reader out, and a shop shares one address, so refreshes are counted apart and allowed far
 * more often than sign-ins.
 */
const refreshFactor = 20
/** A node draws this part of a limit at a time from the shared counter: few writes, and little that lies unused. */
const drawsPerWindow = 50
/** Addresses remembered; a forgotten one asks the database again. */
const rememberedKeys = 20_000

/** What this node has drawn for one address and not yet spent. `isExhausted`: the shared counter has nothing left. */
type Share = { left: number; isExhausted: boolean; endsAt: number }

/**
 * The counter of an address lives in the database. Nodes draw points from it in small lots, so the limit is never
 * exceeded however many nodes there are, and most requests cost no statement. An address that is at its end is
 * remembered until its window closes: whoever goes on knocking costs nothing but the refusal.
 */
export function createIpRateLimits(deps: LimitDeps): IpRateLimits {
  const limits = limitsOf(deps.config.auth.limits)
  const shares = new LRUCache<string, Share>({ max: rememberedKeys })
  const underway = new Map<string, Promise<Share>>()
  const hereAlone = createLocalLimits(limits, deps.clock)

  const isOpen = (share: Share | undefined): share is Share =>
    share !== undefined && share.endsAt > deps.clock().getTime()

  function draw(key: string, limit: RateLimit): Promise<Share> {
    const running = underway.get(key)
    if (running) return running
    const drawing = drawShare(deps, key, limit)
      .then((share) => {
        shares.set(key, share)
        return share
      })
      .finally(() => underway.delete(key))
    underway.set(key, drawing)
    return drawing
  }

  /** @returns null for a request that may go on, else when the window ends */
  async function spend(key: string, limit: RateLimit): Promise<Date | null> {
    let share = shares.get(key)
    // Several requests may wait for one lot; those that find it spent draw the next.
    while (!isOpen(share) || (share.left === 0 && !share.isExhausted)) share = await draw(key, limit)
    if (share.left === 0) return new Date(share.endsAt)
    share.left -= 1
    return null
  }

  return {
    async take(name, address) {
      const key = `address:${name}:${limitKey(address)}`
      const until = await spend(key, limits[name]).catch((error: unknown) => {
        deps.logger.warn({ err: error, limit: name }, 'shared limits do not answer; this node counts alone')
        return hereAlone(name, key)
      })
      if (until) throw rateLimitError({ what: 'requests from your network', until, now: deps.clock() })
    },
  }
}

async function drawShare({ database, clock }: LimitDeps, key: string, limit: RateLimit): Promise<Share> {
  const lot = Math.max(1, Math.floor(limit.points / drawsPerWindow))
  const { windowSeconds } = limit
  const { points, expiresAt } = await consumePoints(database, key, { points: lot, windowSeconds, now: clock() })
  const left = Math.min(lot, Math.max(0, lot - (points - limit.points)))
  return { left, isExhausted: points >= limit.points, endsAt: expiresAt.getTime() }
}

/** While the database does not answer: the same limits in this process, rather than none or no sign-in at all. */
function createLocalLimits(limits: Record<LimitName, RateLimit>, clock: () => Date) {
  const limiters = new Map<LimitName, RateLimiterMemory>()
  return async (name: LimitName, key: string): Promise<Date | null> => {
    const { points, windowSeconds } = limits[name]
    const limiter = limiters.get(name) ?? new RateLimiterMemory({ points, duration: windowSeconds })
    limiters.set(name, limiter)
    return limiter.consume(key).then(
      () => null,
      (refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return new Date(clock().getTime() + refusal.msBeforeNext)
        throw refusal
      },
    )
  }
}

const limitsOf = (limits: LimitDeps['config']['auth']['limits']): Record<LimitName, RateLimit> => ({
  signUp: limits.signUp,
  token: limits.token,
  refresh: { ...limits.token, points: limits.token.points * refreshFactor },
  verify: limits.verify,
  mail: limits.signUp,
  updateUser: limits.signUp,
  factor: limits.factor,
  passkey: limits.signUp,
})
