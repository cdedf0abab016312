import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config, RateLimit } from '#server/config/config.ts'
import { AppError } from '#shared/errors.ts'

type LimitName = 'signUp' | 'token' | 'refresh' | 'verify' | 'mail' | 'updateUser' | 'factor'

/** Limits per client address, in this process. What must hold across nodes is counted per account, in the database. */
export type AddressLimits = {
  /** @throws AppError over_request_rate_limit */
  take(name: LimitName, address: string): Promise<void>
}

/**
 * A refused refresh signs the reader out, and a shop shares one address, so refreshes are counted apart and allowed far
 * more often than sign-ins.
 */
const refreshFactor = 20

export function createAddressLimits(limits: Config['auth']['limits']): AddressLimits {
  const limiter = ({ points, windowSeconds }: RateLimit) => new RateLimiterMemory({ points, duration: windowSeconds })
  const limiters: Record<LimitName, RateLimiterMemory> = {
    signUp: limiter(limits.signUp),
    token: limiter(limits.token),
    refresh: limiter({ ...limits.token, points: limits.token.points * refreshFactor }),
    verify: limiter(limits.verify),
    mail: limiter(limits.signUp),
    updateUser: limiter(limits.signUp),
    factor: limiter(limits.factor),
  }
  return {
    async take(name, address) {
      try {
        await limiters[name].consume(limitKey(address))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw new AppError('over_request_rate_limit')
        throw refusal
      }
    },
  }
}

/** One household or server owns a whole /64 of IPv6 and could take a fresh address for each try. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const missing = Math.max(0, 8 - groups.length - after.length)
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...after]
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
