import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requirePhone } from '../factors/phone-number.ts'
import { limitKey } from '../limits/limit-key.ts'
import { consumePoint, emailCounterKey, resetCounter } from '../limits/rate-limit-counters.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { requireEmail } from './email-address.ts'
import { type FoundToken, findByCode, findByToken, type TokenKind, type TokenRow } from './one-time-token.ts'
import { expiredCode, expiredLink, type RedeemedToken, redeemToken } from './redeem-token.ts'

export const verifyInput = z.object({
  type: z.string({ error: 'Verify requires a verification type' }).min(1, 'Verify requires a verification type'),
  token: z.string().nullish(),
  token_hash: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
})

/**
 * Wrong codes that an address may collect from one client, and from all of them: a hundred a day of a million codes, one
 * chance in ten thousand. One stranger uses up their own tries and not the owner's. Links are not counted.
 */
const codesPerClient = { points: 20, windowSeconds: 3600 }
const codesPerEmail = { points: 100, windowSeconds: 24 * 3600 }

const kindsByType: Readonly<Record<string, readonly TokenKind[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
  sms: [],
  phone_change: [],
}

export const tokenKinds = (type: string): readonly TokenKind[] =>
  (Object.hasOwn(kindsByType, type) ? kindsByType[type] : undefined) ?? []

/**
 * Verifies by code and address, or by the token of a link.
 * @throws AppError validation_failed, otp_expired, over_request_rate_limit, user_banned
 */
export async function verify(
  deps: AuthDeps,
  input: z.output<typeof verifyInput>,
  client: ClientInfo,
): Promise<RedeemedToken> {
  const { type, token, token_hash: tokenHash, email, phone } = input
  const plain = { choice: null, client, asAuthCode: false } as const
  if (!Object.hasOwn(kindsByType, type))
    throw new AppError('validation_failed', { message: 'Unsupported verification type' })
  if (tokenHash) {
    if (email || phone) throw invalid('Only the token_hash and type should be provided')
    return redeemToken(deps, await findLink(deps, tokenHash, type), { ...plain, by: 'link' })
  }
  if (!token) throw invalid('Verify requires a token or a token hash')
  if (phone) {
    requirePhone(phone)
    throw expiredCode()
  }
  if (!email) throw invalid('Only an email address or phone number should be provided on verify')
  const row = await findCode(deps, { email: requireEmail(email, 422), code: token, kinds: tokenKinds(type), client })
  return redeemToken(deps, { row, flowId: null }, { ...plain, by: 'code' })
}

const invalid = (message: string) => new AppError('validation_failed', { message })

/** Looks only; a link stays good for as long as nobody confirms. */
export async function findLink({ database, clock }: AuthDeps, token: string, type: string): Promise<FoundToken> {
  const found = await findByToken(database.db, token, tokenKinds(type), clock())
  if (!found) throw expiredLink()
  return found
}

/**
 * Counted per address and not per account, so that a stranger to us and a reader see the same answers, and before the
 * code is looked at, so that many at once count as many.
 */
async function findCode(
  deps: AuthDeps,
  given: { email: string; code: string; kinds: readonly TokenKind[]; client: ClientInfo },
): Promise<TokenRow> {
  const { database, secrets, clock } = deps
  const key = emailCounterKey('code', given.email)
  const keyHere = `${key}:${limitKey(given.client.address)}`
  const here = await consumePoint(database.db, keyHere, codesPerClient.windowSeconds, clock())
  // A client at its end no longer counts for all, or it alone would use up everybody's tries.
  if (here.points > codesPerClient.points) throw new AppError('over_request_rate_limit')
  const all = await consumePoint(database.db, key, codesPerEmail.windowSeconds, clock())
  if (all.points > codesPerEmail.points) throw new AppError('over_request_rate_limit')
  const row = await findByCode(database.db, secrets, { ...given, now: clock() })
  if (!row) throw expiredCode()
  await resetCounter(database.db, keyHere)
  await resetCounter(database.db, key)
  return row
}
