import { formatDay } from './format.ts'

/*
 * Fields that the publisher adds to members. `custom_field` stores them; values are stored by the field's id, which never
 * changes, so that a field and its options can be renamed at any time.
 */

export const customFieldKinds = {
  text: 'Text',
  choice: 'One choice',
  choices: 'Several choices',
  number: 'Number',
  date: 'Date',
  yes_no: 'Yes or no',
} as const
export type CustomFieldKind = keyof typeof customFieldKinds

export const customFieldPlaces = {
  sign_up: 'At sign-up and on the account page',
  account: 'On the account page',
  never: 'Never, staff only',
} as const
export type CustomFieldPlace = keyof typeof customFieldPlaces

/** Fields that aren't retired. Each adds to what is stored about every member. */
export const maxCustomFields = 50
/** Including retired ones, which are kept with their values. */
export const maxStoredCustomFields = 200
export const maxOptions = 50
/** Including retired ones. */
export const maxStoredOptions = 200
export const maxFieldLabelLength = 60
export const maxFieldHelpLength = 200
export const maxFieldTextLength = 200
/** Numbers are between this and its negative. */
export const maxFieldNumber = 1_000_000_000_000

export type CustomFieldOption = {
  /** Made from the first label; never changes. */
  key: string
  label: string
  /** No longer offered. Members who chose it keep it. */
  retired: boolean
}

export type CustomField = {
  id: number
  /** For merge fields, the API and exports. Made from the first label; never changes. */
  key: string
  label: string
  help: string
  kind: CustomFieldKind
  options: CustomFieldOption[]
  asked: CustomFieldPlace
  /** A member can't save their answers without this one. */
  required: boolean
  retired: boolean
}

/** Text, the key of an option, a day as YYYY-MM-DD, keys of options, a number, or yes as true. */
export type FieldValue = string | string[] | number | boolean
/** By field id. */
export type FieldValues = Record<string, FieldValue>

export const hasOptions = (kind: CustomFieldKind): boolean => kind === 'choice' || kind === 'choices'

/** Words of merge fields, exports and imports that mean something else. */
const reservedKeys: ReadonlySet<string> = new Set([
  ...[
    'first_name',
    'last_name',
    'name',
    'email',
    'email_address',
    'focus_areas',
    'ai_level',
    'franchise_type',
    'goals',
  ],
  ...['id', 'joined', 'status', 'plan', 'tags', 'note', 'notes', 'locations', 'unsubscribe'],
])

/** Lowercase letters, digits and underscores; empty if the text has none. */
export const keyOfLabel = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '')

export const isReservedLabel = (label: string): boolean => reservedKeys.has(keyOfLabel(label))

/** A key that isn't taken, such as "shop_size" or "shop_size_2". */
export function newKey(label: string, taken: readonly string[], otherwise: string): string {
  const base = keyOfLabel(label) || otherwise
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`
    if (!taken.includes(key)) return key
  }
}

/** How a value reads in emails, exports and on pages. */
export function fieldValueText(
  field: Pick<CustomField, 'kind' | 'options'>,
  value: FieldValue | null | undefined,
): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (field.kind === 'date' && typeof value === 'string') return formatDay(value)
  if (!hasOptions(field.kind)) return String(value)
  const keys = Array.isArray(value) ? value : [value]
  return keys.map((key) => field.options.find((option) => option.key === key)?.label ?? key).join(', ')
}

/** Like `fieldValueText`, with days as YYYY-MM-DD, for files. */
export const fieldValueCell = (field: CustomField, value: FieldValue | null | undefined): string =>
  field.kind === 'date' && typeof value === 'string' ? value : fieldValueText(field, value)

/** A retired option says so. */
export const optionText = ({ label, retired }: CustomFieldOption): string => (retired ? `${label} (retired)` : label)

/** Values in words, by the keys of their fields. */
export const fieldTexts = (fields: readonly CustomField[], values: FieldValues): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = fieldValueText(field, values[field.id])
      return text === '' ? [] : [[field.key, text]]
    }),
  )
