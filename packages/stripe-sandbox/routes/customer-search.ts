import { invalid } from '../http/errors.ts'
import type { Tx } from '../tx.ts'
import type { Customer, JsonObject } from '../types.ts'

type Clause = { field: string; key: string | undefined; value: string }

const clause =
  /^\s*(email|name|phone|metadata)(?:\[(?:'([^']*)'|"([^"]*)")\])?\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*/i

/** Parses `metadata['user_id']:'u1' AND email:'a@b.c'`. */
function parseQuery(query: string): Clause[] {
  const clauses: Clause[] = []
  let rest = query
  while (rest.trim() !== '') {
    const match = clause.exec(rest)
    if (!match) {
      throw invalid(
        `This sandbox understands clauses such as metadata['key']:'value' and email:'…', joined by AND.`,
        'query',
      )
    }
    const field = (match[1] ?? '').toLowerCase()
    const key = match[2] ?? match[3]
    if ((field === 'metadata') !== (key !== undefined)) throw invalid('Only metadata is searched by key.', 'query')
    clauses.push({ field, key, value: (match[4] ?? match[5] ?? '').replace(/\\(.)/g, '$1') })
    rest = rest.slice(match[0].length)
    if (rest === '') break
    if (!/^AND\s/i.test(rest)) throw invalid('Search clauses are joined by AND here.', 'query')
    rest = rest.slice(3)
  }
  if (clauses.length === 0) throw invalid('The search query is empty.', 'query')
  return clauses
}

const fits = (customer: Customer, { field, key, value }: Clause): boolean =>
  field === 'metadata'
    ? Object.hasOwn(customer.metadata, key ?? '') && customer.metadata[key ?? ''] === value
    : String(customer[field] ?? '').toLowerCase() === value.toLowerCase()

/** Searches customers, newest first. Stripe's index lags by up to a minute; this one doesn't. */
export function searchCustomers(tx: Tx, params: { query: string; limit?: number; page?: string }): JsonObject {
  const { limit = 10 } = params
  if (limit < 1 || limit > 100)
    throw invalid('Invalid integer: limit must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  const clauses = parseQuery(params.query)
  const offset = Number(params.page ?? 0)
  if (!Number.isInteger(offset) || offset < 0) throw invalid('Invalid page.', 'page')
  const found = tx.store
    .select<Customer>('customer')
    .filter((customer) => clauses.every((each) => fits(customer, each)))
  const page = found.reverse().slice(offset, offset + limit)
  const more = offset + limit < found.length
  return {
    object: 'search_result',
    data: page,
    has_more: more,
    next_page: more ? String(offset + limit) : null,
    url: '/v1/customers/search',
  }
}
