import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Keys of the public API. Only a hash of each key is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** The first characters, by which people recognize a key. */
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    scopes: text('scopes').array().notNull(),
    /** Display name of the owner who created it. */
    createdBy: text('created_by').notNull(),
    createdById: uuid('created_by_id'),
    createdAt: instant('created_at').notNull(),
    /** Null for a key that doesn't expire. */
    expiresAt: instant('expires_at'),
    /** To the minute. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [uniqueIndex('api_keys_key_hash_key').on(t.keyHash), index('api_keys_created_by_id_idx').on(t.createdById)],
)

/** Answers to writes with an `Idempotency-Key`, for a day. */
export const apiRequests = pgTable(
  'api_requests',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    idempotencyKey: text('idempotency_key').notNull(),
    /** Hash of method, path and body. */
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is running. */
    answer: jsonb('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.idempotencyKey] }), index('api_requests_created_at_idx').on(t.createdAt)],
)
