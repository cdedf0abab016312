import { sql } from 'drizzle-orm'
import { date, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { TriedKind, TryBreakdown } from '#shared/contracts/reader/tries.ts'
import type { TryOutcome } from '#shared/domain/try-outcomes.ts'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'
import { contentItems } from './content-items.ts'

/** Items that a reader is trying or has answered about: one row per reader and item. The answer with the newest `at` wins. */
export const tries = pgTable(
  'tries',
  {
    userId: userId(),
    /** `section` or `prompt`. */
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    /** When the reader first copied it, asked for a reminder, or answered. */
    startedAt: instant('started_at').notNull(),
    /** One of `tryOutcomes`; null before the first answer, and once it is removed. */
    outcome: text('outcome').$type<TryOutcome>(),
    minutesPerWeek: integer('minutes_per_week'),
    /** Plain text. */
    note: text('note').notNull().default(''),
    /** Since when the publisher may read the note; null if it's private. */
    sharedAt: instant('shared_at'),
    /** Time of the answer; null without one. */
    answeredAt: instant('answered_at'),
    /** Answers given until then don't count, even if they arrive later. */
    removedAt: instant('removed_at'),
    /** The outcome that `try_totals` includes; null if it includes none. */
    countedOutcome: text('counted_outcome'),
    /** When the reader was asked how it went. Each item is asked about once. */
    askedAt: instant('asked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId] }),
    foreignKey({ columns: [t.kind, t.itemId], foreignColumns: [contentItems.kind, contentItems.id] }),
    index('tries_item_idx').on(t.kind, t.itemId, t.countedOutcome),
    // Few rows per item, because they are counted as soon as there are enough.
    index('tries_uncounted_idx').on(t.kind, t.itemId).where(sql`outcome is distinct from counted_outcome`),
    index('tries_due_idx').on(t.startedAt).where(sql`answered_at is null and removed_at is null and asked_at is null`),
    index('tries_shared_idx').on(t.sharedAt.desc()).where(sql`shared_at is not null`),
  ],
)

/** The last answer of each day, so that a later change doesn't alter what earlier weeks were worth. */
export const tryDays = pgTable(
  'try_days',
  {
    userId: userId(),
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    /** In the publication's time zone at the time of the answer. */
    day: date('day', { mode: 'string' }).notNull(),
    at: instant('at').notNull(),
    outcome: text('outcome').$type<TryOutcome>().notNull(),
    minutesPerWeek: integer('minutes_per_week'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.itemId, t.day] }),
    foreignKey({
      columns: [t.userId, t.kind, t.itemId],
      foreignColumns: [tries.userId, tries.kind, tries.itemId],
    }).onDelete('cascade'),
  ],
)

/** Published answers per item. They change only when the answers of at least five readers do. */
export const tryTotals = pgTable(
  'try_totals',
  {
    kind: text('kind').$type<TriedKind>().notNull(),
    itemId: text('item_id').notNull(),
    worked: integer('worked').notNull().default(0),
    workedWithChanges: integer('worked_with_changes').notNull().default(0),
    didNotWork: integer('did_not_work').notNull().default(0),
    /** Counted readers who have since deleted their account. */
    gone: integer('gone').notNull().default(0),
    /** For the publisher; null below five answers. */
    breakdown: jsonb('breakdown').$type<TryBreakdown>(),
    countedAt: instant('counted_at'),
  },
  (t) => [primaryKey({ columns: [t.kind, t.itemId] })],
)

/** The hourly wage that a reader enters for the value page. */
export const readerWage = pgTable('reader_wage', {
  userId: userId().primaryKey(),
  /** Per hour, in the currency of our plans; null once removed. */
  cents: integer('cents'),
  at: instant('at').notNull(),
})
