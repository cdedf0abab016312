import { eq } from 'drizzle-orm'
import { customFieldValues } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminCustomFieldsCall,
  adminCustomFieldUseCall,
  adminMemberFieldsCall,
  adminOrderCustomFieldsCall,
  adminRetireCustomFieldCall,
  adminSaveCustomFieldCall,
  adminSetMemberFieldsCall,
  customFieldsCall,
  saveCustomFieldsCall,
} from '#shared/contracts/reader/custom-fields.ts'
import { fieldValueCell } from '#shared/domain/custom-fields.ts'
import { readMemberFields, readOwnFields, saveOwnFields, setMemberFields } from './field-values.ts'
import { countFieldUse, listStoredFields, readCustomFields } from './read-custom-fields.ts'
import { orderCustomFields, retireCustomField, saveCustomField } from './save-custom-field.ts'

function customFieldsCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  return [
    implement(customFieldsCall, ({ at }, who) => readOwnFields(db, who.userId, at)),
    implement(saveCustomFieldsCall, ({ answers }, who) => saveOwnFields(deps, who.userId, answers)),
    implement(adminCustomFieldsCall, () => listStoredFields(db)),
    implement(adminSaveCustomFieldCall, async (field, who) => {
      await saveCustomField(deps, who, field)
      return listStoredFields(db)
    }),
    implement(adminRetireCustomFieldCall, async (change, who) => {
      await retireCustomField(deps, who, change)
      return listStoredFields(db)
    }),
    implement(adminOrderCustomFieldsCall, async ({ ids }, who) => {
      await orderCustomFields(deps, who, ids)
      return listStoredFields(db)
    }),
    implement(adminCustomFieldUseCall, ({ id }) => countFieldUse(db, id)),
    implement(adminMemberFieldsCall, ({ userId }) => readMemberFields(db, userId)),
    implement(adminSetMemberFieldsCall, (change, who) => setMemberFields(deps, who, change)),
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
