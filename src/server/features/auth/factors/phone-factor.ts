import { randomInt } from 'node:crypto'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { smsJob } from '#server/jobs/sms-job.ts'
import { AppError } from '#shared/errors.ts'
import { publication } from '#shared/publication.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { isKnownMfaAddress } from '../limits/known-addresses.ts'
import { consumePoint, emailCounterKey, userCounterKey } from '../limits/rate-limit-counters.ts'
import { ProtocolError } from '../protocol-error.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { challengeLifetimeMs, type FactorRow } from './factor-row.ts'

const purpose = 'phone-factor-code'

/**
 * Text messages cost money and wake people up, so they are counted in every way: for a factor, for an account, and for a
 * number that nobody has proven yet, whoever enrols it.
 */
const perFactor = { points: 1, windowSeconds: 60 }
const perAccount = { points: 10, windowSeconds: 3600 }
const perUnprovenNumber = { points: 5, windowSeconds: 3600 }
const daySeconds = 24 * 3600

/** @throws ProtocolError mfa_phone_verify_not_enabled; AppError validation_failed for a channel that we lack */
export function requirePhoneEnabled({ sms }: Pick<Config, 'sms'>, channel?: string | null): void {
  if (sms.kind === 'off') throw new ProtocolError('mfa_phone_verify_not_enabled')
  if (channel && channel !== 'sms') {
    throw new AppError('validation_failed', { message: 'Invalid channel: supported is sms' })
  }
}

/**
 * Sends six digits to the factor's phone.
 * @returns what to keep of the code: it is bound to its challenge and worthless without the server's key
 * @throws AppError over_sms_send_rate_limit
 */
export async function sendSmsCode(
  tx: Tx,
  { config, secrets, enqueue }: Pick<AuthDeps, 'config' | 'secrets' | 'enqueue'>,
  asked: { factor: FactorRow; challengeId: string; client: Pick<ClientInfo, 'ip'>; now: Date },
): Promise<string> {
  const { factor, challengeId, client, now } = asked
  const phone = factor.phone ?? ''
  const known = await isKnownMfaAddress(tx, { userId: factor.userId, client, now })
  for (const [key, limit] of [
    [userCounterKey(factor.userId, `sms-factor:${factor.id}`), perFactor],
    [userCounterKey(factor.userId, 'sms-account'), perAccount],
  ] as const) {
    // From where the owner passed before, what others have used up does not count.
    await takeTurn(tx, `${key}:${client.ip}`, limit, now)
    if (!known) await takeTurn(tx, key, limit, now)
  }
  if (factor.status === 'unverified') await takeTurn(tx, emailCounterKey('sms-number', phone), perUnprovenNumber, now)
  await takeTurnOfDay(tx, config, { factor, isOwnPlace: known, now })
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  await enqueue(tx, smsJob, {
    to: `+${phone}`,
    text: codeText(code, new URL(config.publicUrl).hostname),
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

/** The last line is for phones that fill the code in, on this site alone. */
const codeText = (code: string, host: string) =>
  `${code} is your ${publication.name} code. It works once, for 5 minutes. We never ask for it by phone.\n\n@${host} #${code}`

/**
 * Caps a day's messages to one number and in all, whichever accounts and nodes they are for. Numbers that nobody has
 * proven count apart and get half of the whole at most, so that enrolling numbers keeps no one from signing in. All places
 * that the owner passed from share one count: each one of its own would let one account use up the day of everyone.
 */
async function takeTurnOfDay(
  tx: Tx,
  { smsLimits: { perDay, perNumberPerDay } }: Pick<Config, 'smsLimits'>,
  { factor, isOwnPlace, now }: { factor: FactorRow; isOwnPlace: boolean; now: Date },
): Promise<void> {
  const ofDay = (points: number) => ({ points, windowSeconds: daySeconds })
  const number = emailCounterKey(`sms-day-${factor.status}`, factor.phone ?? '')
  await takeTurn(tx, isOwnPlace ? `${number}:own` : number, ofDay(perNumberPerDay), now)
  if (factor.status === 'unverified') await takeTurn(tx, 'sms-day:unverified', ofDay(Math.floor(perDay / 2)), now)
  await takeTurn(tx, 'sms-day', ofDay(perDay), now)
}

async function takeTurn(tx: Tx, key: string, limit: { points: number; windowSeconds: number }, now: Date) {
  const { points, expiresAt } = await consumePoint(tx, key, limit.windowSeconds, now)
  if (points <= limit.points) return
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
  throw new AppError('over_sms_send_rate_limit', {
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
  })
}
