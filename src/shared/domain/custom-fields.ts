import { z } from 'zod'
import { formatDay } from './format-days-and-lists.ts'

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

/** One line without control characters. */
export const fieldLine = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) =>
      text
        .toWellFormed()
        .normalize('NFC')
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(max, tooLong))

const textSchema = fieldLine(maxFieldTextLength, `Use at most ${maxFieldTextLength} characters`)
const daySchema = z.iso.date().refine((day) => day >= '1000')

type ReadValue = { value: FieldValue | null } | { problem: string }

/**
 * Checks what someone entered. An empty text or list is no value. Options that are retired are accepted only if they are
 * among `kept`, which the member chose earlier.
 */
export function readFieldValue(field: CustomField, given: unknown, kept: FieldValue | null = null): ReadValue {
  const problem = (text: string) => ({ problem: `${field.label}: ${text}` })
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0)) return { value: null }
  switch (field.kind) {
    case 'text': {
      const text = textSchema.safeParse(given)
      if (!text.success) return problem(`use a text of at most ${maxFieldTextLength} characters.`)
      return { value: text.data || null }
    }
    case 'number':
      if (typeof given !== 'number' || !(Math.abs(given) <= maxFieldNumber)) {
        return problem(`enter a number up to ${maxFieldNumber.toLocaleString('en-US')}.`)
      }
      return { value: Object.is(given, -0) ? 0 : given }
    case 'date': {
      const day = daySchema.safeParse(given)
      return day.success ? { value: day.data } : problem('enter a date.')
    }
    case 'yes_no':
      return typeof given === 'boolean' ? { value: given } : problem('choose yes or no.')
    case 'choice':
    case 'choices': {
      const keys = new Set(Array.isArray(given) ? given : [given])
      const keptKeys = Array.isArray(kept) ? kept : [kept]
      const chosen = field.options.filter(({ key }) => keys.has(key))
      const isOffered = chosen.every(({ key, retired }) => !retired || keptKeys.includes(key))
      if (chosen.length !== keys.size || !isOffered) return problem('choose one of the options.')
      if (field.kind === 'choices') return { value: chosen.map(({ key }) => key) }
      return chosen.length === 1 && chosen[0] ? { value: chosen[0].key } : problem('choose one option.')
    }
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

/** As `fieldValueText`, with days as YYYY-MM-DD, for files. */
export const fieldValueCell = (field: CustomField, value: FieldValue | null | undefined): string =>
  field.kind === 'date' && typeof value === 'string' ? value : fieldValueText(field, value)

/** Words of a text as the filter finds them. */
export const fieldWords = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map((word) => word.slice(0, 40)),
  ),
]

/** Whether someone has a value. */
export const filledToken = (id: number): string => `f${id}`
export const valueToken = (id: number, part: string): string => `f${id}:${part}`

/** The power of ten and the first digit of a number, such as "+3" and "+3.4" for 4,200. */
function numberParts(value: number): [string, string] {
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : '+'
  if (size < 1) return ['0', '0.0']
  const [digits = '', power = '0'] = size.toExponential().split('e')
  return [`${sign}${Number(power)}`, `${sign}${Number(power)}.${digits[0]}`]
}

/** What the index on members is asked for; `customFieldSql` selects by them. */
export function fieldTokens(id: number, kind: CustomFieldKind, value: FieldValue): string[] {
  const of = (parts: readonly string[]) => [filledToken(id), ...parts.map((part) => valueToken(id, part))]
  if (typeof value === 'boolean') return of([value ? 'yes' : 'no'])
  if (typeof value === 'number') return of(numberParts(value))
  if (Array.isArray(value)) return of(value)
  if (kind === 'date') return of([value.slice(0, 4), value.slice(0, 7)])
  return kind === 'text' ? of(fieldWords(value)) : of([value])
}

const maxPower = Math.log10(maxFieldNumber)

/** Parts of which every number between the bounds has one. */
export function numberRangeParts(min: number | null, max: number | null): string[] {
  const [from, to] = [min ?? -maxFieldNumber, max ?? maxFieldNumber]
  const powers = Array.from({ length: Math.round(maxPower) + 1 }, (_, power) => power)
  const touches = (low: number, high: number) => low <= to && high >= from
  const ofSign = (sign: 1 | -1) =>
    powers.flatMap((power) => {
      const bounds = (low: number, high: number): [number, number] =>
        sign === 1 ? [low * 10 ** power, high * 10 ** power] : [-high * 10 ** power, -low * 10 ** power]
      const [low, high] = bounds(1, 10)
      const name = `${sign === 1 ? '+' : '-'}${power}`
      if (!touches(low, high)) return []
      if (from <= low && to >= high) return [name]
      return [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) =>
        touches(...bounds(digit, digit + 1)) ? [`${name}.${digit}`] : [],
      )
    })
  return [...ofSign(-1), ...(touches(-1, 1) ? ['0'] : []), ...ofSign(1)]
}

