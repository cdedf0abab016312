import { type AnyPgColumn, customType, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ContentKind } from '#shared/domain/content-items.ts'

export const instant = (name: string) => timestamp(name, { withTimezone: true })

/** The row that this one belongs to, and is deleted with. */
export const partOf = (name: string, id: () => AnyPgColumn) =>
  uuid(name).notNull().references(id, { onDelete: 'cascade' })

/** When and by which member of the staff a row was made; null for none. */
export const created = () => ({
  createdAt: instant('created_at').notNull(),
  createdBy: text('created_by'),
  createdById: uuid('created_by_id'),
})

/** The same of the last change. */
export const updated = () => ({
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** The columns that reference a row of `content_items`. */
export const itemColumns = () => ({
  kind: text('kind').$type<ContentKind>().notNull(),
  itemId: text('item_id').notNull(),
})

export const bytea = customType<{ data: Uint8Array<ArrayBuffer> }>({
  dataType: () => 'bytea',
  // PGlite returns a Uint8Array, pg a Buffer on a shared pool: copy both to a plain array.
  fromDriver: (value) => Uint8Array.from(value as Uint8Array),
  toDriver: (value) => Buffer.from(value),
})
