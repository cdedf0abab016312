import { randomUUID } from 'node:crypto'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { type Db, sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { segmentMembers, segments, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { findUnpreparedMailing, findWaitingSeries } from '#server/features/publishing/segments/views.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

export async function listSegments(db: Db) {
  const rows = await db
    .select({ id: segments.id, name: segments.name, members: count(segmentMembers.userId) })
    .from(segments)
    .leftJoin(segmentMembers, eq(segmentMembers.segmentId, segments.id))
    .groupBy(segments.id)
    .orderBy(asc(segments.name))
  return { items: rows }
}

type SegmentChange = { id?: string | null; name: string; add: readonly string[]; remove: readonly string[] }

/**
 * Creates or updates a segment. Readers are added and removed by address; the result lists addresses without an account.
 * @throws AppError not_found, segment_name_taken
 */
export async function saveSegment(deps: Pick<Deps, 'database' | 'clock'>, change: SegmentChange, who: Editor) {
  try {
    return await deps.database.db.transaction(async (tx) => {
      const now = deps.clock()
      const before = change.id ? await readFacts(tx, change.id) : {}
      const id = await keepSegment(tx, change, who, now)
      const removed = await idsByAddress(tx, change.remove)
      if (removed.size > 0) {
        await tx
          .delete(segmentMembers)
          .where(and(eq(segmentMembers.segmentId, id), inArray(segmentMembers.userId, [...removed.values()])))
      }
      const added = await idsByAddress(tx, change.add)
      if (added.size > 0) {
        await tx
          .insert(segmentMembers)
          .values([...new Set(added.values())].map((userId) => ({ segmentId: id, userId, addedAt: now })))
          .onConflictDoNothing()
      }
      const after = await readFacts(tx, id)
      const note = `${added.size} added, ${removed.size} removed`
      const object = { kind: 'segment', id, name: change.name } as const
      await recordAdminEvent(tx, who, {
        event: 'segment_saved',
        object,
        note,
        changes: changesBetween(before, after),
        now,
      })
      const unknown = change.add.filter((address) => address.trim() && !added.has(normalizeEmail(address)))
      return { id, members: after.members ?? 0, unknown }
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('segment_name_taken', { cause: error })
    throw error
  }
}

/** Fields that the staff log compares. */
async function readFacts(tx: Tx, id: string): Promise<{ name?: string; members?: number }> {
  const [facts] = await tx
    .select({ name: segments.name, members: count(segmentMembers.userId) })
    .from(segments)
    .leftJoin(segmentMembers, eq(segmentMembers.segmentId, segments.id))
    .where(eq(segments.id, id))
    .groupBy(segments.id)
  return facts ?? {}
}

async function keepSegment(tx: Tx, { id, name }: SegmentChange, by: Editor, now: Date): Promise<string> {
  if (!id) {
    const made = randomUUID()
    await tx.insert(segments).values({ id: made, name, createdAt: now, ...createdBy(by) })
    return made
  }
  const [kept] = await tx.update(segments).set({ name }).where(eq(segments.id, id)).returning({ id: segments.id })
  if (!kept) throw new AppError('not_found')
  return kept.id
}

async function idsByAddress(tx: Tx, addresses: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(addresses.map(normalizeEmail).filter((address) => address && !address.includes('\0')))]
  if (wanted.length === 0) return new Map()
  const rows = await tx.select({ id: users.id, email: users.email }).from(users).where(inArray(users.email, wanted))
  return new Map(rows.map(({ id, email }) => [email ?? '', id]))
}

/**
 * Deletes a segment unless a draft or scheduled mailing or a series uses it. Prepared mailings keep their frozen audience.
 * @throws AppError not_found, segment_in_use
 */
export async function deleteSegment({ database, clock }: Pick<Deps, 'database' | 'clock'>, who: Editor, id: string) {
  const { db } = database
  const mailing = await findUnpreparedMailing(db, { of: 'segmentIds', id })
  if (mailing) {
    throw new AppError('segment_in_use', {
      message: `${mailing} uses this segment. Choose another audience for it first.`,
    })
  }
  const waiting = await findWaitingSeries(db, { of: 'segment', id })
  if (waiting) {
    throw new AppError('segment_in_use', {
      message: `The series “${waiting}” waits for members of this segment. Choose another trigger for it first.`,
    })
  }
  await db.transaction(async (tx) => {
    const before = await readFacts(tx, id)
    const [gone] = await tx.delete(segments).where(eq(segments.id, id)).returning({ name: segments.name })
    if (!gone) throw new AppError('not_found')
    const object = { kind: 'segment', id, name: gone.name } as const
    const changes = changesBetween(before, {})
    await recordAdminEvent(tx, who, { event: 'segment_deleted', object, changes, now: clock() })
  })
  return {}
}
