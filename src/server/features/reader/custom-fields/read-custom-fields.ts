import { asc, eq, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { customField, customFieldValues } from '#server/db/schema/index.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { maxCountedValues, type StoredCustomField } from '#shared/contracts/reader/custom-fields.ts'
import type { CustomField, CustomFieldKind, CustomFieldPlace, FieldValues } from '#shared/domain/custom-fields.ts'
import { filledToken, valueToken } from '#shared/domain/field-conditions.ts'
import { AppError } from '#shared/errors.ts'

export type CustomFieldRow = typeof customField.$inferSelect

export const readFieldRows = (db: Db | Tx): Promise<CustomFieldRow[]> =>
  db.select().from(customField).orderBy(asc(customField.position), asc(customField.id))

export const asCustomField = (row: CustomFieldRow): CustomField => ({
  id: row.id,
  key: row.key,
  label: row.label,
  help: row.help,
  kind: row.kind as CustomFieldKind,
  options: row.options,
  asked: row.asked as CustomFieldPlace,
  required: row.required,
  retired: row.retiredAt !== null,
})

/** All fields in the publisher's order, retired ones included. */
export const readCustomFields = async (db: Db | Tx): Promise<CustomField[]> =>
  (await readFieldRows(db)).map(asCustomField)

export const readUsedFields = async (db: Db | Tx): Promise<CustomField[]> =>
  (await readCustomFields(db)).filter(({ retired }) => !retired)

export async function readFieldValues(db: Db | Tx, userId: string): Promise<FieldValues> {
  const [row] = await db.select().from(customFieldValues).where(eq(customFieldValues.userId, userId))
  return row?.values ?? {}
}

/** All fields as owners edit them. */
export async function listStoredFields(db: Db): Promise<{ items: StoredCustomField[] }> {
  const [rows, editors] = await Promise.all([
    readFieldRows(db),
    db
      .select({ id: customField.id, label: editorLabel(customField.updatedBy, customField.updatedById) })
      .from(customField),
  ])
  return {
    items: rows.map((row) => ({
      ...asCustomField(row),
      version: row.version,
      retiredAt: row.retiredAt?.toISOString() ?? null,
      updatedAt: row.updatedAt.toISOString(),
      updatedBy: editors.find(({ id }) => id === row.id)?.label ?? null,
    })),
  }
}

/** Counts up to a limit, so that a count costs no more than reading so many rows. @throws AppError not_found */
export async function countFieldUse(db: Db, id: number) {
  const field = (await readCustomFields(db)).find((each) => each.id === id)
  if (!field) throw new AppError('not_found')
  const count = async (token: string) => {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::int as count from (select 1 from member_facts f
        where f.field_tokens && array[${token}::text] limit ${maxCountedValues + 1}) counted`,
    )
    return row?.count ?? 0
  }
  const options: Record<string, number> = {}
  for (const { key } of field.options) options[key] = await count(valueToken(id, key))
  return { members: await count(filledToken(id)), options }
}
