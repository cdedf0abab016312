import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CustomFieldOption, FieldValues } from '#shared/domain/custom-fields.ts'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Fields that the publisher added to members. Rows are never deleted, so that no id is used twice. */
export const customField = pgTable('custom_field', {
  id: integer('id').primaryKey(),
  /** Made from the first label; never changes. */
  key: text('key').notNull().unique(),
  label: text('label').notNull(),
  help: text('help').notNull().default(''),
  /** `text`, `choice`, `choices`, `number`, `date` or `yes_no`; never changes. */
  kind: text('kind').notNull(),
  /** Options are retired, never removed. */
  options: jsonb('options').$type<CustomFieldOption[]>().notNull().default([]),
  /** `sign_up`, `account` or `never`. */
  asked: text('asked').notNull(),
  required: boolean('required').notNull().default(false),
  position: integer('position').notNull(),
  retiredAt: instant('retired_at'),
  /** Incremented by every save, which names the version it is based on. */
  version: integer('version').notNull().default(1),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** Members' values of these fields. A trigger copies the tokens to `member_facts`. */
export const customFieldValues = pgTable('custom_field_values', {
  userId: userId().primaryKey(),
  /** By field id. */
  values: jsonb('values').$type<FieldValues>().notNull(),
  /** Made by `fieldTokens`. */
  tokens: text('tokens').array().notNull(),
  updatedAt: instant('updated_at').notNull(),
})
