import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requirePhone } from '../factors/phone-number.ts'
import { limitKey } from '../limits/client-limit-key.ts'
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
 * Codes per address and client, and per address in total: 100 a day of a million codes are a chance of 1 in 10,000. Links
 * aren't counted.
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
 * Verifies an address by code, or by the token of a link.
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

/** Finds a link's token without consuming it. */
export async function findLink({ database, clock }: AuthDeps, token: string, type: string): Promise<FoundToken> {
  const found = await findByToken(database.db, token, tokenKinds(type), clock())
  if (!found) throw expiredLink()
  return found
}

/**
 * Finds a token by code. Attempts are counted per address, also without an account, and before the code is checked, so that
 * concurrent attempts count too.
 */
async function findCode(
  deps: AuthDeps,
  given: { email: string; code: string; kinds: readonly TokenKind[]; client: ClientInfo },
): Promise<TokenRow> {
  const { database, secrets, clock } = deps
  const key = emailCounterKey('code', given.email)
  const clientKey = `${key}:${limitKey(given.client.address)}`
  const byClient = await consumePoint(database.db, clientKey, codesPerClient.windowSeconds, clock())
  // A blocked client no longer counts toward the total, or it could block everyone.
  if (byClient.points > codesPerClient.points) throw new AppError('over_request_rate_limit')
  const byEmail = await consumePoint(database.db, key, codesPerEmail.windowSeconds, clock())
  if (byEmail.points > codesPerEmail.points) throw new AppError('over_request_rate_limit')
  const row = await findByCode(database.db, secrets, { ...given, now: clock() })
  if (!row) throw expiredCode()
  await resetCounter(database.db, clientKey)
  await resetCounter(database.db, key)
  return row
}
