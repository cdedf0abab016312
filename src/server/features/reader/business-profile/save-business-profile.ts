import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { businessLocation, businessProfile, promptAnswer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type {
  BusinessLocation,
  rememberAnswersCall,
  saveBusinessProfileCall,
  saveLocationCall,
} from '#shared/contracts/reader/business-profile.ts'
import { applyChanges, maxLocations, maxRememberedAnswers } from '#shared/domain/business-profile.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { AppError } from '#shared/errors.ts'
import { asLocation, listLocations, readProfileValues } from './read-business-profile.ts'

/** Keeps the newest answer to each blank, whatever the order in which devices send them. */
export async function rememberAnswers(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  { promptId, at, answers }: z.output<typeof rememberAnswersCall.input>,
): Promise<{ remembered: true }> {
  // A device whose clock is ahead must not win forever.
  const answeredAt = changeInstant(at, clock())
  const rows = Object.entries(answers).map(([blank, answer]) => ({ userId, promptId, blank, answer, answeredAt }))
  if (rows.length === 0) return { remembered: true }
  await database.db.transaction(async (tx) => {
    await tx
      .insert(promptAnswer)
      .values(rows.toSorted((a, b) => (a.blank < b.blank ? -1 : 1)))
      .onConflictDoUpdate({
        target: [promptAnswer.userId, promptAnswer.promptId, promptAnswer.blank],
        set: { answer: sql`excluded.answer`, answeredAt: sql`excluded.answered_at` },
        setWhere: lt(promptAnswer.answeredAt, sql`excluded.answered_at`),
      })
    const [oldest] = await tx
      .select({ answeredAt: promptAnswer.answeredAt })
      .from(promptAnswer)
      .where(eq(promptAnswer.userId, userId))
      .orderBy(desc(promptAnswer.answeredAt))
      .offset(maxRememberedAnswers)
      .limit(1)
    if (!oldest) return
    await tx
      .delete(promptAnswer)
      .where(
        and(
          eq(promptAnswer.userId, userId),
          sql`${promptAnswer.answeredAt} <= ${oldest.answeredAt.toISOString()}::timestamptz`,
        ),
      )
  })
  return { remembered: true }
}

type SaveDeps = Pick<Deps, 'database' | 'clock'>

const conflictMessage = 'This was changed on another device or in another tab. Check it and save again.'

/** @throws AppError edit_conflict, with the stored `values` and the names in conflict */
export async function saveBusinessProfile(
  { database, clock }: SaveDeps,
  userId: string,
  { changes }: z.output<typeof saveBusinessProfileCall.input>,
): Promise<z.input<typeof saveBusinessProfileCall.output>> {
  return database.db.transaction(async (tx) => {
    await lockProfile(tx, userId, clock())
    const { values, conflicts } = applyChanges(await readProfileValues(tx, userId), changes)
    if (conflicts.length > 0) {
      throw new AppError('edit_conflict', { message: conflictMessage, extra: { values, conflicts } })
    }
    await tx.update(businessProfile).set({ values, updatedAt: clock() }).where(eq(businessProfile.userId, userId))
    return { values }
  })
}

/** @throws AppError edit_conflict, with the stored `location`; name_taken, too_many_locations, location_not_found */
export async function saveLocation(
  { database, clock }: SaveDeps,
  userId: string,
  { id, name, changes, shared }: z.output<typeof saveLocationCall.input>,
): Promise<{ location: BusinessLocation }> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    await lockProfile(tx, userId, now)
    const all = await listLocations(tx, userId)
    const stored = all.find((location) => location.id === id)
    if (!stored && name?.from !== '') throw new AppError('location_not_found')
    if (!stored && all.length >= maxLocations) throw new AppError('too_many_locations')
    const named = applyChanges(stored ? { name: stored.name } : {}, name ? { name } : {})
    const { values, conflicts } = applyChanges(stored?.values ?? {}, changes)
    if (stored && (named.conflicts.length > 0 || conflicts.length > 0)) {
      const extra = { location: asLocation(stored, true), conflicts: [...named.conflicts, ...conflicts] }
      throw new AppError('edit_conflict', { message: conflictMessage, extra })
    }
    const saved = {
      name: named.values.name ?? '',
      values,
      shared: shared ?? stored?.shared ?? false,
      updatedAt: now,
    }
    const isSameName = (other: string) => other.toLocaleLowerCase('en') === saved.name.toLocaleLowerCase('en')
    if (all.some((other) => other.id !== id && isSameName(other.name))) throw new AppError('name_taken')
    const [row] = stored
      ? await tx.update(businessLocation).set(saved).where(own(userId, id)).returning()
      : await tx
          .insert(businessLocation)
          .values({ ...saved, id, userId, createdAt: now })
          .onConflictDoNothing()
          .returning()
    // The id belongs to another account.
    if (!row) throw new AppError('location_not_found')
    return { location: asLocation(row, true) }
  })
}

export async function deleteLocation(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  id: string,
): Promise<{ deleted: boolean }> {
  const deleted = await database.db
    .delete(businessLocation)
    .where(own(userId, id))
    .returning({ id: businessLocation.id })
  return { deleted: deleted.length > 0 }
}

const own = (userId: string, id: string) => and(eq(businessLocation.userId, userId), eq(businessLocation.id, id))

/** Two saves of one reader wait for each other, so that limits and equal names are checked against what is stored. */
async function lockProfile(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.insert(businessProfile).values({ userId, updatedAt: now }).onConflictDoNothing()
  await tx
    .select({ userId: businessProfile.userId })
    .from(businessProfile)
    .where(eq(businessProfile.userId, userId))
    .for('update')
}

/** For accounts that are claimed by the owner of their address. */
export async function deleteBusinessProfile(tx: Tx, userId: string): Promise<void> {
  await tx.delete(businessProfile).where(eq(businessProfile.userId, userId))
  await tx.delete(businessLocation).where(eq(businessLocation.userId, userId))
  await tx.delete(promptAnswer).where(eq(promptAnswer.userId, userId))
}
