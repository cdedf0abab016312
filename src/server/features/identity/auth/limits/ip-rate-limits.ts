import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '#server/config/config.ts'
import type { Deps } from '#server/feature.ts'
import { limitKey } from './client-limit-key.ts'
import { consumePoints } from './rate-limit-counters.ts'
import { rateLimitError } from './rate-limit-error.ts'

type LimitName =
  | 'signUp'
  | 'token'
  | 'refresh'
  | 'verify'
  | 'mail'
  | 'updateUser'
  | 'factor'
  | 'passkey'
  | 'offer'
  | 'connect'
  | 'register'

/** Rate limits per client address, shared by all nodes. */
export type IpRateLimits = {
  /** @throws AppError over_request_rate_limit */
  consume(name: LimitName, address: string): Promise<void>
}

type LimitDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock'>

/** Refreshes get this many times the sign-in limit: a refused refresh signs the user out, and offices share an address. */
const refreshFactor = 20
/** A node reserves 1/50 of a limit at a time from the shared counter, to save writes. */
const reservationsPerWindow = 50
/** Clients cached per node. */
const maxCachedKeys = 20_000

/** Points that this node has reserved for a client. `isExhausted`: the shared counter has none left. */
type Share = { left: number; isExhausted: boolean; endsAt: number }

/**
 * Counts in the database. Nodes reserve points in small lots, so limits hold across nodes while most requests need no
 * statement. Clients over their limit are cached until the window ends.
 */
export function createIpRateLimits(deps: LimitDeps): IpRateLimits {
  const limits = limitsOf(deps.config.auth.limits)
  const shares = new LRUCache<string, Share>({ max: maxCachedKeys })
  const pending = new Map<string, Promise<Share>>()
  const consumeLocally = createLocalLimits(limits, deps.clock)

  /** A share that ends later than a whole window from now is from before the clock was set back. */
  const isOpen = (share: Share | undefined, { windowSeconds }: RateLimit): share is Share => {
    const leftMs = share ? share.endsAt - deps.clock().getTime() : 0
    return leftMs > 0 && leftMs <= windowSeconds * 1000
  }

  function reserve(key: string, limit: RateLimit): Promise<Share> {
    const running = pending.get(key)
    if (running) return running
    const reserving = reserveShare(deps, key, limit)
      .then((share) => {
        shares.set(key, share)
        return share
      })
      .finally(() => pending.delete(key))
    pending.set(key, reserving)
    return reserving
  }

  /** @returns null if the request is allowed, otherwise the end of the window */
  async function consume(key: string, limit: RateLimit): Promise<Date | null> {
    let share = shares.get(key)
    // Requests that waited for a lot others have used up reserve the next one.
    while (!isOpen(share, limit) || (share.left === 0 && !share.isExhausted)) share = await reserve(key, limit)
    if (share.left === 0) return new Date(share.endsAt)
    share.left -= 1
    return null
  }

  return {
    async consume(name, address) {
      const key = `address:${name}:${limitKey(address)}`
      const until = await consume(key, limits[name]).catch((error: unknown) => {
        deps.logger.warn({ err: error, limit: name }, 'shared rate limits unavailable; counting on this node only')
        return consumeLocally(name, key)
      })
      if (until) throw rateLimitError({ what: 'requests from your network', until, now: deps.clock() })
    },
  }
}

async function reserveShare({ database, clock }: LimitDeps, key: string, limit: RateLimit): Promise<Share> {
  const lot = Math.max(1, Math.floor(limit.points / reservationsPerWindow))
  const { windowSeconds } = limit
  const { points, expiresAt } = await consumePoints(database, key, { points: lot, windowSeconds, now: clock() })
  const left = Math.min(lot, Math.max(0, lot - (points - limit.points)))
  return { left, isExhausted: points >= limit.points, endsAt: expiresAt.getTime() }
}

/** Fallback while the database is unavailable: the same limits, per process. */
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
  offer: limits.verify,
  connect: limits.verify,
  register: limits.signUp,
})
