import { desc, eq, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { notHeldSince } from '#server/db/restore-hold.ts'
import { bulkActions, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { requireGrantable } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, displayName, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { isStaffSql, readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { memberFilterSql, readFilterNames } from '#server/features/publishing/segments/filter-sql.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { defineRunKind, type Run } from '#server/jobs/runs.ts'
import {
  adminStartBulkActionCall,
  type BulkAction,
  type BulkTarget,
  bulkStatuses,
  isFinalAction,
} from '#shared/contracts/operations/bulk-actions.ts'
import { adminDeleteMemberCall } from '#shared/contracts/operations/member-account.ts'
import { memberFilterText } from '#shared/domain/describe-member-filter.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import { applyBulkAction, bulkActionText, bulkCondition, undoBulkAction } from './bulk-rules.ts'
import type { DeleteDeps } from './member-account/delete-member.ts'

/** After a restore, actions that email members wait until the hold ends. */
export const bulkActionRun = defineRunKind({
  name: 'run-bulk-action',
  table: bulkActions,
  openStatuses: ['running', 'undoing'],
  mayRun: or(
    sql`${bulkActions.action} ->> 'kind' not in ('access', 'delete')`,
    notHeldSince(sql`${bulkActions.createdAt}`),
  ),
})

/** Members that are changed in one transaction. */
const stepSize = 200
/** Each deletion writes to many tables and queues a cancellation at Stripe. */
const deletionStepSize = 20
const exampleCount = 5

type BulkDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>
type StepDeps = BulkDeps & DeleteDeps

type Wanted = { action: BulkAction; target: BulkTarget }

/** Access for staff, suspended staff included, comes from owners alone. */
const excludesStaff = ({ kind }: BulkAction, role: StaffRole | null) => kind === 'access' && role !== 'owner'

const wantedSql = (config: BulkDeps['config'], who: Principal, { action, target }: Wanted, now: Date) =>
  excludesStaff(action, who.staffRole)
    ? sql`${targetSql(config, target, now)} and not ${isStaffSql(sql`f.user_id`)}`
    : targetSql(config, target, now)

export const targetSql = (config: BulkDeps['config'], target: BulkTarget, now: Date) =>
  'ids' in target
    ? sql`f.user_id = any(${sql.param(`{${target.ids.join()}}`)}::uuid[])`
    : memberFilterSql(config, target.filter, now).where

export async function selectionText(
  { settings }: BulkDeps['config'],
  db: Db | Tx,
  target: BulkTarget,
): Promise<string> {
  if ('ids' in target) return `${target.ids.length} selected`
  return memberFilterText(settings.publication, target.filter, await readFilterNames(db, target.filter))
}

/** @throws AppError validation_failed for a date that has passed or is too far away */
export async function previewBulkAction({ config, database, clock }: BulkDeps, who: Principal, wanted: Wanted) {
  const now = clock()
  requireMayRun(wanted.action, who.staffRole)
  if (wanted.action.kind === 'access') requireGrantable(new Date(wanted.action.until), now)
  const { changes, reason } = bulkCondition(wanted.action, now)
  const where = wantedSql(config, who, wanted, now)
  const [counts] = await queryRows<{ changing: number; unchanged: number }>(
    database.db,
    sql`select count(*) filter (where ${changes})::int as changing, count(*) filter (where not ${changes})::int as unchanged
      from member_facts f where ${where}`,
  )
  const examples = await queryRows<{ email: string }>(
    database.db,
    sql`select u.email from member_facts f join auth.users u on u.id = f.user_id
      where ${where} and ${changes} and u.email is not null order by f.created_at desc, f.user_id desc limit ${exampleCount}`,
  )
  const { changing = 0, unchanged = 0 } = counts ?? {}
  return { changing, unchanged, reason: unchanged > 0 ? reason : null, examples: examples.map(({ email }) => email) }
}

/** @throws AppError step_up_required, validation_failed for a date that has passed or is too far away */
export async function startBulkAction(deps: BulkDeps, who: Caller, { id, action, target }: Wanted & { id: string }) {
  const now = deps.clock()
  requireMayRun(action, who.staffRole)
  if (action.kind === 'access') requireGrantable(new Date(action.until), now)
  if (action.kind === 'access' || action.kind === 'delete') await requireStepUp(deps, who)
  return deps.database.db.transaction(async (tx) => {
    const actor = who
    const selection = await selectionText(deps.config, tx, target)
    const [started] = await tx
      .insert(bulkActions)
      .values({ id, action, selection, status: 'running', total: 0, createdAt: now, ...createdBy(actor) })
      .onConflictDoNothing()
      .returning({ id: bulkActions.id })
    if (!started) return { total: (await readRow(tx, id)).total }
    const [frozen] = await queryRows<{ total: number }>(
      tx,
      sql`with frozen as (
          insert into bulk_action_members (action_id, user_id)
          select ${id}::uuid, f.user_id from member_facts f where ${wantedSql(deps.config, who, { action, target }, now)}
          returning 1
        ) select count(*)::int as total from frozen`,
    )
    const total = frozen?.total ?? 0
    await tx.update(bulkActions).set({ total }).where(eq(bulkActions.id, id))
    const staff = action.kind === 'delete' ? await countStaff(tx, id) : 0
    const leftOut = staff > 0 ? `, of whom ${staff} left out: they belong to the staff` : ''
    const note = `${bulkActionText(action)}; ${selection}; ${countText(total)}${leftOut}`
    await recordAdminEvent(tx, actor, { event: 'members_changed', note, now })
    await deps.enqueue(tx, bulkActionRun, { id })
    return { total }
  })
}

async function countStaff(tx: Tx, id: string): Promise<number> {
  const [row] = await queryRows<{ staff: number }>(
    tx,
    sql`select count(*)::int as staff from bulk_action_members m
      where m.action_id = ${id}::uuid and ${isStaffSql(sql`m.user_id`)}`,
  )
  return row?.staff ?? 0
}

/** Owners alone delete accounts, one or many. */
const mayRun = (action: BulkAction, role: StaffRole | null) =>
  role !== null && (action.kind === 'delete' ? adminDeleteMemberCall : adminStartBulkActionCall).roles.includes(role)

function requireMayRun(action: BulkAction, role: StaffRole | null) {
  if (!mayRun(action, role)) throw new AppError('role_not_allowed')
}

const countText = (count: number) => (count === 1 ? '1 member' : `${count} members`)

/** @throws AppError not_found, step_up_required */
export async function undoAction(deps: BulkDeps, who: Caller, id: string) {
  const [known] = await deps.database.db
    .select({ action: bulkActions.action })
    .from(bulkActions)
    .where(eq(bulkActions.id, id))
  if ((known?.action as BulkAction | undefined)?.kind === 'access') await requireStepUp(deps, who)
  await deps.database.db.transaction(async (tx) => {
    const row = await readRow(tx, id)
    const action = row.action as BulkAction
    if (row.status === 'undoing' || row.status === 'undone') return
    if (isFinalAction(action)) {
      if (row.status !== 'running') throw new AppError('not_found')
      await tx
        .update(bulkActions)
        .set(await stopAction(tx, row, deps.clock(), who))
        .where(eq(bulkActions.id, id))
      return
    }
    // Members whose turn hasn't come stay as they are.
    await tx.execute(sql`update bulk_action_members
      set outcome = case when outcome = 'changed' then null else coalesce(outcome, 'unchanged') end
      where action_id = ${id}::uuid and (outcome is null or outcome = 'changed')`)
    await tx
      .update(bulkActions)
      .set({
        status: 'undoing',
        done: sql`${bulkActions.total} - ${bulkActions.changed}`,
        finishedAt: null,
        undoneBy: displayName(who.name),
        undoneById: who.userId,
      })
      .where(eq(bulkActions.id, id))
    const note = `${bulkActionText(action)}; ${row.selection}; ${countText(row.changed)}`
    await recordAdminEvent(tx, who, { event: 'members_change_undone', note, now: deps.clock() })
    await deps.enqueue(tx, bulkActionRun, { id })
  })
  return {}
}

export async function listBulkActions(db: Db) {
  const rows = await db
    .select({
      id: bulkActions.id,
      action: bulkActions.action,
      selection: bulkActions.selection,
      status: bulkActions.status,
      total: bulkActions.total,
      done: bulkActions.done,
      changed: bulkActions.changed,
      createdAt: bulkActions.createdAt,
      by: editorLabel(bulkActions.createdBy, bulkActions.createdById),
    })
    .from(bulkActions)
    .orderBy(desc(bulkActions.createdAt), desc(bulkActions.id))
    .limit(10)
  return {
    items: rows.map(({ action, status, createdAt, ...row }) => ({
      ...row,
      action: action as BulkAction,
      status: z.enum(bulkStatuses).parse(status),
      createdAt: createdAt.toISOString(),
    })),
  }
}

/**
 * Each step changes the next members and records what happened to each, in one transaction, so that no member is changed
 * twice. It checks first that the person running the action still has the role.
 */
export const bulkActionSteps = (deps: StepDeps): Run<typeof bulkActions> => ({
  kind: bulkActionRun,
  step: ({ commit }) => commit((tx, row) => changeNext(tx, deps, row)),
})

async function changeNext(tx: Tx, deps: StepDeps, row: Row): Promise<Partial<Row>> {
  const { id } = row
  const isUndo = row.status === 'undoing'
  const now = deps.clock()
  const runner = await readRunner(tx, row, now)
  if (!runner) return stopAction(tx, row, now)
  const action = row.action as BulkAction
  const members = await queryRows<{ user_id: string }>(
    tx,
    sql`select user_id from bulk_action_members where action_id = ${id}::uuid and outcome is null
      order by user_id limit ${action.kind === 'delete' ? deletionStepSize : stepSize}`,
  )
  const ids = members.map(({ user_id }) => user_id)
  if (ids.length === 0) return { status: isUndo ? 'undone' : 'finished', done: row.total, finishedAt: now }
  const run = { id, who: runner.who, startedAt: row.createdAt, now }
  const change = isUndo ? undoBulkAction : applyBulkAction
  const changed = await change(tx, deps, run, action, await changeable(tx, ids, excludesStaff(action, runner.role)))
  const [yes, no] = isUndo ? ['undone', 'kept'] : ['changed', 'unchanged']
  await tx.execute(sql`update bulk_action_members
    set outcome = case when user_id = any(${sql.param(`{${changed.join()}}`)}::uuid[]) then ${yes} else ${no} end
    where action_id = ${id}::uuid and user_id = any(${sql.param(`{${ids.join()}}`)}::uuid[])`)
  return { done: row.done + ids.length, changed: row.changed + (isUndo ? -changed.length : changed.length) }
}

type Row = typeof bulkActions.$inferSelect

async function readRow(tx: Tx, id: string): Promise<Row> {
  const [row] = await tx.select().from(bulkActions).where(eq(bulkActions.id, id)).for('update')
  if (!row) throw new AppError('not_found')
  return row
}

/** Those of the members whose accounts weren't deleted meanwhile and, if excluded, who didn't join the staff. */
async function changeable(tx: Tx, ids: readonly string[], withoutStaff: boolean): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`select u.id from auth.users u where u.id = any(${sql.param(`{${ids.join()}}`)}::uuid[]) and u.deleted_at is null
      ${withoutStaff ? sql`and not ${isStaffSql(sql`u.id`)}` : sql``} order by u.id`,
  )
  return rows.map(({ id }) => id)
}

/** Who started it or, during an undo, who undid it; null if they may no longer change members. */
async function readRunner(tx: Tx, row: Row, now: Date): Promise<{ who: Actor; role: StaffRole } | null> {
  const isUndo = row.status === 'undoing' && row.undoneBy !== null
  const [userId, name] = isUndo ? [row.undoneById, row.undoneBy] : [row.createdById, row.createdBy]
  if (!userId) return null
  const role = await readActiveRole(tx, userId, now)
  if (!role || !mayRun(row.action as BulkAction, role)) return null
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return { who: { userId, email: user?.email ?? '', name }, role }
}

const automatic: Actor = { userId: '', email: 'automatic' }

/** Members that were changed stay so, and someone else can undo it. */
async function stopAction(tx: Tx, row: Row, now: Date, by: Actor = automatic): Promise<Partial<Row>> {
  const isUndo = row.status === 'undoing'
  if (isUndo) {
    await tx.execute(sql`update bulk_action_members set outcome = 'changed'
      where action_id = ${row.id}::uuid and outcome is null`)
  }
  const note = `${isUndo ? 'Undo: ' : ''}${bulkActionText(row.action as BulkAction)}; ${row.selection}; ${row.done} of ${countText(row.total)}`
  await recordAdminEvent(tx, by, { event: 'members_change_stopped', note, now })
  return { status: 'stopped', finishedAt: now }
}
