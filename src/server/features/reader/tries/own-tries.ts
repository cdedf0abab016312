import { and, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { contentItems, tries, tryDays, tryTotals, users } from '#server/db/schema/index.ts'
import { recordSeriesEvent } from '#server/db/series-event.ts'
import type { Deps } from '#server/feature.ts'
import { recordStaffEvent } from '#server/features/identity/staff/record-staff-event.ts'
import type { Principal } from '#server/http/principal.ts'
import type {
  ReadTry,
  recordTryCall,
  removeTryCall,
  startTryCall,
  TriedItem,
  TryState,
} from '#shared/contracts/reader/tries.ts'
import { answersIn, minAnswers } from '#shared/domain/try-outcomes.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'
import { countAnswers } from './count-answers.ts'

/** @throws AppError not_found for an item that was never published */
export async function readTry(db: Db | Tx, { userId }: Principal, item: TriedItem): Promise<ReadTry> {
  const [found] = await db
    .select({ title: contentItems.title, path: contentItems.path, removedAt: contentItems.removedAt })
    .from(contentItems)
    .where(and(eq(contentItems.kind, item.kind), eq(contentItems.id, item.id)))
  if (!found) throw new AppError('not_found')
  return {
    ...(await readState(db, userId, item)),
    title: found.title,
    path: found.removedAt ? null : found.path,
  }
}

async function readState(db: Db | Tx, userId: string, { kind, id }: TriedItem): Promise<TryState> {
  const [row] = await db
    .select()
    .from(tries)
    .where(and(eq(tries.userId, userId), eq(tries.kind, kind), eq(tries.itemId, id)))
  const [totals] = await db
    .select({
      worked: tryTotals.worked,
      workedWithChanges: tryTotals.workedWithChanges,
      didNotWork: tryTotals.didNotWork,
    })
    .from(tryTotals)
    .where(and(eq(tryTotals.kind, kind), eq(tryTotals.itemId, id)))
  const { outcome, minutesPerWeek, note, sharedAt } = row ?? {}
  return {
    answer: outcome
      ? { outcome, minutesPerWeek: minutesPerWeek ?? null, note: note ?? '', shared: Boolean(sharedAt) }
      : null,
    changedAt: (row?.answeredAt ?? row?.removedAt)?.toISOString() ?? null,
    reminded: Boolean(row && !row.outcome && !row.removedAt && !row.askedAt),
    totals: totals && answersIn(totals) >= minAnswers ? totals : null,
  }
}

export type TryDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/**
 * Records how it went. Of several answers the newest counts, in whatever order they arrive; answers from before a removal
 * never count.
 * @throws AppError not_found for an item that isn't published
 */
export const recordTry = (deps: TryDeps, who: Principal, input: z.output<typeof recordTryCall.input>) =>
  change(deps, who, input, { onlyPublished: true }, async (tx, own, at) => {
    const { outcome, minutesPerWeek, note, shared } = input
    const [before] = await tx.select({ note: tries.note }).from(tries).where(own)
    const [stored] = await tx
      .update(tries)
      .set({
        outcome,
        minutesPerWeek,
        note,
        // Sharing starts over when the note changes, so the date is that of the consent to this text.
        sharedAt:
          shared && note
            ? sql`case when ${tries.note} = ${note} then coalesce(${tries.sharedAt}, ${at}::timestamptz) else ${at}::timestamptz end`
            : null,
        answeredAt: at,
      })
      .where(and(own, notRemovedSince(at), or(isNull(tries.answeredAt), lt(tries.answeredAt, at))))
      .returning({ note: tries.note })
    if (stored?.note && stored.note !== before?.note) await recordStaffEvent(tx, 'answer')
    const [counts] = await tx
      .select({ one: sql`1` })
      .from(tries)
      .where(and(own, notRemovedSince(at)))
    if (!counts) return
    const timeZone = await readTimeZone(tx)
    const day = localTimeOf(at.toISOString(), timeZone).slice(0, 10)
    const set = { at, outcome, minutesPerWeek }
    await tx
      .insert(tryDays)
      .values({ userId: who.userId, kind: input.kind, itemId: input.id, day, ...set })
      .onConflictDoUpdate({
        target: [tryDays.userId, tryDays.kind, tryDays.itemId, tryDays.day],
        set,
        setWhere: lt(tryDays.at, at),
      })
  })

/** Removes the answers given until `at`, and what they were worth. @throws AppError not_found */
export const removeTry = (deps: TryDeps, who: Principal, input: z.output<typeof removeTryCall.input>) =>
  change(deps, who, input, { onlyPublished: false }, async (tx, own, at) => {
    const isOlder = sql`${tries.answeredAt} <= ${at}::timestamptz`
    const keep = (column: typeof tries.outcome | typeof tries.minutesPerWeek | typeof tries.sharedAt) =>
      sql`case when ${isOlder} then null else ${column} end`
    await tx
      .update(tries)
      .set({
        removedAt: at,
        outcome: keep(tries.outcome),
        minutesPerWeek: keep(tries.minutesPerWeek),
        sharedAt: keep(tries.sharedAt),
        note: sql`case when ${isOlder} then '' else ${tries.note} end`,
        answeredAt: sql`case when ${isOlder} then null else ${tries.answeredAt} end`,
      })
      .where(and(own, notRemovedSince(at)))
    await tx
      .delete(tryDays)
      .where(
        and(
          eq(tryDays.userId, who.userId),
          eq(tryDays.kind, input.kind),
          eq(tryDays.itemId, input.id),
          lte(tryDays.at, at),
        ),
      )
  })

/** The reader copied a prompt or asked for a reminder. The first time counts. @throws AppError not_found */
export const startTry = (deps: TryDeps, who: Principal, input: z.output<typeof startTryCall.input>) =>
  change(deps, who, input, { onlyPublished: true }, async (tx, own, at) => {
    await tx
      .update(tries)
      .set({ startedAt: at })
      .where(and(own, gt(tries.startedAt, at)))
  })

const notRemovedSince = (at: Date) => or(isNull(tries.removedAt), lt(tries.removedAt, at))

/** Changes the reader's row of an item, which is created if necessary, and recounts the item. */
async function change(
  deps: TryDeps,
  { userId }: Principal,
  { kind, id, at: given }: TriedItem & { at: string },
  { onlyPublished }: { onlyPublished: boolean },
  apply: (tx: Tx, own: ReturnType<typeof ownTry>, at: Date) => Promise<void>,
): Promise<TryState> {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    // Locks the user against a concurrent deletion, which would violate the foreign key.
    const [user] = await tx.select({ since: users.createdAt }).from(users).where(eq(users.id, userId)).for('key share')
    const [item] = await tx
      .select({ since: contentItems.publishedAt, removedAt: contentItems.removedAt })
      .from(contentItems)
      .where(and(eq(contentItems.kind, kind), eq(contentItems.id, id)))
    if (!user || !item || (onlyPublished && item.removedAt)) throw new AppError('not_found')
    // A device's clock may be wrong: nothing happens in the future, or before the item and the account existed.
    const earliest = Math.min(Math.max(user.since.getTime(), item.since.getTime()), now.getTime())
    const at = new Date(Math.min(Math.max(Date.parse(given), earliest), now.getTime()))
    const [started] = await tx
      .insert(tries)
      .values({ userId, kind, itemId: id, startedAt: at })
      .onConflictDoNothing()
      .returning({ userId: tries.userId })
    if (started && onlyPublished) await recordSeriesEvent(tx, 'tried', userId, now)
    await apply(tx, ownTry(userId, { kind, id }), at)
    await countAnswers(tx, deps.config, { kind, id }, now)
    return readState(tx, userId, { kind, id })
  })
}

const ownTry = (userId: string, { kind, id }: TriedItem) =>
  and(eq(tries.userId, userId), eq(tries.kind, kind), eq(tries.itemId, id))
