import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import {
  type CustomFieldKind,
  type CustomFieldPlace,
  customFieldKinds,
  customFieldPlaces,
  maxFieldHelpLength,
  maxFieldLabelLength,
  maxStoredCustomFields,
  maxStoredOptions,
} from '#shared/domain/custom-fields.ts'
import { fieldLine } from '#shared/domain/read-field-value.ts'

const label = fieldLine(maxFieldLabelLength, `Use at most ${maxFieldLabelLength} characters for a name`)
const kind = z.enum(Object.keys(customFieldKinds) as [CustomFieldKind, ...CustomFieldKind[]])
const place = z.enum(Object.keys(customFieldPlaces) as [CustomFieldPlace, ...CustomFieldPlace[]])
const id = z.number().int().positive().max(1_000_000)
const text = z.string()

const optionSchema = z.object({ key: text, label: text, retired: z.boolean() })

/** A field as it is stored; `label` may come from an archive. */
export const customFieldSchema = z.object({
  id,
  key: text,
  label: text,
  help: text,
  kind,
  options: z.array(optionSchema),
  asked: place,
  required: z.boolean(),
  retired: z.boolean(),
})

export const fieldValueSchema = z.union([
  text.max(2_000),
  z.array(text.max(60)).max(maxStoredOptions),
  z.number(),
  z.boolean(),
])

/** Null removes the value. */
const answersSchema = z.array(z.object({ id, value: fieldValueSchema.nullable() })).max(maxStoredCustomFields)
export type FieldAnswers = z.output<typeof answersSchema>

const answeredFieldSchema = customFieldSchema.extend({ value: fieldValueSchema.nullable() })
export type AnsweredField = z.output<typeof answeredFieldSchema>

/** Questions that the publisher asks this member, with the answers so far. */
export const customFieldsCall = defineCall({
  name: 'custom-fields',
  audience: 'user',
  input: z.object({ at: z.enum(['sign_up', 'account']) }),
  output: z.object({ items: z.array(answeredFieldSchema) }),
})

/** Saves a member's own answers. Fields that aren't named stay as they are. */
export const saveCustomFieldsCall = defineCall({
  name: 'save-custom-fields',
  audience: 'user',
  input: z.object({ answers: answersSchema }),
  output: z.object({ items: z.array(answeredFieldSchema) }),
})

const storedFieldSchema = customFieldSchema.extend({
  version: z.number().int(),
  retiredAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
  updatedBy: text.nullable(),
})
export type StoredCustomField = z.output<typeof storedFieldSchema>

const fieldsOutput = z.object({ items: z.array(storedFieldSchema) })

/** All fields in the publisher's order, retired ones included. */
export const adminCustomFieldsCall = defineAdminCall({
  name: 'admin-custom-fields',
  roles: ['owner', 'editor', 'support'],
  input: z.object({}),
  output: fieldsOutput,
})

/**
 * Creates or changes a field. Options that are left out are retired: members who chose one keep it. Fails with
 * `edit_conflict` if someone else has saved the field.
 */
export const adminSaveCustomFieldCall = defineAdminCall({
  name: 'admin-save-custom-field',
  roles: ['owner'],
  input: z.object({
    /** Null for a new field. */
    id: id.nullable(),
    /** The version that was edited; 0 for a new field. */
    version: z.number().int().nonnegative(),
    label: label.refine(Boolean, 'Enter a name'),
    help: fieldLine(maxFieldHelpLength, `Use at most ${maxFieldHelpLength} characters for the help line`),
    /** Ignored for a stored field. */
    kind,
    asked: place,
    required: z.boolean(),
    /** In order, for the kinds that have them. A key of null adds an option. */
    options: z
      .array(
        z.object({ key: z.string().max(60).nullable(), label: label.refine(Boolean, 'Enter the text of each option') }),
      )
      .max(maxStoredOptions),
  }),
  output: fieldsOutput,
})
export type CustomFieldToSave = z.output<typeof adminSaveCustomFieldCall.input>

/** Takes a field out of use, or puts it back. Values stay. */
export const adminRetireCustomFieldCall = defineAdminCall({
  name: 'admin-retire-custom-field',
  roles: ['owner'],
  input: z.object({ id, version: z.number().int(), retired: z.boolean() }),
  output: fieldsOutput,
})

/** Stores the order. Names all fields that aren't retired. */
export const adminOrderCustomFieldsCall = defineAdminCall({
  name: 'admin-order-custom-fields',
  roles: ['owner'],
  input: z.object({ ids: z.array(id).max(maxStoredCustomFields) }),
  output: fieldsOutput,
})

/** Larger counts are shown as "10,000+". */
export const maxCountedValues = 10_000

/** How many members have a value, up to a limit, and how many chose each option. */
export const adminCustomFieldUseCall = defineAdminCall({
  name: 'admin-custom-field-use',
  roles: ['owner'],
  input: z.object({ id }),
  output: z.object({ members: z.number().int(), options: z.record(z.string(), z.number().int()) }),
})

const memberFieldsOutput = z.object({ items: z.array(answeredFieldSchema) })

/** A member's values, with retired fields that have one. */
export const adminMemberFieldsCall = defineAdminCall({
  name: 'admin-member-fields',
  roles: ['owner', 'support'],
  input: z.object({ userId: z.uuid() }),
  output: memberFieldsOutput,
})

/** Sets values of a member. Fields that aren't named stay as they are. */
export const adminSetMemberFieldsCall = defineAdminCall({
  name: 'admin-set-member-fields',
  roles: ['owner', 'support'],
  input: z.object({ userId: z.uuid(), answers: answersSchema }),
  output: memberFieldsOutput,
})
