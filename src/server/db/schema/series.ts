import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { userId } from './auth.ts'
import { created, instant, partOf } from './columns.ts'

/** Emails and other steps that follow up by themselves on what members do. */
export const series = pgTable('series', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** `off` until it is turned on, then `on` or `paused`. */
  status: text('status').notNull(),
  /** What `seriesTriggerSchema` parses. */
  trigger: jsonb('trigger').notNull(),
  /** What `storedStepsSchema` parses. Contains deleted steps too, so that those who wait in one keep their place. */
  steps: jsonb('steps').notNull(),
  /** A member filter. Members who match leave before their next step. Null: no one leaves early. */
  leavesWhen: jsonb('leaves_when'),
  /** A member who finished or left can enter again so many days after they entered. Null: never. */
  reentryDays: integer('reentry_days'),
  version: integer('version').notNull().default(1),
  /** Facts from before this time don't count. Null while `off`. */
  turnedOnAt: instant('turned_on_at'),
  /** For triggers that come with time: up to here, members were looked for. For a segment: when it was last compared. */
  scannedUntil: instant('scanned_until'),
  /**
   * Names the segment whose members `series_segment_member` has, with its filter. If it differs from the trigger's, they
   * are stored again and no one enters.
   */
  segmentVersion: text('segment_version'),
  ...created(),
  updatedAt: instant('updated_at').notNull(),
})

const seriesId = () => partOf('series_id', () => series.id)

/** A member's way through a series. */
export const seriesEntry = pgTable(
  'series_entry',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    seriesId: seriesId(),
    userId: userId(),
    /** 1, and one more each time the member enters again. */
    round: smallint('round').notNull().default(1),
    enteredAt: instant('entered_at').notNull(),
    /** The step that the member waits in, or left in. Null before the first and after the last. */
    stepId: uuid('step_id'),
    /** When the next step is due. Null once the member finished or left. */
    dueAt: instant('due_at'),
    endedAt: instant('ended_at'),
    /** A `SeriesEnd`. */
    endReason: text('end_reason'),
  },
  (t) => [
    uniqueIndex('series_entry_series_id_user_id_round_key').on(t.seriesId, t.userId, t.round),
    // The minute's work reads what is due from the start of this index, however many wait.
    index('series_entry_due_idx').on(t.seriesId, t.dueAt, t.id).where(sql`due_at is not null`),
    index('series_entry_waiting_idx').on(t.seriesId, t.stepId, t.id).where(sql`due_at is not null`),
    index('series_entry_ended_idx').on(t.seriesId, t.endReason, t.stepId, t.id).where(sql`ended_at is not null`),
    index('series_entry_user_id_idx').on(t.userId),
  ],
)

/** Results of steps by member. The key makes each step happen once. */
export const seriesStepResult = pgTable(
  'series_step_result',
  {
    entryId: bigint('entry_id', { mode: 'number' })
      .notNull()
      .references(() => seriesEntry.id, { onDelete: 'cascade' }),
    stepId: uuid('step_id').notNull(),
    /** A `StepOutcome`. */
    outcome: text('outcome').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.entryId, t.stepId] }),
    index('series_step_result_step_idx').on(t.stepId, t.outcome, t.entryId),
  ],
)

/** The mailings that send a step's email: one for each version of its text and each round. */
export const seriesMailing = pgTable(
  'series_mailing',
  {
    mailingId: uuid('mailing_id').primaryKey(),
    seriesId: seriesId(),
    stepId: uuid('step_id').notNull(),
    round: smallint('round').notNull(),
    /** Hash of the content that it sends, and of the newsletter. */
    contentHash: text('content_hash').notNull(),
  },
  (t) => [index('series_mailing_series_id_step_id_idx').on(t.seriesId, t.stepId)],
)

/** Facts that may make a member enter a series, written in their transaction while a series waits for them. */
export const seriesEvent = pgTable(
  'series_event',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Kind of a `SeriesTrigger`. */
    kind: text('kind').notNull(),
    userId: userId(),
    at: instant('at').notNull(),
    /** The only series that it's about; null for all with this trigger. */
    seriesId: uuid('series_id'),
    /** True if a step of a series made it happen. Such an event lets no one enter a second time. */
    bySeries: boolean('by_series').notNull().default(false),
  },
  (t) => [index('series_event_user_id_idx').on(t.userId)],
)

/** Members of the segment that a series waits for, as of the last look. */
export const seriesSegmentMember = pgTable('series_segment_member', { seriesId: seriesId(), userId: userId() }, (t) => [
  primaryKey({ columns: [t.seriesId, t.userId] }),
  index('series_segment_member_user_id_idx').on(t.userId),
])