/** More months make the lookup slower than the members it leaves out. */
const maxMonths = 24
const maxYears = 60

/** Months or years of which every day between the bounds has one; null if they are too many. */
export function dayRangeParts(from: string | null, to: string | null): string[] | null {
  if (from === null || to === null) return null
  const month = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  const [first, last] = [month(from), month(to)]
  const pad = (number: number, width: number) => String(number).padStart(width, '0')
  if (last - first < maxMonths) {
    return Array.from(
      { length: last - first + 1 },
      (_, at) => `${pad(Math.floor((first + at) / 12), 4)}-${pad(((first + at) % 12) + 1, 2)}`,
    )
  }
  const [firstYear, lastYear] = [Math.floor(first / 12), Math.floor(last / 12)]
  if (lastYear - firstYear > maxYears) return null
  return Array.from({ length: lastYear - firstYear + 1 }, (_, at) => pad(firstYear + at, 4))
}

const fieldId = z.number().int().positive().max(1_000_000)
const bound = z.number().min(-maxFieldNumber).max(maxFieldNumber).nullable()

/** A condition of a members' filter, by one field. */
export const fieldConditionSchema = z.union([
  z.strictObject({ field: fieldId, filled: z.boolean() }),
  /** Keys of options, or "yes" and "no". */
  z.strictObject({ field: fieldId, anyOf: z.array(z.string().max(60)).min(1).max(maxStoredOptions) }),
  z.strictObject({
    field: fieldId,
    words: z
      .string()
      .trim()
      .max(maxFieldTextLength)
      .refine((text) => fieldWords(text).length > 0, 'Enter a word'),
  }),
  z
    .strictObject({ field: fieldId, min: bound, max: bound })
    .refine(({ min, max }) => min !== null || max !== null, 'Enter a number')
    .refine(({ min, max }) => min === null || max === null || min <= max, 'The smaller number comes first'),
  z
    .strictObject({ field: fieldId, from: daySchema.nullable(), to: daySchema.nullable() })
    .refine(({ from, to }) => from || to, 'Choose a date')
    .refine(({ from, to }) => !(from && to) || from <= to, 'The first day is after the last'),
])
export type FieldCondition = z.output<typeof fieldConditionSchema>

/** Returns true if a member's value meets the condition; `undefined` for no value. */
export function matchesFieldCondition(value: FieldValue | undefined, condition: FieldCondition): boolean {
  if ('filled' in condition) return (value !== undefined) === condition.filled
  if (value === undefined) return false
  if ('anyOf' in condition) {
    const keys = typeof value === 'boolean' ? [value ? 'yes' : 'no'] : Array.isArray(value) ? value : [value]
    return keys.some((key) => typeof key === 'string' && condition.anyOf.includes(key))
  }
  if ('words' in condition) {
    const words = typeof value === 'string' ? fieldWords(value) : []
    return fieldWords(condition.words).every((word) => words.includes(word))
  }
  if ('min' in condition) {
    return (
      typeof value === 'number' &&
      (condition.min === null || value >= condition.min) &&
      (condition.max === null || value <= condition.max)
    )
  }
  return (
    typeof value === 'string' &&
    (condition.from === null || value >= condition.from) &&
    (condition.to === null || value <= condition.to)
  )
}

/** A condition in words, such as "Shop size: Small or Large". */
export function fieldConditionText(condition: FieldCondition, fields: readonly CustomField[]): string {
  const field = fields.find(({ id }) => id === condition.field)
  const label = field?.label ?? `Field ${condition.field}`
  if ('filled' in condition) return condition.filled ? `${label}: answered` : `${label}: not answered`
  if ('anyOf' in condition) {
    const names = condition.anyOf.map(
      (key) => field?.options.find((option) => option.key === key)?.label ?? { yes: 'Yes', no: 'No' }[key] ?? key,
    )
    return `${label}: ${names.join(' or ')}`
  }
  if ('words' in condition) return `${label}: “${condition.words}”`
  if ('min' in condition) {
    const { min, max } = condition
    if (min !== null && max !== null) return min === max ? `${label}: ${min}` : `${label}: ${min} to ${max}`
    return min !== null ? `${label}: ${min} or more` : `${label}: up to ${max}`
  }
  const { from, to } = condition
  if (from && to)
    return from === to ? `${label}: ${formatDay(from)}` : `${label}: ${formatDay(from)} to ${formatDay(to)}`
  return from ? `${label}: from ${formatDay(from)}` : `${label}: until ${formatDay(to ?? '')}`
}

/** A retired option says so. */
export const optionText = ({ label, retired }: CustomFieldOption): string => (retired ? `${label} (retired)` : label)
