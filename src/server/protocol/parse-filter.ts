import { restErrors } from './rest-error.ts'

/** SQL by operator name. SQL never comes from a request. */
const comparisons = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const tests = { null: 'null', not_null: 'not null', true: 'true', false: 'false', unknown: 'unknown' } as const

export type Filter =
  | { kind: 'compare'; column: string; sql: (typeof comparisons)[keyof typeof comparisons]; value: string }
  | { kind: 'in'; column: string; values: string[] }
  | { kind: 'is'; column: string; sql: (typeof tests)[keyof typeof tests] }

const isKeyOf = <T extends object>(table: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(table, key)

/**
 * Parses one filter, `<operator>.<value>`. The value is everything after the first dot, verbatim.
 * @throws RestError PGRST100
 */
export function parseFilter(column: string, text: string): Filter {
  const dot = text.indexOf('.')
  const operator = dot < 0 ? '' : text.slice(0, dot)
  const value = text.slice(dot + 1)
  if (isKeyOf(comparisons, operator)) return { kind: 'compare', column, sql: comparisons[operator], value }
  if (operator === 'in') return { kind: 'in', column, values: parseList(value) }
  const test = value.toLowerCase()
  if (operator === 'is' && isKeyOf(tests, test)) return { kind: 'is', column, sql: tests[test] }
  throw restErrors.malformed('filter', text)
}

/** A list such as `(a,b,"c,d")`. Double quotes allow commas; a backslash escapes the next character. */
function parseList(text: string): string[] {
  const inside = /^\((.*)\)$/s.exec(text)?.[1]
  if (inside === undefined) throw restErrors.malformed('filter', `in.${text}`)
  if (inside === '') return []
  const entries: string[] = []
  const entry = /(?:"((?:[^"\\]|\\.)*)"|([^",][^,]*|))(?:,|$)/sy
  let end = 0
  while (end <= inside.length) {
    entry.lastIndex = end
    const match = entry.exec(inside)
    if (!match) throw restErrors.malformed('filter', `in.${text}`)
    entries.push(match[1]?.replace(/\\(.)/gs, '$1') ?? match[2] ?? '')
    end = entry.lastIndex
    if (end === inside.length && !match[0].endsWith(',')) break
  }
  return entries
}
