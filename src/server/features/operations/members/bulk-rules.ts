import { type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { giveAccess, takeAccess } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { isStaffSql } from '#server/features/identity/auth/users/staff-roles.ts'
import { saveChoices } from '#server/features/publishing/email-preferences/stored-email-choices.ts'
import { unsubscribeFromNewsletters } from '#server/features/publishing/newsletters/subscriptions.ts'
import type { BulkAction } from '#shared/contracts/operations/bulk-actions.ts'
import { maxNotesPerMember } from '#shared/contracts/operations/member-notes.ts'
import { formatDay } from '#shared/domain/format.ts'
import { type DeleteDeps, deleteUnlessStaff } from './member-account/delete-member.ts'
import { insertTag } from './member-tags.ts'

/** A run of an action. `changedIds` are those of `ids` that the action changed. */
export type BulkRun = { id: string; who: Actor; startedAt: Date; now: Date }

/** "Add the tag “vip”", for the staff log. */
export function bulkActionText(action: BulkAction): string {
  switch (action.kind) {
    case 'add-tag':
      return `Add the tag “${action.tag}”`
    case 'remove-tag':
      return `Remove the tag “${action.tag}”`
    case 'note':
      return `Add the note “${action.text}”`
    case 'access':
      return `Complimentary access until ${formatDay(action.until)}`
    case 'unsubscribe':
      return 'Unsubscribe from all newsletters'
    case 'delete':
      return 'Delete accounts'
  }
}

/** Which members of `member_facts f` the action changes, and why it doesn't change the others. */
export function bulkCondition(action: BulkAction, now: Date): { changes: SQL; reason: string } {
  switch (action.kind) {
    case 'add-tag':
      return { changes: sql`not (${action.tag} = any(f.tags))`, reason: 'already have the tag' }
    case 'remove-tag':
      return { changes: sql`${action.tag} = any(f.tags)`, reason: 'don’t have the tag' }
    case 'note':
      return {
        changes: sql`(not f.noted
          or (select count(*) from member_notes n where n.user_id = f.user_id) < ${maxNotesPerMember}::int)`,
        reason: 'have as many notes as a member can have',
      }
    case 'access':
      return {
        changes: sql`(f.complimentary_until is null or f.complimentary_until <= ${now.toISOString()}::timestamptz)`,
        reason: 'already have complimentary access',
      }
    case 'unsubscribe':
      return {
        changes: sql`(not exists (select 1 from email_preferences p
            where p.user_id = f.user_id and p.drops = 'off' and not p.news and not p.follow_ups)
          or exists (select 1 from newsletter_subscription s where s.user_id = f.user_id and s.subscribed))`,
        reason: 'are already unsubscribed from everything',
      }
    case 'delete':
      return { changes: sql`not (${isStaffSql(sql`f.user_id`)})`, reason: 'belong to the staff' }
  }
}

type RuleDeps = Pick<BillingDeps, 'config' | 'enqueue'> & DeleteDeps

/** Changes these members and returns the ids of those that it changed. */
export async function applyBulkAction(
  tx: Tx,
  deps: RuleDeps,
  run: BulkRun,
  action: BulkAction,
  ids: readonly string[],
): Promise<string[]> {
  const { who, now } = run
  switch (action.kind) {
    case 'add-tag':
      return userIds(tx, sql`${insertTag(action.tag, who, now, sql`u.id = any(${idList(ids)})`)} returning user_id`)
    case 'remove-tag':
      return userIds(
        tx,
        sql`delete from member_tags where tag = ${action.tag} and user_id = any(${idList(ids)}) returning user_id`,
      )
    case 'note': {
      const by = sql`${displayName(who.name, 'Staff')}`
      const by_id = sql`(select id from auth.users where id = ${who.userId || null}::uuid)`
      const at = sql`${now.toISOString()}::timestamptz`
      const { changes } = bulkCondition(action, now)
      return userIds(
        tx,
        sql`insert into member_notes (id, user_id, text, created_at, created_by, created_by_id, updated_at, updated_by, updated_by_id)
          select ${noteIdSql(run)}, f.user_id, ${action.text}, ${at}, ${by}, ${by_id}, ${at}, ${by}, ${by_id}
          from member_facts f where f.user_id = any(${idList(ids)}) and ${changes}
          on conflict do nothing returning user_id`,
      )
    }
    case 'access': {
      const changed: string[] = []
      const grant = { until: new Date(action.until), note: action.reason || null }
      if (grant.until <= now) return changed
      for (const userId of ids) {
        if (await giveAccess(tx, deps, who, { ...grant, userId, now, unlessGranted: true })) changed.push(userId)
      }
      return changed
    }
    case 'unsubscribe': {
      const { changes } = bulkCondition(action, now)
      const subscribed = await userIds(
        tx,
        sql`select f.user_id from member_facts f where f.user_id = any(${idList(ids)}) and ${changes} order by f.user_id`,
      )
      const off = { drops: 'off', news: false, followUps: false } as const
      for (const userId of subscribed) await saveChoices(tx, userId, off, now)
      await unsubscribeFromNewsletters(tx, subscribed, now)
      return subscribed
    }
    case 'delete': {
      const deleted: string[] = []
      for (const userId of ids) if (await deleteUnlessStaff(tx, deps, who, userId)) deleted.push(userId)
      return deleted
    }
  }
}

/** Restores these members, except where someone changed the same since. Returns the ids of those that it restored. */
export async function undoBulkAction(
  tx: Tx,
  deps: RuleDeps,
  run: BulkRun,
  action: BulkAction,
  ids: readonly string[],
): Promise<string[]> {
  switch (action.kind) {
    case 'add-tag':
      return applyBulkAction(tx, deps, run, { kind: 'remove-tag', tag: action.tag }, ids)
    case 'remove-tag':
      return applyBulkAction(tx, deps, run, { kind: 'add-tag', tag: action.tag }, ids)
    case 'note':
      return userIds(
        tx,
        sql`delete from member_notes f where f.id = ${noteIdSql(run)} and f.user_id = any(${idList(ids)})
          and f.updated_at = f.created_at returning f.user_id`,
      )
    case 'access': {
      const restored: string[] = []
      for (const userId of ids) {
        const only = { until: new Date(action.until), grantedSince: run.startedAt }
        if (await takeAccess(tx, deps, run.who, { userId, now: run.now, only })) restored.push(userId)
      }
      return restored
    }
    case 'unsubscribe':
    case 'delete':
      return []
  }
}

/** The same for each run and member, so that a repeated step adds one note. */
const noteIdSql = ({ id }: BulkRun) => sql`md5(${id} || f.user_id)::uuid`

const idList = (ids: readonly string[]) => sql`${sql.param(`{${ids.join()}}`)}::uuid[]`

const userIds = async (tx: Tx, statement: SQL): Promise<string[]> =>
  (await queryRows<{ user_id: string }>(tx, statement)).map(({ user_id }) => user_id)
