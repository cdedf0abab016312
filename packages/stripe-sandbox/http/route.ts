import { assertDescribed } from '../schema/read-params.ts'
import type { Tx } from '../tx.ts'
import type { JsonObject } from '../types.ts'
import { unsupported } from './errors.ts'

export type Call<P> = {
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
