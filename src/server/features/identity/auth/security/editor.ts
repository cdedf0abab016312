import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '#server/db/database.ts'
import { customField, newsletter, plan, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { type Actor, recordAdminEvent } from './admin-event.ts'

export type Editor = Actor

const maxNameLength = 100

/** The name that the person gave, else `fallback`. Never an email address. */
export function displayName(given: string | null | undefined, fallback = 'Editor'): string {
  const name = given?.trim().slice(0, maxNameLength) ?? ''
  return name === '' || name.includes('@') ? fallback : name
}

// Records of edits keep the account's id and a display name, so that a changed or deleted address leaves no trace.
export const updatedBy = ({ userId, name }: Editor) => ({ updatedBy: displayName(name), updatedById: userId })
export const createdBy = ({ userId, name }: Editor) => ({ createdBy: displayName(name), createdById: userId })

/** For a select list: the account's current address, or the stored display name once the account is deleted. */
export const editorLabel = (name: AnyPgColumn, id: AnyPgColumn): SQL<string | null> =>
  sql<string | null>`coalesce((select editor.email from auth.users editor where editor.id = ${id}), ${name})`

/** The same for a row that was read already. */
export async function readEditorLabel(db: Db | Tx, name: string | null, userId: string | null): Promise<string | null> {
  if (!userId) return name
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? name
}

type Listed = { retiredAt: Date | null; version: number }

/** Lists whose rows staff put in order, take out of use and put back. Changes of a list are made one at a time. */
const lists = {
  newsletter: { table: newsletter, key: newsletter.id, name: 'name', event: 'newsletter' },
  'custom-field': { table: customField, key: customField.id, name: 'label', event: 'custom_field' },
  plan: { table: plan, key: plan.key, name: 'name', event: 'plan' },
} as const
type ListName = keyof typeof lists

type Identified = Listed & { id?: number; key?: string; name?: string; label?: string }
const idOf = ({ id, key }: Identified) => id ?? key ?? ''
const nameOf = (list: ListName, row: Identified) => row[lists[list].name] ?? ''

export const isInUse = ({ retiredAt }: Listed) => retiredAt === null

/**
 * Retires a row or puts it back. Does nothing if it was so already.
 * @param check runs before the change
 * @throws AppError not_found, edit_conflict
 */
export async function setRetired<Row extends Identified>(
  tx: Tx,
  kind: ListName,
  row: Row | undefined,
  { who, version, retired, now }: { who: Actor; version: number; retired: boolean; now: Date },
  check: (row: Row) => Promise<void> | void,
): Promise<void> {
  if (!row) throw new AppError('not_found')
  if (!isInUse(row) === retired) return
  if (row.version !== version) throw new AppError('edit_conflict')
  await check(row)
  const { table, key, event } = lists[kind]
  await tx
    .update(table)
    .set({ retiredAt: retired ? now : null, version: version + 1, updatedAt: now, ...updatedBy(who) })
    .where(and(eq(key, idOf(row)), eq(table.version, version)))
  const object = { kind, id: String(idOf(row)), name: nameOf(kind, row) }
  await recordAdminEvent(tx, who, { event: `${event}_${retired ? 'retired' : 'restored'}`, object, now })
}

/** @throws AppError edit_conflict if rows were created or retired meanwhile */
export async function saveOrder(
  tx: Tx,
  kind: ListName,
  rows: readonly Identified[],
  ids: readonly (string | number)[],
  { who, now }: { who: Actor; now: Date },
): Promise<void> {
  const { table, key, event } = lists[kind]
  const names = new Map(rows.map((row) => [idOf(row), nameOf(kind, row)]))
  const before = [...names.keys()]
  const isSameSet = ids.length === rows.length && new Set(ids).size === rows.length && ids.every((id) => names.has(id))
  if (!isSameSet) throw new AppError('edit_conflict')
  if (before.every((id, at) => id === ids[at])) return
  for (const [position, id] of ids.entries()) await tx.update(table).set({ position }).where(eq(key, id))
  const asText = (order: readonly (string | number)[]) => order.map((id) => names.get(id)).join(', ')
  const changes = [{ field: 'order', before: asText(before), after: asText(ids) }]
  await recordAdminEvent(tx, who, { event: `${event}s_ordered`, changes, now })
}
