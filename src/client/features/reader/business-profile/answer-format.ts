import { formatDay } from '#shared/domain/format.ts'
import type { VariableType } from '#shared/domain/variables.ts'

const time = /^(\d{1,2}):(\d{2}) ([ap])\.m\.$/

/** Converts a text of a prompt to the value of a field of the type; empty if the picker can't show it. */
export function toInput(type: VariableType, text: string): string {
  if (type === 'date') {
    const parsed = Date.parse(`${text} UTC`)
    return Number.isNaN(parsed) || formatDay(new Date(parsed)) !== text
      ? ''
      : new Date(parsed).toISOString().slice(0, 10)
  }
  if (type === 'time') {
    const [, hours = '', minutes = '', half] = time.exec(text) ?? []
    return hours && `${String((Number(hours) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`
  }
  return text
}

/** The text of a prompt for what was entered: "Mar 3, 2026", "9:00 p.m." or "$12.50". */
export function toAnswer(type: VariableType, input: string): string {
  if (type === 'date') return /^\d{4,6}-\d\d-\d\d$/.test(input) ? formatDay(input) : input
  if (type === 'time') {
    const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(input) ?? []
    if (!hours) return input
    return `${Number(hours) % 12 || 12}:${minutes} ${Number(hours) < 12 ? 'a' : 'p'}.m.`
  }
  if (type === 'money' && /^\d[\d,]*(\.\d{1,2})?$/.test(input.trim())) return `$${input.trim()}`
  return input
}
