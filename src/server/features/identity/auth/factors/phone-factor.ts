import { randomInt } from 'node:crypto'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { smsJob } from '#server/jobs/sms-job.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { isKnownMfaAddress } from '../limits/known-ip-addresses.ts'
import { consumePause, consumePoint, emailCounterKey, userCounterKey } from '../limits/rate-limit-counters.ts'
import { ProtocolError } from '../protocol-error.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { challengeLifetimeMs, type FactorRow } from './factor-row.ts'

const purpose = 'phone-factor-code'

/** Between two text messages to a factor. */
const pauseSeconds = 60
/** Text message limits. Unverified numbers are counted across accounts. */
const perAccount = { points: 10, windowSeconds: 3600 }
const perUnverifiedNumber = { points: 5, windowSeconds: 3600 }
const daySeconds = 24 * 3600

/** @throws ProtocolError mfa_phone_verify_not_enabled; AppError validation_failed for an unsupported channel */
export function requirePhoneEnabled({ sms }: Pick<Config, 'sms'>, channel?: string | null): void {
  if (sms.kind === 'off') throw new ProtocolError('mfa_phone_verify_not_enabled')
  if (channel && channel !== 'sms') {
    throw new AppError('validation_failed', { message: 'Invalid channel: supported is sms' })
  }
}

/**
 * Sends a 6-digit code to the factor's phone.
 * @returns an HMAC of the code, bound to the challenge
 * @throws AppError over_sms_send_rate_limit
 */
export async function sendSmsCode(
  tx: Tx,
  { config, secrets, enqueue }: Pick<AuthDeps, 'config' | 'secrets' | 'enqueue'>,
  request: { factor: FactorRow; challengeId: string; client: Pick<ClientInfo, 'ip'>; now: Date },
): Promise<string> {
  const { factor, challengeId, client, now } = request
  const phone = factor.phone ?? ''
  const known = await isKnownMfaAddress(tx, { userId: factor.userId, client, now })
  const factorKey = userCounterKey(factor.userId, `sms-factor:${factor.id}`)
  const accountKey = userCounterKey(factor.userId, 'sms-account')
  // At an address where the owner verified a factor before, other addresses' messages don't count.
  const suffixes = known ? [`:${client.ip}`] : [`:${client.ip}`, '']
  for (const suffix of suffixes) {
    requireWithin(1, await consumePause(tx, `${factorKey}${suffix}`, pauseSeconds, now), now)
    await consumeLimit(tx, `${accountKey}${suffix}`, perAccount, now)
  }
  if (factor.status === 'unverified')
    await consumeLimit(tx, emailCounterKey('sms-number', phone), perUnverifiedNumber, now)
  await consumeDailyLimit(tx, config, { factor, isKnownAddress: known, now })
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  await enqueue(tx, smsJob, {
    to: `+${phone}`,
    text: codeText(code, config),
    expiresAt: new Date(now.getTime() + challengeLifetimeMs).toISOString(),
  })
  return secrets.sign(purpose, signedText(challengeId, code))
}

export const isSmsCode = (
  { secrets }: Pick<AuthDeps, 'secrets'>,
  challenge: { id: string; otpCode: string | null },
  code: string,
): boolean => challenge.otpCode !== null && secrets.verify(purpose, signedText(challenge.id, code), challenge.otpCode)

const signedText = (challengeId: string, code: string) => `${challengeId}\n${code}`

/** The last line lets phones autofill the code, on this domain only. */
const codeText = (code: string, { publicUrl, settings: { publication } }: Pick<Config, 'publicUrl' | 'settings'>) =>
  `${code} is your ${publication.name} code. It works once, for 5 minutes. We never ask for it by phone.\n\n@${new URL(publicUrl).hostname} #${code}`

/**
 * Daily limits per number and in total. Unverified numbers are counted separately and get at most half of the total, so
 * that enrollments can't block sign-ins. All known addresses of an owner share one count.
 */
async function consumeDailyLimit(
  tx: Tx,
  { smsLimits: { perDay, perNumberPerDay } }: Pick<Config, 'smsLimits'>,
  { factor, isKnownAddress, now }: { factor: FactorRow; isKnownAddress: boolean; now: Date },
): Promise<void> {
  const perDayLimit = (points: number) => ({ points, windowSeconds: daySeconds })
  const number = emailCounterKey(`sms-day-${factor.status}`, factor.phone ?? '')
  await consumeLimit(tx, isKnownAddress ? `${number}:own` : number, perDayLimit(perNumberPerDay), now)
  if (factor.status === 'unverified')
    await consumeLimit(tx, 'sms-day:unverified', perDayLimit(Math.floor(perDay / 2)), now)
  await consumeLimit(tx, 'sms-day', perDayLimit(perDay), now)
}

async function consumeLimit(tx: Tx, key: string, limit: { points: number; windowSeconds: number }, now: Date) {
  requireWithin(limit.points, await consumePoint(tx, key, limit.windowSeconds, now), now)
}

function requireWithin(allowed: number, { points, expiresAt }: { points: number; expiresAt: Date }, now: Date): void {
  if (points <= allowed) return
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
  throw new AppError('over_sms_send_rate_limit', {
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
  })
}
