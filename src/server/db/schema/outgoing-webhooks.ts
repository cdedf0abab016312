import { sql } from 'drizzle-orm'
import { bigint, bigserial, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Addresses that get events. */
export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  events: text('events').array().notNull(),
  /** Encrypted with the server's secret. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Signs too until `formerSecretUntil`, so that the receiver has time to change it. */
  formerSealedSecret: text('former_sealed_secret'),
  formerSecretUntil: instant('former_secret_until'),
  createdAt: instant('created_at').notNull(),
  /** Set by an owner, or automatically with a reason. */
  disabledAt: instant('disabled_at'),
  /** `failures` or `gone` if disabled automatically. */
  disabledReason: text('disabled_reason'),
})

/** Written by triggers in the transaction of the change, only while an endpoint wants the event. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    type: text('type').notNull(),
    /** Id of the member, drop or mailing. */
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('webhook_events_subject_idx').on(t.subject), index('webhook_events_created_at_idx').on(t.createdAt)],
)

/** One event for one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** `pending`, `succeeded` or `failed`. */
    status: text('status').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** Null once finished. While an attempt runs, when another node may take it over. */
    nextAttemptAt: instant('next_attempt_at').default(sql`'epoch'::timestamptz`),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_event_id_endpoint_id_key').on(t.eventId, t.endpointId),
    index('webhook_deliveries_endpoint_id_id_idx').on(t.endpointId, t.id.desc()),
    index('webhook_deliveries_next_attempt_at_idx').on(t.nextAttemptAt),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    deliveryId: bigint('delivery_id', { mode: 'number' })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    /** HTTP status; null if there was no answer. */
    status: integer('status'),
    /** The beginning of the answer, or why there was none. */
    excerpt: text('excerpt').notNull(),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [index('webhook_attempts_delivery_id_idx').on(t.deliveryId)],
)
