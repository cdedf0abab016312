import type { Db } from '#server/db/database.ts'
import { customField } from '#server/db/schema/index.ts'
import { writeFieldValues } from '#server/features/reader/custom-fields/field-values.ts'
import { asCustomField } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { CustomField, FieldValue } from '#shared/domain/custom-fields.ts'

const now = new Date('2026-11-21T10:20:30Z')

/** Stores a field without the call. */
export async function addField(db: Db, values: Partial<typeof customField.$inferInsert> = {}): Promise<CustomField> {
  const row = {
    id: 1,
    key: 'shop_size',
    label: 'Shop size',
    kind: 'choice',
    options: [
      { key: 'small', label: 'Small shop', retired: false },
      { key: 'large', label: '=Large shop', retired: false },
    ],
    asked: 'account',
    position: values.id ?? 1,
    createdAt: now,
    updatedAt: now,
    ...values,
  }
  const [stored] = await db.insert(customField).values(row).returning()
  if (!stored) throw new Error('The field is missing')
  return asCustomField(stored)
}

export const setValue = (db: Db, userId: string, field: CustomField, value: FieldValue | null) =>
  db.transaction((tx) => writeFieldValues(tx, [{ userId, changes: [{ field, value }] }], now))
