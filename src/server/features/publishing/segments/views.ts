import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { type Db, sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { mailings, memberViews, series } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy } from '#server/features/identity/auth/security/editor.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { memberFilterText } from '#shared/domain/describe-member-filter.ts'
import { type MemberFilter, memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesSegment } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import { readFilterNames } from './filter-sql.ts'

/** Names a mailing that goes to a segment or view and hasn't frozen its readers yet; null if there is none. */
export async function findUnpreparedMailing(
  db: Db,
  { of, id }: { of: 'segmentIds' | 'viewIds'; id: string },
): Promise<string | null> {
  const [mailing] = await db
    .select({ subject: mailings.subject })
    .from(mailings)
    .where(
      and(
        isNull(mailings.preparedAt),
        ne(mailings.status, 'stopped'),
        sql`${mailings.audience} -> ${of}::text @> ${JSON.stringify([id])}::jsonb`,
      ),
    )
    .orderBy(desc(mailings.updatedAt))
    .limit(1)
  if (!mailing) return null
  return mailing.subject ? `“${mailing.subject}”` : 'A mailing without a subject'
}

/** Name of a series that isn't off and lets members of a view or segment enter, or undefined. */
export async function findWaitingSeries(db: Db, { of, id }: SeriesSegment): Promise<string | undefined> {
  const [found] = await db
    .select({ name: series.name })
    .from(series)
    .where(
      sql`${series.status} <> 'off' and ${series.trigger} @> ${JSON.stringify({ kind: 'joined_segment', of, id })}::jsonb`,
    )
    .limit(1)
  return found?.name
}

type ViewDeps = Pick<Deps, 'config' | 'database' | 'clock'>

export async function listViews(db: Db) {
  const rows = await db
    .select({ id: memberViews.id, name: memberViews.name, filter: memberViews.filter })
    .from(memberViews)
    .orderBy(asc(memberViews.name))
  return { items: rows.map(({ filter, ...view }) => ({ ...view, filter: memberFilterSchema.parse(filter) })) }
}

/** The filters of these views, in no order; null for a view that doesn't exist. */
export async function readViewFilters(db: Db | Tx, ids: readonly string[]): Promise<(MemberFilter | null)[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: memberViews.id, filter: memberViews.filter })
    .from(memberViews)
    .where(inArray(memberViews.id, [...ids]))
  return ids.map((id) => {
    const view = rows.find((row) => row.id === id)
    return view ? memberFilterSchema.parse(view.filter) : null
  })
}

/** @throws AppError not_found, view_name_taken */
export async function saveView(
  { config, database, clock }: ViewDeps,
  who: Actor,
  { id, name, filter }: { id?: string | null; name: string; filter: MemberFilter },
) {
  try {
    return await database.db.transaction(async (tx) => {
      const now = clock()
      const [before] = id ? await tx.select().from(memberViews).where(eq(memberViews.id, id)).for('update') : []
      if (id && !before) throw new AppError('not_found')
      const view = { id: id ?? randomUUID(), name, filter, updatedAt: now }
      await tx
        .insert(memberViews)
        .values({ ...view, createdAt: now, ...createdBy(who) })
        .onConflictDoUpdate({ target: memberViews.id, set: { name, filter, updatedAt: now } })
      const facts = async (row: { name: string; filter: unknown }) => {
        const parsed = memberFilterSchema.parse(row.filter)
        const filterText = memberFilterText(config.settings.publication, parsed, await readFilterNames(tx, parsed))
        return { name: row.name, filter: filterText }
      }
      const changes = changesBetween(before ? await facts(before) : {}, await facts(view))
      const object = { kind: 'member-view', id: view.id, name } as const
      await recordAdminEvent(tx, who, { event: 'member_view_saved', object, changes, now })
      return { id: view.id }
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('view_name_taken', { cause: error })
    throw error
  }
}

/** @throws AppError not_found, view_in_use */
export async function deleteView({ database, clock }: ViewDeps, who: Actor, id: string) {
  const { db } = database
  const mailing = await findUnpreparedMailing(db, { of: 'viewIds', id })
  if (mailing) {
    throw new AppError('view_in_use', {
      message: `${mailing} goes to this view. Choose another audience for it first.`,
    })
  }
  const waiting = await findWaitingSeries(db, { of: 'view', id })
  if (waiting) {
    throw new AppError('view_in_use', {
      message: `The series “${waiting}” waits for members of this view. Choose another trigger for it first.`,
    })
  }
  await db.transaction(async (tx) => {
    const [gone] = await tx.delete(memberViews).where(eq(memberViews.id, id)).returning()
    if (!gone) throw new AppError('not_found')
    const object = { kind: 'member-view', id, name: gone.name } as const
    await recordAdminEvent(tx, who, { event: 'member_view_deleted', object, now: clock() })
  })
  return {}
}
