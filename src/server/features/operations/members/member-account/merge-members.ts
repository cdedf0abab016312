import { inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows, type Tx } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { type Merged, moveRows } from '#server/db/merge-rows.ts'
import { users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { deleteUserCounters } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { notifySecurityChange } from '#server/features/identity/auth/security/security-event.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { isStaffSql } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Caller } from '#server/http/principal.ts'
import type { adminCheckMergeCall, adminMergeMembersCall } from '#shared/contracts/operations/member-account.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'
import { type DeleteDeps, removeAccount } from './delete-member.ts'

type MergeDeps = DeleteDeps & Pick<Deps, 'database'>
type Account = typeof users.$inferSelect

/** What merging would do, by doing it in a transaction that is rolled back. Decision 122. */
export async function checkMerge(
  deps: MergeDeps,
  who: Caller,
  { userId, email }: z.output<typeof adminCheckMergeCall.input>,
): Promise<z.output<typeof adminCheckMergeCall.output>> {
  const { db } = deps.database
  const [found] = await queryRows<{ id: string; name: string | null; email: string; joinedAt: string }>(
    db,
    sql`select u.id, u.email, ${memberNameSql} as name, u.created_at::text as "joinedAt" from auth.users u
      where u.email = ${normalizeEmail(email)} and u.is_sso_user = false and u.deleted_at is null`,
  )
  if (!found) throw refused('No member has this address. Check it and try again.')
  const other = { ...found, joinedAt: new Date(found.joinedAt).toISOString() }
  let moved: { what: string; count: number }[] = []
  const undone = new Error('Rolled back')
  try {
    await db.transaction(async (tx) => {
      const accounts = await lockAccounts(tx, who, userId, found.id)
      if (accounts) moved = await mergeData(tx, accounts, deps.clock())
      throw undone
    })
  } catch (error) {
    if (error === undone) return { other, refusal: null, moved }
    if (error instanceof AppError && error.code === 'validation_failed')
      return { other, refusal: error.message, moved: [] }
    throw error
  }
  return { other, refusal: null, moved }
}

/**
 * Moves what another account of the same person has to this one, and deletes the other as its owner could. How the kept
 * account signs in stays as it is. A second call finds no other account and changes nothing.
 * @throws AppError not_found, staff_account; validation_failed if the accounts can't be merged
 */
export async function mergeMembers(
  deps: MergeDeps,
  who: Caller,
  { userId, otherId }: z.output<typeof adminMergeMembersCall.input>,
): Promise<Record<string, never>> {
  const { db } = deps.database
  await db.transaction(async (tx) => {
    const accounts = await lockAccounts(tx, who, userId, otherId)
    if (!accounts) return
    const { kept, other } = accounts
    const now = deps.clock()
    const moved = await mergeData(tx, accounts, now)
    await removeAccount(tx, deps, who, other)
    await notifySecurityChange(tx, deps, {
      ...{ event: 'accounts_merged', userId: kept.id, email: kept.email ?? '', now },
      ...{ by: who.email, actorId: who.userId, client: who.client },
      ...(moved.length > 0 && { note: moved.map(({ what, count }) => `${count} ${what}`).join(', ') }),
    })
  })
  await deleteUserCounters(db, otherId)
  return {}
}

/** Null if the other account no longer exists. Locked in one order, so that two staff wait for each other. */
async function lockAccounts(tx: Tx, who: Caller, userId: string, otherId: string) {
  if (userId === otherId) throw refused('This is the same account. Enter the address of the other one.')
  const found = await tx
    .select()
    .from(users)
    .where(inArray(users.id, [userId, otherId]))
    .orderBy(users.id)
    .for('update')
  const [kept, other] = [userId, otherId].map((id) => found.find((user) => user.id === id && !user.deletedAt))
  if (!kept?.email) throw new AppError('not_found')
  await requireManageable(tx, who, userId)
  if (!other) return null
  // Someone else may have signed up with this address.
  if (other.emailConfirmedAt && !kept.emailConfirmedAt)
    throw refused('Only the other address is confirmed. Open that account, and merge this one into it.')
  const [row] = await queryRows<Record<'staff' | 'plan' | 'checkout' | 'team' | 'deletion', boolean>>(
    tx,
    sql`select ${isStaffSql(sql`${otherId}::uuid`)} as staff,
      exists (select 1 from subscription_state s where s.user_id = ${otherId}::uuid
        and s.status not in ('canceled', 'incomplete_expired')) as plan,
      exists (select 1 from pending_checkout c where c.user_id = ${otherId}::uuid) as checkout,
      exists (select 1 from team_seat t where ${otherId}::uuid in (t.owner_id, t.user_id)) as team,
      exists (select 1 from bulk_actions b where b.status = 'running' and b.action ->> 'kind' = 'delete') as deletion`,
  )
  if (row?.staff) throw refused('The other account belongs to the staff. Remove them from the staff first.')
  if (row?.plan) throw refused('The other account has a plan. Cancel it and wait until it ends, or keep that account.')
  if (row?.checkout) throw refused('The other account is at checkout. Try again tomorrow, or keep that account.')
  if (row?.team) throw refused('The other account has a team or a seat in one. End that first, or keep that account.')
  if (row?.deletion) throw refused('Members are being deleted right now. Try again when that’s done.')
  return { kept, other }
}

const refused = (message: string) => new AppError('validation_failed', { message })

async function mergeData(tx: Tx, { kept, other }: { kept: Account; other: Account }, now: Date) {
  const merged: Merged = { from: other.id, to: kept.id, now }
  const [last] = await queryRows<{ id: string }>(tx, sql`select coalesce(max(id), 0)::text as id from series_event`)
  const [from, to] = [sql`${merged.from}::uuid`, sql`${merged.to}::uuid`]
  const moved = await moveRows(tx, merged)
  const count = async (what: string, statement: ReturnType<typeof sql>) => {
    const rows = await queryRows(tx, sql`${statement} returning 1`)
    if (rows.length > 0) moved.push({ what, count: rows.length })
  }
  await tx.execute(sql`delete from business_profile where user_id = ${to} and values = '{}'
    and exists (select 1 from business_profile where user_id = ${from})`)
  await count(
    'business profile',
    sql`update business_profile set user_id = ${to} where user_id = ${from} and values <> '{}'
      and not exists (select 1 from business_profile where user_id = ${to})`,
  )
  await count(
    'values of your fields',
    sql`insert into custom_field_values as k (user_id, values, tokens, updated_at)
      select ${to}, o.values, o.tokens, ${now.toISOString()}::timestamptz from custom_field_values o
        where o.user_id = ${from} and o.values <> '{}'
      on conflict (user_id) do update set values = excluded.values || k.values, updated_at = excluded.updated_at,
        tokens = k.tokens || array(select t from unnest(excluded.tokens) t
          where not k.values ? substring(split_part(t, ':', 1) from 2))`,
  )
  await count(
    'complimentary access, until the later end',
    sql`insert into complimentary_access as k (user_id, until, note, granted_by, granted_by_id, granted_at)
      select ${to}, o.until, o.note, o.granted_by, o.granted_by_id, o.granted_at from complimentary_access o
        where o.user_id = ${from}
      on conflict (user_id) do update set until = excluded.until, note = excluded.note, granted_by = excluded.granted_by,
        granted_by_id = excluded.granted_by_id, granted_at = excluded.granted_at where k.until < excluded.until`,
  )
  await count(
    'Stripe customer of an import',
    sql`update imported_stripe_customer set user_id = ${to} where user_id = ${from}
      and not exists (select 1 from imported_stripe_customer where user_id = ${to})
      and not exists (select 1 from billing_customer where user_id = ${to})`,
  )
  if (kept.emailConfirmedAt && other.emailConfirmedAt)
    await count('gifts given', sql`update gift set giver_email = ${kept.email} where giver_email = ${other.email}`)
  await count('unsubscribes', keepUnsubscribed(merged))
  await count(
    'unsubscribes from newsletters',
    sql`insert into newsletter_subscription as k (newsletter_id, user_id, subscribed, changed_at)
      select o.newsletter_id, ${to}, false, o.changed_at from newsletter_subscription o
        where o.user_id = ${from} and not o.subscribed
      on conflict (newsletter_id, user_id) do update set subscribed = false, changed_at = excluded.changed_at where k.subscribed`,
  )
  // A bounce is about the address, the other reasons about the person.
  await count(
    'suppressions',
    sql`insert into suppressions (email, stream, reason, detail, created_at, created_by, created_by_id)
      select ${kept.email}, s.stream, s.reason, s.detail, s.created_at, s.created_by, s.created_by_id from suppressions s
        where s.email = ${other.email} and s.lifted_at is null and s.reason not in ('hard_bounce', 'soft_bounces')
      on conflict (email, stream) where lifted_at is null do nothing`,
  )
  // Tags and values that someone already had start no series.
  await tx.execute(sql`delete from series_event where user_id = ${to} and id > ${last?.id ?? '0'}::bigint`)
  return moved
}

/** What either account turned off is off. Nothing is turned on. Without a row, everything is on and nothing is tracked. */
const keepUnsubscribed = ({ from, to, now }: Merged) =>
  sql`insert into email_preferences as k (user_id, drops, news, follow_ups, assignments, replies, updated_at, unsubscribed_at)
    select ${to}::uuid, case when o.drops = 'off' then 'off' else 'weekly' end, o.news, o.follow_ups, o.assignments,
      case when o.replies = 'off' then 'off' else 'at-once' end, ${now.toISOString()}::timestamptz, o.unsubscribed_at
      from email_preferences o where o.user_id = ${from}::uuid and ('off' in (o.drops, o.replies) or not (o.news and o.follow_ups and o.assignments))
    on conflict (user_id) do update set updated_at = excluded.updated_at,
      drops = case when excluded.drops = 'off' then 'off' else k.drops end,
      news = k.news and excluded.news, follow_ups = k.follow_ups and excluded.follow_ups,
      assignments = k.assignments and excluded.assignments,
      replies = case when excluded.replies = 'off' then 'off' else k.replies end,
      unsubscribed_at = greatest(k.unsubscribed_at, excluded.unsubscribed_at)
    where (k.drops <> 'off' and excluded.drops = 'off') or (k.news and not excluded.news)
      or (k.follow_ups and not excluded.follow_ups) or (k.assignments and not excluded.assignments)
      or (k.replies <> 'off' and excluded.replies = 'off')`
