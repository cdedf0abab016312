import { eq } from 'drizzle-orm'
import { customFieldValues } from '#server/db/schema/index.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { fieldValueCell } from '#shared/domain/custom-fields.ts'
import { customFieldsCalls } from './custom-fields.calls.ts'
import { readCustomFields } from './read-custom-fields.ts'

const exportedData: PersonReaders = {
  customFields: async (tx, userId) => {
    const [row] = await tx.select().from(customFieldValues).where(eq(customFieldValues.userId, userId))
    if (!row) return []
    return (await readCustomFields(tx)).flatMap((field) => {
      const value = row.values[field.id]
      return value === undefined ? [] : [{ question: field.label, answer: fieldValueCell(field, value) }]
    })
  },
}

export const customFieldsFeature: Feature = {
  calls: customFieldsCalls,
  onProfileReset: async (tx, userId) => {
    await tx.delete(customFieldValues).where(eq(customFieldValues.userId, userId))
  },
  exportedData,
}
