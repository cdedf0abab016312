import type { SQLInputValue } from 'node:sqlite'
import { assertDescribed } from '../schema/read-params.ts'
import type { Tx } from '../tx.ts'
import type { Json, JsonObject } from '../types.ts'
import { invalid, missing, unsupported } from './errors.ts'

type Call<P> = {
  tx: Tx
  params: P
  /** The id in the path, or ''. */
  id: string
}

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Name of the parameter description. */
  params: string
  handle: (tx: Tx, params: JsonObject, id: string) => JsonObject
}

const always = ['expand', 'limit', 'starting_after', 'ending_before']

/**
 * Defines an operation of the API.
 * @param params name of the parameter description that validates requests as `P`
 * @param supports the supported parameters; other parameters of the API are rejected
 */
export function route<P>(
  method: Route['method'],
  path: string,
  params: string,
  supports: string,
  handle: (call: Call<P>) => JsonObject,
): Route {
  assertDescribed(params)
  const known = new Set([...always, ...supports.split(' ')])
  return {
    method,
    path,
    params,
    handle: (tx, given, id) => {
      refuseUnsupported(given, known)
      // The parameter description guarantees this shape.
      return handle({ tx, params: given as P, id })
    },
  }
}

/** @throws ApiError 400 naming the first unsupported parameter */
export function refuseUnsupported(given: JsonObject | undefined, known: Set<string>, inside = ''): void {
  const odd = Object.keys(given ?? {}).find((name) => !known.has(name))
  if (odd !== undefined) throw unsupported(inside === '' ? odd : `${inside}[${odd}]`)
}

export type Found = { route: Route; id: string }

/** Finds the operation for a path such as `/v1/customers/cus_1`; `:id` matches one segment. */
export function findRoute(routes: readonly Route[], method: string, path: string): Found | undefined {
  const steps = path.split('/')
  for (const candidate of routes) {
    if (candidate.method !== method) continue
    const wanted = candidate.path.split('/')
    if (wanted.length !== steps.length) continue
    let id = ''
    const fits = wanted.every((step, index) => {
      const given = steps[index] ?? ''
      if (step !== ':id') return step === given
      id = given
      return given !== ''
    })
    if (fits) return { route: candidate, id }
  }
  return undefined
}

export type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number }
export type PageParams = { limit?: number; starting_after?: string; ending_before?: string; created?: Range }

type ListQuery = {
  url: string
  /** Object type, or 'event'. */
  type: string
  where?: string[]
  values?: SQLInputValue[]
  params: PageParams
  present?: (json: JsonObject) => JsonObject
}

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** SQL conditions and values for `created`, a second or a range. */
export function rangeOf(column: string, range: Range | undefined): { where: string[]; values: number[] } {
  if (range === undefined) return { where: [], values: [] }
  if (typeof range === 'number') return { where: [`${column} = ?`], values: [range] }
  const given = Object.entries(range).filter(([, value]) => value !== undefined) as [keyof typeof operators, number][]
  return { where: given.map(([name]) => `${column} ${operators[name]} ?`), values: given.map(([, value]) => value) }
}

function sequenceOf(tx: Tx, query: ListQuery, id: string, param: string): number {
  const table = query.type === 'event' ? 'events' : 'objects'
  const found = tx.store.row(`select seq from ${table} where id = ?`, id)
  if (!found) throw missing(query.type, id, param)
  return Number(found.seq)
}

/**
 * Returns a list: newest first, at most `limit` objects (10 by default), before or after a cursor.
 * @throws ApiError 400 for a limit outside 1 to 100 or an unknown cursor
 */
export function list(tx: Tx, query: ListQuery): JsonObject {
  const { limit = 10, starting_after: after, ending_before: before, created } = query.params
  if (limit < 1 || limit > 100)
    throw invalid('Invalid integer: limit must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  if (after && before)
    throw invalid('You may only specify one of these parameters: ending_before, starting_after.', 'ending_before')
  const events = query.type === 'event'
  const range = rangeOf('created', created)
  const where = [...(events ? [] : ['type = ?', 'deleted = 0']), ...(query.where ?? []), ...range.where]
  const values: SQLInputValue[] = [...(events ? [] : [query.type]), ...(query.values ?? []), ...range.values]
  if (after) where.push(`seq < ${sequenceOf(tx, query, after, 'starting_after')}`)
  if (before) where.push(`seq > ${sequenceOf(tx, query, before, 'ending_before')}`)
  const sql = `select json from ${events ? 'events' : 'objects'} where ${where.length > 0 ? where.join(' and ') : 'true'}
    order by seq ${before ? 'asc' : 'desc'} limit ?`
  const found = tx.store.rows(sql, ...values, limit + 1)
  const page = found.slice(0, limit).map((row) => JSON.parse(String(row.json)) as JsonObject)
  const data: Json[] = (before ? page.reverse() : page).map((json) => query.present?.(json) ?? json)
  return { object: 'list', url: query.url, has_more: found.length > limit, data }
}

/** A list within another object, complete on one page. */
export const embeddedList = (url: string, data: JsonObject[]): JsonObject => ({
  object: 'list',
  data,
  has_more: false,
  total_count: data.length,
  url,
})
