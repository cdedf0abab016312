import type { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { sendTokenEmail } from '#server/features/identity/auth/email-flows/email-token.ts'
import { requestedEmailJob } from '#server/features/identity/auth/email-flows/request-email.ts'
import { consumeEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { clearSignInLocks } from '#server/features/identity/auth/limits/sign-in-locks.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { adminSendAccountEmailCall } from '#shared/contracts/operations/member-support.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'
import { findAccount } from './read-user-support.ts'

type ActionDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>

const byAdmin = ({ userId, email, client }: Actor) => ({ by: email, actorId: userId, client })

/** @throws AppError not_found */
export async function unlockSignIn({ database, clock }: ActionDeps, who: Actor, userId: string) {
  await database.db.transaction(async (tx) => {
    const now = clock()
    const { email } = await findAccount(tx, userId, now)
    const cleared = await clearSignInLocks(tx, { userId, email })
    await recordSecurityEvent(tx, {
      event: 'sign_in_unlocked',
      userId,
      email,
      ...byAdmin(who),
      changes: changesBetween({ signInLimits: cleared }, { signInLimits: 0 }),
      now,
    })
  })
  return {}
}

/**
 * Sends the email that the user could request, within the same rate limits. The admin sees neither link nor code.
 * @throws AppError not_found, over_email_send_rate_limit; validation_failed if the account is disabled or the address
 * already confirmed
 */
export async function sendAccountEmail(
  deps: ActionDeps,
  who: Actor,
  { userId, kind }: z.output<typeof adminSendAccountEmailCall.input>,
) {
  const { publicUrl } = deps.config
  return deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const { email, emailConfirmedAt, isDisabled } = await findAccount(tx, userId, now)
    if (isDisabled) throw new AppError('validation_failed', { message: 'This account is disabled. Enable it first.' })
    if (kind === 'confirmation') {
      if (emailConfirmedAt) throw new AppError('validation_failed', { message: 'This address is already confirmed' })
      await consumeEmailLimit(tx, 'confirmation', email, now)
      const client = { ip: null, userAgent: null }
      const asked = { what: 'signup', email, redirectTo: `${publicUrl}/portal`, challenge: null, client } as const
      await deps.enqueue(tx, requestedEmailJob, asked)
    } else {
      await consumeEmailLimit(tx, 'recovery', email, now)
      const redirectTo = `${publicUrl}/reset-password`
      await sendTokenEmail(tx, deps, { type: 'recovery', userId, email, redirectTo, challenge: null, now })
    }
    const event = kind === 'confirmation' ? 'confirmation_resent' : 'password_reset_sent'
    await recordSecurityEvent(tx, { event, userId, email, ...byAdmin(who), now })
    return { to: email }
  })
}
