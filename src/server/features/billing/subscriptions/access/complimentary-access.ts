import { and, eq, gte } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import type { Email } from '#server/mail/mailer.ts'
import { complimentaryAccessEndedEmail, complimentaryAccessGrantedEmail } from '#server/mail/texts/billing-emails.ts'
import { type Change, changesBetween } from '#shared/domain/changed-fields.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { formatDay } from '#shared/domain/format.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'

type Grant = { userId: string; until: string; note?: string | null }

const maxDurationMs = 10 * 366 * 24 * 60 * 60 * 1000

/** @throws AppError validation_failed for a date that has passed or is too far away */
export function requireGrantable(until: Date, now: Date): void {
  if (until > now && until.getTime() - now.getTime() <= maxDurationMs) return
  throw new AppError('validation_failed', { message: 'Choose a date within the next ten years' })
}

/**
 * Gives a user access until a date, and in the same transaction writes the staff log entry and sends the email. Granting
 * the same date again sends no second email.
 * @throws AppError validation_failed for a date that has passed, staff_account, not_found
 */
export async function grantAccess(deps: BillingDeps, who: Caller, grant: Grant) {
  const now = deps.clock()
  const until = new Date(grant.until)
  requireGrantable(until, now)
  const note = grant.note || null
  const actor = who
  await deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, grant.userId)
    await giveAccess(tx, deps, actor, { userId: grant.userId, until, note, now })
  })
  return { until: until.toISOString() }
}

/** @throws AppError staff_account, not_found */
export async function revokeAccess(deps: BillingDeps, who: Caller, userId: string) {
  const now = deps.clock()
  const actor = who
  return deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, userId)
    const [own] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, userId))
    if (own?.source === 'purchase' && own.until > now) throw paidFor()
    return { revoked: await takeAccess(tx, deps, actor, { userId, now }) }
  })
}

const paidFor = () =>
  new AppError('validation_failed', {
    message: 'This member paid for their access. To end it, refund the payment on their page.',
  })

const accessOf = ({ until, note }: { until: Date; note: string | null }) => ({ until: until.toISOString(), note })

export type AccessSource = 'staff' | 'gift' | 'gift_link' | 'purchase'

type Giving = {
  userId: string
  until: Date
  note: string | null
  now: Date
  unlessGranted?: boolean
  /** Default: `staff`. */
  source?: AccessSource
  /** The email to send instead of the one about complimentary access; null for none. */
  email?: Email | null
}

/**
 * Gives access in a transaction, with its log entry and email. Returns whether anything changed; with `unlessGranted`, a
 * grant that hasn't ended stays. @throws AppError not_found; validation_failed if staff would shorten what was paid for
 */
export async function giveAccess(
  tx: Tx,
  deps: Pick<BillingDeps, 'config' | 'enqueue'>,
  who: Actor,
  { userId, until, note, now, unlessGranted = false, source = 'staff', email }: Giving,
): Promise<boolean> {
  const receiver = await lockPresentUser(tx, userId)
  const [before] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, receiver.id))
  if (before && unlessGranted && before.until > now) return false
  if (source === 'staff' && before?.source === 'purchase' && before.until > until) throw paidFor()
  if (before?.until.getTime() === until.getTime() && before.note === note) return false
  const facts = {
    until,
    note,
    source,
    grantedBy: source === 'staff' ? displayName(who.name, 'Admin') : source === 'purchase' ? 'Purchase' : 'Gift',
    grantedById: who.userId || null,
    grantedAt: now,
  }
  await tx
    .insert(complimentaryAccess)
    .values({ userId: receiver.id, ...facts })
    .onConflictDoUpdate({ target: complimentaryAccess.userId, set: facts })
  const text = [isForGood(until) ? 'for good' : `until ${formatDay(until)}`, note].filter(Boolean).join('; ')
  const changes = changesBetween(before ? accessOf(before) : {}, accessOf(facts))
  await record(tx, who, { event: 'access_granted', receiver, changes, note: text, now })
  const { config } = deps
  const notice =
    email === undefined && receiver.email
      ? complimentaryAccessGrantedEmail({ to: receiver.email, until, config })
      : email
  if (notice) await deps.enqueue(tx, emailJob, notice)
  return true
}

type Taking = {
  userId: string
  now: Date
  only?: { until: Date; grantedSince: Date }
  /** The email to send instead of the one about the end of complimentary access; null for none. */
  email?: Email | null
}

/**
 * Ends access in a transaction, with its log entry and email. Returns whether there was any; with `only`, a grant with
 * another date or of an earlier time stays. @throws AppError not_found
 */
export async function takeAccess(
  tx: Tx,
  deps: Pick<BillingDeps, 'config' | 'enqueue'>,
  who: Actor,
  { userId, now, only, email }: Taking,
): Promise<boolean> {
  const receiver = await lockPresentUser(tx, userId)
  const [revoked] = await tx
    .delete(complimentaryAccess)
    .where(
      and(
        eq(complimentaryAccess.userId, userId),
        only && eq(complimentaryAccess.until, only.until),
        only && gte(complimentaryAccess.grantedAt, only.grantedSince),
      ),
    )
    .returning({ until: complimentaryAccess.until, note: complimentaryAccess.note })
  if (!revoked) return false
  await record(tx, who, { event: 'access_revoked', receiver, changes: changesBetween(accessOf(revoked), {}), now })
  const { config } = deps
  // Access that has already ended needs no email.
  const notice =
    email === undefined && receiver.email && revoked.until > now
      ? complimentaryAccessEndedEmail({ to: receiver.email, config })
      : email
  if (notice) await deps.enqueue(tx, emailJob, notice)
  return true
}

type Receiver = { id: string; email: string | null }

type AuditEntry = {
  event: 'access_granted' | 'access_revoked'
  receiver: Receiver
  changes: readonly Change[]
  note?: string
  now: Date
}

const record = (tx: Tx, { userId, email, client }: Actor, { receiver, ...entry }: AuditEntry) =>
  recordSecurityEvent(tx, {
    ...entry,
    ...(client && { client }),
    by: email,
    actorId: userId,
    userId: receiver.id,
    email: receiver.email ?? '',
  })
