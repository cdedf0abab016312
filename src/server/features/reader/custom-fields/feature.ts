import { eq } from 'drizzle-orm'
import { customFieldValues } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/custom-fields.ts'
import { fieldValueCell } from '#shared/domain/custom-fields.ts'
import { readMemberFields, readOwnFields, saveOwnFields, setMemberFields } from './field-values.ts'
import { countFieldUse, listStoredFields, readCustomFields } from './read-custom-fields.ts'
import { orderCustomFields, retireCustomField, saveCustomField } from './save-custom-field.ts'

function customFieldsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(contracts.customFieldsCall, ({ at }, who) => readOwnFields(db, who.userId, at)),
    implement(contracts.saveCustomFieldsCall, ({ answers }, who) => saveOwnFields(deps, who.userId, answers)),
    implement(contracts.adminCustomFieldsCall, () => listStoredFields(db)),
    implement(contracts.adminSaveCustomFieldCall, async (field, who) => {
      await saveCustomField(deps, who, field)
      return listStoredFields(db)
    }),
    implement(contracts.adminRetireCustomFieldCall, async (change, who) => {
      await retireCustomField(deps, who, change)
      return listStoredFields(db)
    }),
    implement(contracts.adminOrderCustomFieldsCall, async ({ ids }, who) => {
      await orderCustomFields(deps, who, ids)
      return listStoredFields(db)
    }),
    implement(contracts.adminCustomFieldUseCall, ({ id }) => countFieldUse(db, id)),
    implement(contracts.adminMemberFieldsCall, ({ userId }) => readMemberFields(db, userId)),
    implement(contracts.adminSetMemberFieldsCall, (change, who) => setMemberFields(deps, who, change)),
  ]
}

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
