import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows, type Tx } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { emailPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { giveAccess, requireGrantable } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { isTaken, replaceEmail } from '#server/features/identity/auth/email-flows/change-email.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { sendTokenEmail } from '#server/features/identity/auth/email-flows/email-token.ts'
import { consumeDailyEmailLimit, consumeEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { notifySecurityChange, recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { createUser } from '#server/features/identity/auth/users/create-user.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { readStaffPosition } from '#server/features/identity/auth/users/staff-roles.ts'
import { mergeUserData, requireMetadataSize } from '#server/features/identity/auth/users/user-metadata.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { RetainedDeps } from '#server/mail/retained-suppressions.ts'
import { memberAddedEmail } from '#server/mail/texts/member-emails.ts'
import type {
  addressChanges,
  adminAddMemberCall,
  adminChangeMemberCall,
} from '#shared/contracts/operations/member-account.ts'
import { AppError } from '#shared/errors.ts'

type AddDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>

const addressTaken = 'Another account has this address.'

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

type ChangeDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>
type Account = typeof users.$inferSelect
type AddressChange = (typeof addressChanges)[number]

/**
 * Changes a member's name and address.
 * @throws AppError staff_account, not_found, edit_conflict, email_exists, over_email_send_rate_limit;
 * validation_failed for the address
 */
export async function changeMember(
  deps: ChangeDeps,
  who: Caller,
  { userId, name, known, isOldMailboxLost, ...given }: z.output<typeof adminChangeMemberCall.input>,
): Promise<{ address: AddressChange }> {
  const email = requireEmail(given.email)
  return deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, userId)
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user || user.deletedAt) throw new AppError('not_found')
    const before = { name: await readName(tx, userId), email: user.email ?? '' }
    const isSame = before.name === name && before.email === email
    // A second click finds its own change.
    if (!isSame && (before.name !== known.name || before.email !== known.email)) {
      throw new AppError('edit_conflict', {
        message: 'Someone else changed this member while you were editing. Reload the page and try again.',
      })
    }
    const actor = who
    const now = deps.clock()
    if (before.name !== name) await rename(tx, actor, user, { before: before.name, name, now })
    if (before.email === email) return { address: 'none' }
    const skipsOld = isOldMailboxLost && who.staffRole === 'owner'
    return { address: await changeAddress(tx, deps, actor, user, { email, skipsOld, now }) }
  })
}

async function readName(tx: Tx, userId: string): Promise<string | null> {
  const rows = await queryRows<{ name: string | null }>(
    tx,
    sql`select ${memberNameSql} as name from auth.users u where u.id = ${userId}::uuid`,
  )
  return rows[0]?.name ?? null
}

type Renaming = { before: string | null; name: string | null; now: Date }

async function rename(tx: Tx, who: Actor, user: Account, { before, name, now }: Renaming) {
  const data = mergeUserData(user.rawUserMetaData, { full_name: name, name: null })
  await tx
    .update(users)
    .set({ rawUserMetaData: requireMetadataSize(data), updatedAt: now })
    .where(eq(users.id, user.id))
  await recordAdminEvent(tx, who, {
    event: 'member_renamed',
    about: { userId: user.id, email: user.email ?? '' },
    changes: [{ field: 'name', before, after: name }],
    now,
  })
}

type Change = { email: string; skipsOld: boolean; now: Date }

/** Staff change their own address themselves, so that no one else takes over an account with rights. */
async function changeAddress(
  tx: Tx,
  deps: ChangeDeps,
  who: Actor,
  user: Account,
  { email, skipsOld, now }: Change,
): Promise<AddressChange> {
  const { id: userId } = user
  const present = user.email ?? ''
  if (await readStaffPosition(tx, userId)) {
    throw new AppError('validation_failed', {
      message: 'This account belongs to the staff. They change the address themselves, under Account.',
    })
  }
  if (await isTaken(tx, email, userId)) throw new AppError('email_exists', { message: addressTaken })
  const by = { by: who.email, actorId: who.userId, client: who.client }
  if (!user.emailConfirmedAt && !user.lastSignInAt) {
    await replaceEmail(tx, deps, { userId, email, present, ...by, now })
    return 'replaced'
  }
  const asksOld = user.emailConfirmedAt !== null && !skipsOld
  await consumeEmailLimit(tx, 'email_change', email, now)
  if (asksOld) await consumeDailyEmailLimit(tx, 'email_change', present, now)
  await tx
    .update(users)
    .set({ emailChange: email, emailChangeConfirmStatus: asksOld ? 0 : 1, updatedAt: now })
    .where(eq(users.id, userId))
  const redirectTo = `${deps.config.publicUrl}/account`
  const message = { type: 'email_change', userId, newEmail: email, redirectTo, challenge: null, now } as const
  await sendTokenEmail(tx, deps, { ...message, email })
  if (asksOld) await sendTokenEmail(tx, deps, { ...message, email: present })
  const changes = [{ field: 'email', before: present, after: email }]
  const entry = { event: 'email_change_started', userId, email: present, ...by, changes, now } as const
  // The old address gets one email, so that a member who didn't ask for it can object.
  if (asksOld || !user.emailConfirmedAt) await recordSecurityEvent(tx, entry)
  else await notifySecurityChange(tx, deps, entry)
  return asksOld ? 'awaiting-both' : 'awaiting-new'
}
