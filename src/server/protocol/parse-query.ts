import type { Resource } from './define-resource.ts'
import { type Filter, parseFilter } from './parse-filter.ts'
import { restErrors } from './rest-error.ts'

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
