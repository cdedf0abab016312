import type { Tx } from '../tx.ts'
import type { ApiObject, JsonObject } from '../types.ts'
import { missing } from './errors.ts'
import { list, type PageParams, type Route, route } from './route.ts'

/** A field of an object that has no column of its own. */
export const field = (name: string): string => `json_extract(json, '$.${name}')`

type ListOptions<P> = {
  /** What each parameter is compared with: a column or a `field`. `lookup` is the field in the lookup column. */
  filters?: { [param: string]: string }
  /** Parameters that are supported without being compared. */
  ignored?: string
  /** More conditions. Checks the parameters, too. */
  where?: (params: P, tx: Tx) => string[]
  present?: (tx: Tx, json: JsonObject) => JsonObject
}

/** Lists the objects of a type. A filter with several values matches any of them. */
export function listRoute<P extends { [param: string]: unknown }>(
  url: string,
  params: string,
  type: string,
  { filters = {}, ignored = '', where, present }: ListOptions<P> = {},
): Route {
  const supports = ['created', ...Object.keys(filters), ...ignored.split(' ')].join(' ')
  return route<P & PageParams>('GET', url, params, supports, ({ tx, params: given }) => {
    const used = Object.entries(filters).flatMap(([param, column]) => {
      const value = given[param]
      if (value === undefined) return []
      const values = [value].flat().map((each) => (typeof each === 'boolean' ? Number(each) : String(each)))
      return [{ values, condition: `${column} in (${values.map(() => '?').join(', ')})` }]
    })
    return list(tx, {
      params: given,
      type,
      url,
      values: used.flatMap(({ values }) => values),
      where: [...used.map(({ condition }) => condition), ...(where?.(given, tx) ?? [])],
      ...(present && { present: (json: JsonObject) => present(tx, json) }),
    })
  })
}

/** Finds objects of a type, or throws: 404 for an id in the path, 400 for one in a parameter. */
export const requires =
  <T extends ApiObject>(type: T['object'], kind: string = type) =>
  (tx: Tx, id: string, param = 'id'): T => {
    const found = tx.store.find<T>(type, id)
    if (!found) throw missing(kind, id, param)
    return found
  }
