import { z } from 'zod'
import {
  type CustomField,
  type CustomFieldKind,
  type FieldValue,
  maxFieldNumber,
  maxFieldTextLength,
  maxStoredOptions,
} from './custom-fields.ts'
import { formatDay } from './format.ts'
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

const maxPower = Math.round(Math.log10(maxFieldNumber))

/** Parts of a range of values: every value with one of `inside` is in the range, and those with one of `edge` can be. */
export type RangeParts = { inside: string[]; edge: string[] }

/** Every number between the bounds has one of the parts. */
export function numberRangeParts(min: number | null, max: number | null): RangeParts {
  const parts: RangeParts = { inside: [], edge: [] }
  const [from, to] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  // A part excludes the bound that is farther from zero.
  const touches = (low: number, high: number) =>
    (low < 0 ? low < to : low <= to) && (high > 0 ? high > from : high >= from)
  const contains = (low: number, high: number) => from <= low && to >= high
  const add = (name: string, low: number, high: number) => {
    if (touches(low, high)) parts[contains(low, high) ? 'inside' : 'edge'].push(name)
  }
  add('0', -1, 1)
  for (const sign of [1, -1] as const) {
    for (let power = 0; power <= maxPower; power += 1) {
      const bounds = (low: number, high: number): [number, number] =>
        sign === 1 ? [low * 10 ** power, high * 10 ** power] : [-high * 10 ** power, -low * 10 ** power]
      const name = `${sign === 1 ? '+' : '-'}${power}`
      if (contains(...bounds(1, 10))) parts.inside.push(name)
      else for (let digit = 1; digit <= 9; digit += 1) add(`${name}.${digit}`, ...bounds(digit, digit + 1))
    }
  }
  return parts
}

/** More years make the lookup slower than the members it leaves out. */
const maxYears = 60
const pad = (number: number, width: number) => String(number).padStart(width, '0')

/** Every day between the bounds has one of the parts, which are months and years; null if they are too many. */
export function dayRangeParts(from: string | null, to: string | null): RangeParts | null {
  if (from === null || to === null) return null
  const parts: RangeParts = { inside: [], edge: [] }
  const [firstYear, lastYear] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))]
  if (lastYear - firstYear > maxYears) return null
  for (let year = firstYear; year <= lastYear; year += 1) {
    const name = pad(year, 4)
    if (from <= `${name}-01-01` && to >= `${name}-12-31`) parts.inside.push(name)
    else {
      for (const month of monthsOf(name)) {
        // No month has a day after the 31st.
        if (`${month}-31` < from || `${month}-01` > to) continue
        parts[from <= `${month}-01` && to >= lastDayOf(month) ? 'inside' : 'edge'].push(month)
      }
    }
  }
  return parts
}

const monthsOf = (year: string) => Array.from({ length: 12 }, (_, at) => `${year}-${pad(at + 1, 2)}`)

const lastDayOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate()}`
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
