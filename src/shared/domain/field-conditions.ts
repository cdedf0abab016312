import { z } from 'zod'
import {
  type CustomField,
  type CustomFieldKind,
  type FieldValue,
  maxFieldNumber,
  maxFieldTextLength,
  maxStoredOptions,
} from './custom-fields.ts'
import { formatDay } from './format-days-and-lists.ts'
import { fieldDaySchema } from './read-field-value.ts'

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

/** True if someone has a value. */
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

/** Tokens that the index on members is asked for; `customFieldSql` selects by them. */
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
    .strictObject({ field: fieldId, from: fieldDaySchema.nullable(), to: fieldDaySchema.nullable() })
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
