import { AppError } from '#shared/errors.ts'

type Refusal = { what: string; instead?: string; until: Date; now: Date }

/** Builds an error such as "Too many failed sign-ins. Try again in 12 minutes.", with a Retry-After header. */
export function rateLimitError({ what, instead = '', until, now }: Refusal): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  return new AppError('over_request_rate_limit', {
    message: `Too many ${what}. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}${instead}.`,
    retryAfterSeconds: seconds,
  })
}
