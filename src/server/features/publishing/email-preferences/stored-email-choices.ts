import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { emailPreferences } from '#server/db/schema/index.ts'
import { recordSeriesEvent } from '#server/db/series-event.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { isTimeZone } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { dropsChoices, type EmailChoices } from '#shared/contracts/publishing/email-preferences.ts'
import { type DropTime, parseDropTime } from '#shared/domain/reader-hour.ts'
import { AppError } from '#shared/errors.ts'

export type StoredChoices = EmailChoices & { allowsTracking: boolean }

/** Defaults for users without a saved row. */
const defaultChoices: StoredChoices = {
  drops: 'weekly',
  news: true,
  followUps: true,
  assignments: true,
  replies: 'at-once',
  allowsTracking: false,
}

const defaultDropTime: DropTime = 'usual'

export async function readChoices(db: Db | Tx, userId: string): Promise<StoredChoices> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId))
  if (!row) return defaultChoices
  const drops = dropsChoices.find((choice) => choice === row.drops) ?? defaultChoices.drops
  const { news, followUps, assignments, replies, allowsTracking } = row
  return { drops, news, followUps, assignments, replies, allowsTracking }
}

/** Streams of the publication. Emails about assignments come from the reader's team, replies from other readers, and deadlines are the reader's own. */
const streamsOf = ({ drops, news, followUps }: StoredChoices) => [drops !== 'off', news, followUps]

/**
 * Saves the given choices and keeps the others, and notes when the reader turned a stream off. Returns null if the account
 * no longer exists.
 */
export async function saveChoices(
  tx: Tx,
  userId: string,
  choices: { [Name in keyof StoredChoices]?: StoredChoices[Name] | undefined },
  now: Date,
): Promise<StoredChoices | null> {
  // Locks the user against a concurrent deletion, which would violate the foreign key, and against a second save.
  const [user] = await lockUser(tx, userId)
  if (!user) return null
  const before = await readChoices(tx, userId)
  const given = Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined))
  const after: StoredChoices = { ...before, ...given }
  const unsubscribes = streamsOf(before).some((isOn, index) => isOn && !streamsOf(after)[index])
  const isAllOn = streamsOf(after).every(Boolean)
  const unsubscribedAt = unsubscribes ? now : isAllOn ? null : undefined
  const set = { ...given, updatedAt: now, unsubscribedAt }
  await tx
    .insert(emailPreferences)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: emailPreferences.userId, set })
  return after
}

/** Resets choices to the defaults, but keeps streams that are off, because a reader may have unsubscribed by email link. */
export async function resetEmailChoices(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(emailPreferences)
    .set({
      drops: sql`case when ${emailPreferences.drops} = 'off' then 'off' else ${defaultChoices.drops} end`,
      allowsTracking: defaultChoices.allowsTracking,
      dropTime: String(defaultDropTime),
    })
    .where(eq(emailPreferences.userId, userId))
}

/** When drops reach the reader, and what is known for it. */
export async function readDropTime(db: Db | Tx, userId: string) {
  const [row] = await db
    .select({
      dropTime: emailPreferences.dropTime,
      usualHour: emailPreferences.usualHour,
      timeZone: emailPreferences.timeZone,
    })
    .from(emailPreferences)
    .where(eq(emailPreferences.userId, userId))
  return {
    dropTime: parseDropTime(row?.dropTime ?? '') ?? defaultDropTime,
    usualHour: row?.usualHour ?? null,
    timeZone: row?.timeZone ?? null,
  }
}

/** Saves the choice of someone whose choices are stored. A time zone that isn't known is ignored. */
export async function saveDropTime(
  tx: Tx,
  userId: string,
  { dropTime, timeZone }: { dropTime?: DropTime | undefined; timeZone?: string | undefined },
): Promise<void> {
  const set = {
    ...(dropTime !== undefined && { dropTime: String(dropTime) }),
    ...(timeZone !== undefined && isTimeZone(timeZone) && { timeZone }),
  }
  if (Object.keys(set).length === 0) return
  await tx.update(emailPreferences).set(set).where(eq(emailPreferences.userId, userId))
}

/**
 * Stores the time zone that the reader's browser reports.
 * @throws AppError validation_failed for an unknown one
 */
export async function saveTimeZone(db: Db | Tx, userId: string, timeZone: string, now: Date): Promise<void> {
  if (!isTimeZone(timeZone)) throw new AppError('validation_failed', { message: 'This time zone isn’t known' })
  await db
    .insert(emailPreferences)
    .values({ userId, timeZone, updatedAt: now })
    .onConflictDoUpdate({
      target: emailPreferences.userId,
      set: { timeZone },
      // Reported on each visit; an update that changes nothing would still write a row.
      setWhere: sql`${emailPreferences.timeZone} is distinct from excluded.time_zone`,
    })
}

/** Starts the free edition of someone whose choices are stored, or ends it with null. A second start changes nothing. */
export async function setFreeEdition(tx: Tx, userId: string, since: Date | null): Promise<void> {
  const own = eq(emailPreferences.userId, userId)
  if (since === null) {
    return void (await tx.update(emailPreferences).set({ freeSince: null, freeSource: null }).where(own))
  }
  const started = await tx
    .update(emailPreferences)
    .set({ freeSince: since })
    .where(and(own, isNull(emailPreferences.freeSince)))
    .returning({ userId: emailPreferences.userId })
  if (started.length > 0) await recordSeriesEvent(tx, 'free_sign_up', userId, since)
}
