import { invalid, missing } from '../http/errors.ts'
import { deletedCustomer } from '../http/expand.ts'
import { listRoute } from '../http/find-objects.ts'
import { list, type PageParams, refuseUnsupported, route } from '../http/route.ts'
import { recordBalanceTransaction } from '../objects/customer-balance.ts'
import { createCustomer, deleteCustomer, requireCustomer } from '../objects/customers.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { attachCard, requireCardOf } from '../objects/payment-methods.ts'
import { change, inTimeOf, type Tx } from '../tx.ts'
import type { BalanceTransaction, Customer, CustomField, JsonObject, TestClock } from '../types.ts'
import { usableCard } from './payment-methods.ts'

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
function searchCustomers(tx: Tx, params: { query: string; limit?: number; page?: string }): JsonObject {
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

type CustomerParams = {
  email?: string
  name?: string
  phone?: string
  description?: string
  balance?: number
  metadata?: MetadataParam
  payment_method?: string
  invoice_settings?: { custom_fields?: CustomField[] | ''; default_payment_method?: string }
  test_clock?: string
  tax_exempt?: string
}

const settingsOfNew = new Set(['default_payment_method'])
const settings = new Set([...settingsOfNew, 'custom_fields'])

function checkEmail(email: string | undefined): void {
  if (email && (email.length > 512 || !/^[^@\s]+@[^@\s]+$/.test(email))) {
    throw invalid(`Invalid email address: ${email.slice(0, 100)}`, 'email', 'email_invalid')
  }
}

const defaultCard = (tx: Tx, customer: Customer, id: string | undefined): string | null | undefined =>
  id === undefined
    ? undefined
    : id === ''
      ? null
      : requireCardOf(tx, customer.id, id, 'invoice_settings[default_payment_method]').id

/** Printed on the customer's next invoices. */
function customFields(given: CustomField[] | '' | undefined, before: CustomField[] | null): CustomField[] | null {
  if (given === undefined) return before
  const fields = given === '' || given.length === 0 ? null : given
  const param = 'invoice_settings[custom_fields]'
  if (fields && fields.length > 4) throw invalid('You may pass at most 4 custom fields.', param)
  fields?.forEach(({ name, value }, index) => {
    if (name.length > 40) throw invalid('Invalid string: must be at most 40 characters', `${param}[${index}][name]`)
    if (value.length > 140) throw invalid('Invalid string: must be at most 140 characters', `${param}[${index}][value]`)
  })
  return fields
}

function update(tx: Tx, customer: Customer, params: CustomerParams): Customer {
  checkEmail(params.email)
  refuseUnsupported(params.invoice_settings, settings, 'invoice_settings')
  const card = defaultCard(tx, customer, params.invoice_settings?.default_payment_method)
  const changed = change(tx, 'customer.updated', customer, {
    ...customer,
    balance: params.balance ?? customer.balance,
    description: clearedBy(params.description, (customer.description as string | null) ?? null),
    email: clearedBy(params.email, customer.email),
    invoice_settings: {
      ...customer.invoice_settings,
      custom_fields: customFields(params.invoice_settings?.custom_fields, customer.invoice_settings.custom_fields),
      ...(card === undefined ? {} : { default_payment_method: card }),
    },
    metadata: mergeMetadata(customer.metadata, params.metadata),
    name: clearedBy(params.name, customer.name),
    phone: clearedBy(params.phone, (customer.phone as string | null) ?? null),
  })
  recordSetBalance(tx, changed, changed.balance - customer.balance, 'adjustment')
  return changed
}

/** For a balance that was set as a field of the customer, in the account's currency. */
function recordSetBalance(tx: Tx, customer: Customer, amount: number, type: BalanceTransaction['type']): void {
  const currency = (customer.currency as string | null) ?? 'usd'
  if (amount !== 0) recordBalanceTransaction(tx, customer, { amount, currency, type })
}

/** Saves the new customer's card first, so that it can become the default. */
function createWithCard(tx: Tx, params: CustomerParams): Customer {
  checkEmail(params.email)
  refuseUnsupported(params.invoice_settings, settingsOfNew, 'invoice_settings')
  const clock = params.test_clock ? tx.store.find<TestClock>('test_helpers.test_clock', params.test_clock) : undefined
  if (params.test_clock && !clock) throw missing('test clock', params.test_clock, 'test_clock')
  const at = inTimeOf(tx, { test_clock: clock?.id ?? null })
  const customer = createCustomer(at, {
    balance: params.balance,
    description: clearedBy(params.description, null),
    email: clearedBy(params.email, null),
    metadata: mergeMetadata({}, params.metadata),
    name: clearedBy(params.name, null),
    phone: clearedBy(params.phone, null),
    testClock: clock?.id ?? null,
  })
  recordSetBalance(at, customer, customer.balance, 'initial')
  const wanted = params.payment_method ?? params.invoice_settings?.default_payment_method
  if (!wanted) return customer
  const card = attachCard(at, usableCard(at, wanted, 'payment_method'), customer)
  if (!params.invoice_settings?.default_payment_method) return customer
  return update(at, customer, { invoice_settings: { default_payment_method: card.id } })
}

const createSupports =
  'email name phone description balance metadata payment_method invoice_settings test_clock tax_exempt'

export const customerRoutes = [
  route<CustomerParams>('POST', '/v1/customers', 'post_customers', createSupports, ({ tx, params }) =>
    createWithCard(tx, params),
  ),
  listRoute<{ test_clock?: string }>('/v1/customers', 'get_customers', 'customer', {
    filters: { email: 'lookup', test_clock: 'test_clock' },
    where: ({ test_clock: clock }) => (clock === undefined ? ['test_clock is null'] : []),
  }),
  route<{ query: string; limit?: number; page?: string }>(
    'GET',
    '/v1/customers/search',
    'get_customers_search',
    'query page',
    ({ tx, params }) => searchCustomers(tx, params),
  ),
  route('GET', '/v1/customers/:id', 'retrieve', '', ({ tx, id }): JsonObject => {
    const customer = tx.store.find<Customer>('customer', id)
    const gone = customer ? undefined : tx.store.find<Customer>('customer', id, true)
    return gone ? deletedCustomer(gone) : requireCustomer(tx, id)
  }),
  route<CustomerParams>(
    'POST',
    '/v1/customers/:id',
    'post_customers_id',
    'email name phone description balance metadata invoice_settings',
    ({ tx, params, id }) => {
      const customer = requireCustomer(tx, id)
      return update(inTimeOf(tx, customer), customer, params)
    },
  ),
  route('DELETE', '/v1/customers/:id', 'none', '', ({ tx, id }) => {
    const customer = requireCustomer(tx, id)
    deleteCustomer(tx, customer)
    return deletedCustomer(customer)
  }),
  route<PageParams>(
    'GET',
    '/v1/customers/:id/payment_methods',
    'get_customers_id_payment_methods',
    'type',
    ({ tx, params, id }) => {
      requireCustomer(tx, id)
      return list(tx, {
        params,
        type: 'payment_method',
        url: `/v1/customers/${id}/payment_methods`,
        values: [id],
        where: ['customer = ?'],
      })
    },
  ),
]
