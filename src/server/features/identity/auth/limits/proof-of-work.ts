import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { leadingZeroBits } from '#shared/domain/bot-protection.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { consumePoint } from './rate-limit-counters.ts'

type ProofDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>

const purpose = 'proof-of-work'
/** Long enough to solve it on an old phone and fill in the form. */
const lifetimeMs = 10 * 60_000
const form = /^(([0-9a-z]{1,12})\.(\d{1,2})\.([A-Za-z0-9_-]{22}))\.([A-Za-z0-9_-]{43}):[0-9a-z]{1,16}$/

/** Where Supabase clients send the captcha token. Malformed values count as missing. */
export const captchaFields = {
  gotrue_meta_security: z.object({ captcha_token: z.string().nullish() }).nullish().catch(null),
}
type CaptchaInput = { gotrue_meta_security?: { captcha_token?: string | null } | null }

/** A signed challenge, so that no node has to store it; null if proof of work is off. */
export function issueProofOfWork({ config, secrets, clock }: Pick<ProofDeps, 'config' | 'secrets' | 'clock'>) {
  const bits = config.auth.botProtection.proofOfWorkBits
  if (bits === 0) return null
  const expiresAt = (clock().getTime() + lifetimeMs).toString(36)
  const task = `${expiresAt}.${bits}.${randomBytes(16).toString('base64url')}`
  return { challenge: `${task}.${secrets.sign(purpose, task)}`, bits }
}

/**
 * Requires an unexpired, unused solution of a challenge that we issued, unless proof of work is off. Call it last, since it
 * consumes the solution.
 * @throws AppError captcha_failed
 */
export async function requireProofOfWork(deps: ProofDeps, input: CaptchaInput): Promise<void> {
  if (deps.config.auth.botProtection.proofOfWorkBits === 0) return
  const answer = input.gotrue_meta_security?.captcha_token ?? ''
  const [, task, expiresAt = '', bits, random, signature = ''] = form.exec(answer) ?? []
  if (!task || !deps.secrets.verify(purpose, task, signature)) throw new AppError('captcha_failed')
  const now = deps.clock()
  const millisecondsLeft = Number.parseInt(expiresAt, 36) - now.getTime()
  if (millisecondsLeft <= 0) throw new AppError('captcha_failed')
  if (leadingZeroBits(createHash('sha256').update(answer).digest()) < Number(bits)) throw new AppError('captcha_failed')
  const { points } = await consumePoint(deps.database.db, `proof:${random}`, Math.ceil(millisecondsLeft / 1000), now)
  if (points > 1) throw new AppError('captcha_failed')
}
