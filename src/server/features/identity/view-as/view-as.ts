import { eq, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { users, viewAsSessions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { isStaffSql, readStaffPosition } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Principal } from '#server/http/principal.ts'
import { viewAsMinutes } from '#shared/contracts/identity/view-as.ts'
import { AppError } from '#shared/errors.ts'
import { hashViewAsToken, newViewAsToken, viewers } from './read-view-as.ts'

type ViewAsDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Starts a view, and ends the staff member's earlier one: there is at most one at a time, also if two nodes start one.
 * @throws AppError not_found; staff_account if the account is on the staff, also suspended; validation_failed for a disabled account
 */
export function startViewAs(
  { database, clock }: ViewAsDeps,
  staff: Actor & Pick<Principal, 'sessionId'>,
  userId: string,
) {
  return database.db.transaction(async (tx) => {
    const now = clock()
    // One at a time for each staff member.
    await lockUser(tx, staff.userId)
    const [member] = await tx.select().from(users).where(eq(users.id, userId))
    if (!member || member.deletedAt) throw new AppError('not_found')
    if (await readStaffPosition(tx, userId)) throw new AppError('staff_account')
    if (member.bannedUntil && member.bannedUntil > now) {
      throw new AppError('validation_failed', { message: 'This account is disabled, so there is nothing to view.' })
    }
    await endViews(tx, sql`v.staff_id = ${staff.userId}::uuid`, now)
    const token = newViewAsToken()
    const expiresAt = new Date(now.getTime() + viewAsMinutes * 60_000)
    await tx.insert(viewAsSessions).values({
      id: crypto.randomUUID(),
      userId,
      staffId: staff.userId,
      staffSessionId: staff.sessionId,
      tokenHash: hashViewAsToken(token),
      createdAt: now,
      expiresAt,
    })
    const email = member.email ?? ''
    const note = `Read-only, for at most ${viewAsMinutes} minutes`
    await recordAdminEvent(tx, staff, { event: 'view_as_started', about: { userId, email }, note, now })
    return {
      token,
      expiresAt: expiresAt.toISOString(),
      email,
      emailConfirmedAt: member.emailConfirmedAt?.toISOString() ?? null,
    }
  })
}

/** Ends the view that makes the call. Any other session ends nothing. */
export function endViewAs({ database, clock }: ViewAsDeps, { sessionId }: Pick<Principal, 'sessionId'>) {
  return database.db.transaction(async (tx) => ({
    ended: (await endViews(tx, sql`v.id = ${sessionId}::uuid`, clock())) > 0,
  }))
}

/** Records the end of views that are over. Runs every minute. */
export const recordEndedViews = ({ database, clock }: ViewAsDeps): Promise<number> =>
  database.db.transaction((tx) => endInvalidViews(tx, clock()))

/**
 * Ends views that ran out, whose staff member lost the session, role or account, or whose member was disabled or joined the
 * staff. Call it in the transaction of such a change, so that the view doesn't continue if the change is reverted.
 */
export function endInvalidViews(tx: Tx, now: Date): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`
  return endViews(
    tx,
    sql`(v.expires_at <= ${at}
      or u.banned_until > ${at} or staff.banned_until > ${at}
      or ${isStaffSql(sql`v.user_id`)}
      or not exists (select 1 from user_roles r where r.user_id = v.staff_id and r.role in ${sql.raw(viewers)})
      or not exists (select 1 from auth.sessions s where s.id = v.staff_session_id))`,
    now,
  )
}

type EndedView = { user_id: string; member_email: string; staff_id: string; staff_email: string; ended_at: string }

async function endViews(tx: Tx, where: ReturnType<typeof sql>, now: Date): Promise<number> {
  const ended = await queryRows<EndedView>(
    tx,
    sql`update view_as_sessions v set ended_at = least(v.expires_at, ${now.toISOString()}::timestamptz)
      from auth.users u, auth.users staff
      where u.id = v.user_id and staff.id = v.staff_id and v.ended_at is null and ${where}
      returning v.user_id, coalesce(u.email, '') as member_email, v.staff_id, coalesce(staff.email, '') as staff_email,
        v.ended_at`,
  )
  for (const view of ended) {
    await recordAdminEvent(
      tx,
      { userId: view.staff_id, email: view.staff_email },
      {
        event: 'view_as_ended',
        about: { userId: view.user_id, email: view.member_email },
        now: new Date(view.ended_at),
      },
    )
  }
  return ended.length
}
