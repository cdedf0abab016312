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

/** No answer has more rows than this, whatever is asked for. */
export const maxRows = 1_000
/** More conditions than this serve nobody and cost the planner. */
const maxFilters = 50

/**
 * Reads the query string against the columns that the resource shows; a column that it does not show does not exist.
 * @throws RestError PGRST100, 42703
 */
export function parseQuery(resource: Resource, search: URLSearchParams): ReadQuery {
  const query: ReadQuery = { columns: [...resource.columns.keys()], filters: [], order: [], limit: maxRows, offset: 0 }
  for (const [name, value] of search) {
    if (name === 'select') query.columns = parseSelect(resource, value)
    else if (name === 'order') query.order = value.split(',').map((part) => parseOrdering(resource, part))
    else if (name === 'limit') query.limit = Math.min(maxRows, parseCount('limit', value))
    else if (name === 'offset') query.offset = parseCount('offset', value)
    // Some clients put their key into the address; it is not a column.
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
  // As in SQL, nulls count as larger than everything unless the request says otherwise.
  const nullsFirst = match[3] ? match[3] === 'nullsfirst' : descending
  return { column: knownColumn(resource, match[1]), descending, nullsFirst }
}

/** Beyond a billion rows there is nothing, and the database's own integers end. */
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
