import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { emailPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { giveAccess, requireGrantable } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { isTaken } from '#server/features/identity/auth/email-flows/change-email.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { consumeDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createUser } from '#server/features/identity/auth/users/create-user.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { RetainedDeps } from '#server/mail/retained-suppressions.ts'
import { memberAddedEmail } from '#server/mail/texts/member-emails.ts'
import type { adminAddMemberCall } from '#shared/contracts/operations/member-account.ts'
import { AppError } from '#shared/errors.ts'

type AddDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>

export const addressTaken = 'Another account has this address.'

/**
 * Adds one member with the free edition or complimentary access.
 * @throws AppError email_exists, over_email_send_rate_limit; validation_failed for address or date
 */
export async function addMember(
  deps: AddDeps,
  who: Caller,
  { id, name, emails, complimentaryUntil, ...given }: z.output<typeof adminAddMemberCall.input>,
): Promise<{ userId: string }> {
  const email = requireEmail(given.email)
  const now = deps.clock()
  const until = complimentaryUntil === null ? null : new Date(complimentaryUntil)
  if (until) requireGrantable(until, now)
  const actor = who
  const addition = deps.database.db.transaction(async (tx) => {
    const [known] = await tx.select({ email: users.email }).from(users).where(eq(users.id, id))
    // A second click finds its own member.
    if (known?.email === email) return
    if (known || (await isTaken(tx, email, id))) throw new AppError('email_exists', { message: addressTaken })
    const confirmedAt = emails === 'vouched' ? now : null
    await createMember(tx, deps, actor, { id, email, name, confirmedAt, now })
    await tx.insert(emailPreferences).values({ userId: id, freeSince: now, freeSource: 'staff', updatedAt: now })
    if (until) await giveAccess(tx, deps, actor, { userId: id, until, note: null, now })
    if (emails !== 'confirm') return
    await consumeDailyEmailLimit(tx, 'invitation', email, now)
    await deps.enqueue(tx, emailJob, memberAddedEmail({ to: email, name, config: deps.config }))
  })
  // Someone may have signed up with it meanwhile.
  await addition.catch((error) => {
    const isTakenNow = error instanceof AppError && error.code === 'user_already_exists'
    throw isTakenNow ? new AppError('email_exists', { message: addressTaken, cause: error }) : error
  })
  return { userId: id }
}

type NewMember = { id: string; email: string; name: string | null; confirmedAt: Date | null; now: Date }

/**
 * Creates an account without a password, with its entry in the staff log. Sends nothing.
 * @throws AppError user_already_exists
 */
export async function createMember(
  tx: Tx,
  deps: RetainedDeps,
  who: Actor,
  { id, email, name, confirmedAt, now }: NewMember,
): Promise<void> {
  const data = name ? { full_name: name } : {}
  const user = { id, email, passwordHash: null, data, confirmedAt, emailVerified: false, createdByAdmin: true, now }
  await createUser(tx, deps, user)
  await recordAdminEvent(tx, who, {
    event: 'member_created',
    about: { userId: id, email },
    changes: [{ field: 'email', before: null, after: email }],
    ...(confirmedAt && { note: 'answers for the address and the consent' }),
    now,
  })
}
