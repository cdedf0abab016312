import type { Bearer, SessionCheck } from '#server/http/principal.ts'
import { quoteIdentifier, type Resource } from './define-resource.ts'
import { restErrors } from './rest-error.ts'

/** SQL by operator name. SQL never comes from a request. */
const comparisons = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const tests = { null: 'null', not_null: 'not null', true: 'true', false: 'false', unknown: 'unknown' } as const

type Filter =
  | { kind: 'compare'; column: string; sql: (typeof comparisons)[keyof typeof comparisons]; value: string }
  | { kind: 'in'; column: string; values: string[] }
  | { kind: 'is'; column: string; sql: (typeof tests)[keyof typeof tests] }

const isKeyOf = <T extends object>(table: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(table, key)

/**
 * Parses one filter, `<operator>.<value>`. The value is everything after the first dot, verbatim.
 * @throws RestError PGRST100
 */
function parseFilter(column: string, text: string): Filter {
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

export type Ordering = { column: string; descending: boolean; nullsFirst: boolean }

export type ReadQuery = {
  columns: readonly string[]
  filters: Filter[]
  order: Ordering[]
  limit: number
  offset: number
}

/** Upper limit of rows in a response, whatever `limit` says. */
export const maxRows = 1_000
const maxFilters = 50

/**
 * Parses the query string. Columns that the resource doesn't expose count as unknown.
 * @throws RestError PGRST100, 42703
 */
export function parseQuery(resource: Resource, search: URLSearchParams): ReadQuery {
  const query: ReadQuery = { columns: [...resource.columns.keys()], filters: [], order: [], limit: maxRows, offset: 0 }
  for (const [name, value] of search) {
    if (name === 'select') query.columns = parseSelect(resource, value)
    else if (name === 'order') query.order = value.split(',').map((part) => parseOrdering(resource, part))
    else if (name === 'limit') query.limit = Math.min(maxRows, parseCount('limit', value))
    else if (name === 'offset') query.offset = parseCount('offset', value)
    // Some clients send their API key in the query string.
    else if (name !== 'apikey') query.filters.push(parseFilter(knownColumn(resource, name), value))
  }
  if (query.filters.length > maxFilters) throw restErrors.malformed('filters', `more than ${maxFilters}`)
  return query
}

function parseSelect(resource: Resource, text: string): string[] {
  const names = text.replace(/\s/g, '').split(',')
  const columns = names.flatMap((name) => (name === '*' || text === '' ? [...resource.columns.keys()] : [name]))
  for (const column of columns) {
    if (!/^[\p{L}\p{N}_$]+$/u.test(column)) throw restErrors.malformed('select parameter', text)
    knownColumn(resource, column)
  }
  return [...new Set(columns)]
}

function parseOrdering(resource: Resource, text: string): Ordering {
  const match = /^([^.]+)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/.exec(text.trim())
  if (!match?.[1]) throw restErrors.malformed('order', text)
  const descending = match[2] === 'desc'
  // Nulls sort as the largest value by default, like in SQL.
  const nullsFirst = match[3] ? match[3] === 'nullsfirst' : descending
  return { column: knownColumn(resource, match[1]), descending, nullsFirst }
}

/** At most nine digits, to stay within the database's integers. */
function parseCount(what: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw restErrors.malformed(`${what} parameter`, text)
  return Number(text)
}

function knownColumn(resource: Resource, name: string): string {
  if (/[.()]/.test(name) || name === 'and' || name === 'or' || name === 'not')
    throw restErrors.malformed('filter', name)
  if (!resource.columns.has(name)) throw restErrors.unknownColumn(resource.name, name)
  return name
}

export type Statement = { text: string; values: unknown[] }

/**
 * Builds one statement that returns the rows as a JSON array, their count, the total count if requested, and the state of
 * the session. PostgreSQL serializes the JSON, so both drivers return the same bytes. Filters can only narrow the owner's
 * rows; values are parameters and names come from the declaration.
 */
export function compileRead(
  resource: Resource,
  { userId, sessionId }: Bearer,
  query: ReadQuery,
  withTotal: boolean,
  session: SessionCheck['column'],
): Statement {
  const values: unknown[] = [userId, sessionId]
  const bind = (value: unknown) => `$${values.push(value)}`

  const conditions = [
    `${quoteIdentifier(resource.owner)} = $1::uuid`,
    ...query.filters.map((filter) => condition(resource, filter, bind)),
  ]
  const matching = `from ${resource.source} where ${conditions.join(' and ')}`
  const order = query.order.map(
    ({ column, descending, nullsFirst }) =>
      `${quoteIdentifier(column)} ${descending ? 'desc' : 'asc'} nulls ${nullsFirst ? 'first' : 'last'}`,
  )
  const rows = [
    `select ${query.columns.map(quoteIdentifier).join(', ')} ${matching}`,
    ...(order.length > 0 ? [`order by ${order.join(', ')}`] : []),
    `limit ${query.limit}`,
    ...(query.offset > 0 ? [`offset ${query.offset}`] : []),
  ].join(' ')
  const total = withTotal ? `(select count(*)::int ${matching})` : 'null::int'
  return {
    text: `select coalesce(json_agg(r), '[]')::text as body, count(*)::int as rows, ${total} as total,
      ${session} as session from (${rows}) r`,
    values,
  }
}

/** Values are sent as text and cast to the column's type, so a malformed one fails with 22P02. */
function condition(resource: Resource, filter: Filter, bind: (value: unknown) => string): string {
  const column = quoteIdentifier(filter.column)
  const type = resource.columns.get(filter.column) ?? 'text'
  const cast = (value: string) => (type === 'text' ? `${bind(value)}::text` : `cast(${bind(value)}::text as ${type})`)
  if (filter.kind === 'is') return `${column} is ${filter.sql}`
  if (filter.kind === 'compare') return `${column} ${filter.sql} ${cast(filter.value)}`
  return filter.values.length > 0 ? `${column} in (${filter.values.map(cast).join(', ')})` : 'false'
}
