import { z } from 'zod'
import { type CustomField, type FieldValue, maxFieldNumber, maxFieldTextLength } from './custom-fields.ts'
import { directionOverrides } from './direction-overrides.ts'

/** One line without control characters and overrides of the text direction. */
export const fieldLine = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) =>
      text
        .toWellFormed()
        .normalize('NFC')
        .replaceAll(directionOverrides, '')
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(max, tooLong))

const textSchema = fieldLine(maxFieldTextLength, `Use at most ${maxFieldTextLength} characters`)
export const fieldDaySchema = z.iso.date().refine((day) => day >= '1000')

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
      const day = fieldDaySchema.safeParse(given)
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
