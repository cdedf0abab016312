import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { customFieldValues } from '#server/db/schema/index.ts'
import type { ExportParts, Feature } from '#server/feature.ts'
import { fieldValueCell } from '#shared/domain/custom-fields.ts'
import { customFieldsCalls } from './custom-fields.calls.ts'
import { readCustomFields } from './read-custom-fields.ts'

const exportedData: ExportParts = {
  customFields: {
    tables: ['public.custom_field_values'],
    read: async (tx, userId) => {
      const [row] = await tx.select().from(customFieldValues).where(eq(customFieldValues.userId, userId))
      if (!row) return []
      return (await readCustomFields(tx)).flatMap((field) => {
        const value = row.values[field.id]
        return value === undefined ? [] : [{ question: field.label, answer: fieldValueCell(field, value) }]
      })
    },
  },
}

async function deleteFieldValues(tx: Tx, userId: string): Promise<void> {
  await tx.delete(customFieldValues).where(eq(customFieldValues.userId, userId))
}

export const customFieldsFeature: Feature = {
  calls: customFieldsCalls,
  onAccountDeleted: deleteFieldValues,
  onProfileReset: deleteFieldValues,
  exportedData,
}
