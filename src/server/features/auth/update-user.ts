import { and, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { mfaFactors, users } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { mailJob } from '#server/jobs/mail-job.ts'
import { passwordChangedMail } from '#server/mail/account-mails.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { type Challenge, challengeFields, readChallenge } from './code-challenge.ts'
import { requireEmail } from './email-address.ts'
import { logOut } from './log-out.ts'
import { takeMailTurn } from './mail-interval.ts'
import { mailToken } from './mail-token.ts'
import { voidTokens } from './one-time-token.ts'
import { requireGoodPassword } from './password-policy.ts'
import { ProtocolError } from './protocol-error.ts'
import { findUser } from './session-row.ts'
import { mergeUserData, requireModestData, userDataField } from './user-data.ts'
import { toWireUser, type WireUser } from './wire-user.ts'

export const updateUserInput = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  data: userDataField,
  app_metadata: z.unknown().optional(),
  ...challengeFields,
})

type UpdateInput = z.output<typeof updateUserInput>

/**
 * Changes what a user may change about themselves. A new password ends the other sessions and voids what was mailed; a
 * new address stays pending until the mailboxes concerned have agreed.
 * @throws AppError insufficient_aal (401), weak_password, same_password, email_exists, not_admin, validation_failed
 */
export async function updateUser(
  deps: AuthDeps,
  who: Principal,
  input: UpdateInput,
  request: { redirectTo: string },
): Promise<WireUser> {
  if (input.app_metadata !== undefined && input.app_metadata !== null) throw new ProtocolError('not_admin')
  if (input.phone) throw new AppError('phone_provider_disabled')
  if (input.email || input.password) await requireSecondFactor(deps, who)
  const email = input.email ? requireEmail(input.email) : null
  const passwordHash = input.password ? await newPasswordHash(deps, who, input.password, input.current_password) : null
  const challenge = readChallenge(input)

  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const [user] = await tx.select().from(users).where(eq(users.id, who.userId)).for('update')
    if (!user) throw new AppError('user_not_found')
    if (input.data) {
      const rawUserMetaData = requireModestData(mergeUserData(user.rawUserMetaData, input.data))
      await tx.update(users).set({ rawUserMetaData, updatedAt: now }).where(eq(users.id, user.id))
    }
    if (passwordHash) await changePassword(tx, deps, who, passwordHash, now)
    if (email && email !== user.email) await beginEmailChange(tx, deps, who, { email, challenge, ...request, now })
  })
  const row = await findUser(deps.database, who.userId)
  if (!row) throw new AppError('user_not_found')
  return toWireUser(row)
}

/** Whoever set up a second factor means it to guard the account's keys. */
async function requireSecondFactor({ database }: AuthDeps, who: Principal): Promise<void> {
  if (who.aal === 'aal2') return
  const [verified] = await database.db
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, who.userId), eq(mfaFactors.status, 'verified')))
    .limit(1)
  if (verified)
    throw new AppError('insufficient_aal', {
      status: 401,
      message: 'AAL2 session is required to update email or password',
    })
}

/** Hashes outside of the transaction: a connection must not wait for a core. */
async function newPasswordHash(deps: AuthDeps, who: Principal, password: string, current: string | null | undefined) {
  requireGoodPassword(password)
  const [user] = await deps.database.db
    .select({ hash: users.encryptedPassword })
    .from(users)
    .where(eq(users.id, who.userId))
  if (user?.hash) {
    if (current && !(await deps.hasher.verify(user.hash, current))) throw new ProtocolError('current_password_invalid')
    if (await deps.hasher.verify(user.hash, password)) throw new AppError('same_password')
  }
  return deps.hasher.hash(password)
}

async function changePassword(tx: Tx, deps: AuthDeps, who: Principal, passwordHash: string, now: Date): Promise<void> {
  await tx.update(users).set({ encryptedPassword: passwordHash, updatedAt: now }).where(eq(users.id, who.userId))
  await logOut(tx, who, 'others')
  await voidTokens(tx, who.userId)
  const recoverUrl = `${deps.config.publicUrl}/reset-password`
  await deps.enqueue(tx, mailJob, passwordChangedMail({ to: who.email, recoverUrl }))
}

/** Both mailboxes must agree, unless the present one was never proven: then it may be mistyped and nobody's. */
async function beginEmailChange(
  tx: Tx,
  deps: AuthDeps,
  who: Principal,
  change: { email: string; challenge: Challenge | null; redirectTo: string; now: Date },
): Promise<void> {
  const { email, now, ...mailed } = change
  const [taken] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, who.userId)))
  if (taken) throw new AppError('email_exists')
  await takeMailTurn(tx, 'email_change', email, now)
  await tx
    .update(users)
    .set({ emailChange: email, emailChangeConfirmStatus: who.emailConfirmed ? 0 : 1, updatedAt: now })
    .where(eq(users.id, who.userId))
  const mailboxes = who.emailConfirmed ? [email, who.email] : [email]
  for (const mailbox of mailboxes) {
    await mailToken(tx, deps, {
      type: 'email_change',
      userId: who.userId,
      email: mailbox,
      newEmail: email,
      now,
      ...mailed,
    })
  }
}
