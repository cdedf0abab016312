import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZoneOf } from '#server/db/publication-setting.ts'
import { businessLocation, deadline } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { findPage } from '#server/features/library/content/read-pages.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import type { DeadlineKind, Deadlines, saveDeadlineCall } from '#shared/contracts/reader/deadlines.ts'
import { maxDeadlines, reminderAfter } from '#shared/domain/deadlines.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'

type DeadlineDeps = Pick<Deps, 'database' | 'clock'>

/** Kinds of dates in the publication's words. */
export const readDeadlineKinds = async (db: Db | Tx): Promise<DeadlineKind[]> =>
  (await findPage(db, 'deadlines'))?.kinds ?? []

/** Those of a reader, with the name of the location. */
export const listDeadlines = (db: Db | Tx, userId: string) =>
  db
    .select({ deadline, locationName: businessLocation.name })
    .from(deadline)
    .leftJoin(businessLocation, eq(businessLocation.id, deadline.locationId))
    .where(eq(deadline.userId, userId))
    .orderBy(asc(deadline.dueOn), asc(deadline.createdAt), asc(deadline.id))

export async function readDeadlines({ database: { db } }: DeadlineDeps, userId: string): Promise<Deadlines> {
  const [rows, kinds, locations] = await Promise.all([
    listDeadlines(db, userId),
    readDeadlineKinds(db),
    listLocations(db, userId),
  ])
  return { deadlines: rows.map((row) => row.deadline), kinds, locations }
}

const own = (userId: string, id: string) => and(eq(deadline.id, id), eq(deadline.userId, userId))

/** @throws AppError location_not_found, too_many_deadlines; not_found if the id is another reader's */
export async function saveDeadline(
  { database, clock }: DeadlineDeps,
  userId: string,
  { id, ...fields }: z.output<typeof saveDeadlineCall.input>,
): Promise<Record<string, never>> {
  const now = clock()
  await database.db.transaction(async (tx) => {
    // Two saves of one reader wait for each other, so that the limit holds.
    await lockUser(tx, userId)
    const { locationId } = fields
    if (locationId && !(await listLocations(tx, userId)).some((location) => location.id === locationId)) {
      throw new AppError('location_not_found')
    }
    const [before] = await tx.select().from(deadline).where(own(userId, id))
    if (!before && (await tx.$count(deadline, eq(deadline.userId, userId))) >= maxDeadlines) {
      throw new AppError('too_many_deadlines')
    }
    const isMoved = before?.dueOn !== fields.dueOn || before.leadDays !== fields.leadDays
    const remindOn = isMoved ? reminderAfter(await readToday(tx, userId, now), fields) : before.remindOn
    const row = { ...fields, remindOn, updatedAt: now }
    const saved = await tx
      .insert(deadline)
      .values({ ...row, id, userId, createdAt: now })
      .onConflictDoUpdate({
        target: deadline.id,
        set: { ...row, revision: sql`${deadline.revision} + 1` },
        setWhere: eq(deadline.userId, userId),
      })
      .returning({ id: deadline.id })
    if (saved.length === 0) throw new AppError('not_found')
  })
  return {}
}

/** In the reader's time zone. */
const readToday = async (tx: Tx, userId: string, now: Date): Promise<string> =>
  localTimeOf(now.toISOString(), await readTimeZoneOf(tx, userId)).slice(0, 10)

export async function deleteDeadline(
  { database }: DeadlineDeps,
  userId: string,
  id: string,
): Promise<Record<string, never>> {
  await database.db.delete(deadline).where(own(userId, id))
  return {}
}
