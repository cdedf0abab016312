import { paymentsOf } from '../objects/payments.ts'
import type { Tx } from '../tx.ts'
import type { ApiObject, CheckoutLine, Customer, Json, JsonObject, Subscription } from '../types.ts'
import { type ApiError, invalid } from './errors.ts'
import { embeddedList } from './route.ts'

const maxLevels = 4

/**
 * Expandable fields by object type and (dotted) path. The value is the type of an id, `>type` for an object or list that
 * is already included, or `+type` for a list that is included only on request.
 */
const expandable: { [kind: string]: { [field: string]: string } } = {
  price: { product: 'product' },
  product: { default_price: 'price' },
  customer: {
    'invoice_settings.default_payment_method': 'payment_method',
    subscriptions: '+subscription',
    test_clock: 'test_helpers.test_clock',
  },
  customer_balance_transaction: { customer: 'customer', invoice: 'invoice' },
  payment_method: { customer: 'customer' },
  tax_id: { customer: 'customer' },
  subscription: {
    customer: 'customer',
    default_payment_method: 'payment_method',
    discounts: 'discount',
    'items.data': '>subscription_item',
    latest_invoice: 'invoice',
    pending_setup_intent: 'setup_intent',
    schedule: 'subscription_schedule',
    test_clock: 'test_helpers.test_clock',
  },
  subscription_item: { price: '>price' },
  invoice: {
    customer: 'customer',
    default_payment_method: 'payment_method',
    discounts: 'discount',
    'lines.data': '>line_item',
    'parent.subscription_details.subscription': 'subscription',
    payments: '+invoice_payment',
    test_clock: 'test_helpers.test_clock',
  },
  line_item: { 'pricing.price_details.price': 'price', subscription: 'subscription' },
  invoice_payment: { invoice: 'invoice', 'payment.payment_intent': 'payment_intent', 'payment.charge': 'charge' },
  payment_intent: { customer: 'customer', latest_charge: 'charge', payment_method: 'payment_method' },
  charge: { customer: 'customer', payment_intent: 'payment_intent' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  setup_intent: { customer: 'customer', payment_method: 'payment_method' },
  'checkout.session': {
    customer: 'customer',
    invoice: 'invoice',
    line_items: '+item',
    payment_intent: 'payment_intent',
    setup_intent: 'setup_intent',
    subscription: 'subscription',
  },
  item: { price: '>price' },
  discount: { customer: 'customer', promotion_code: 'promotion_code', 'source.coupon': 'coupon' },
  promotion_code: { customer: 'customer', 'promotion.coupon': 'coupon' },
  'billing_portal.session': { configuration: 'billing_portal.configuration' },
}

type CheckoutNotesLines = { lines: CheckoutLine[] }

function included(tx: Tx, parent: ApiObject, kind: string): JsonObject {
  if (kind === 'invoice_payment')
    return embeddedList(`/v1/invoice_payments?invoice=${parent.id}`, paymentsOf(tx, parent.id))
  if (kind === 'item') {
    const lines = tx.store.notes<CheckoutNotesLines>(parent.id).lines ?? []
    return embeddedList(`/v1/checkout/sessions/${parent.id}/line_items`, lines)
  }
  const running = tx.store.select<Subscription>(
    'subscription',
    `customer = ? and status not in ('canceled', 'incomplete_expired')`,
    parent.id,
  )
  return embeddedList(`/v1/customers/${parent.id}/subscriptions`, running.reverse())
}

/** Deleted customers are expanded too. */
export function deletedCustomer(customer: Customer): JsonObject {
  return { id: customer.id, object: 'customer', deleted: true }
}

function load(tx: Tx, kind: string, value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => load(tx, kind, each) ?? null)
  if (typeof value !== 'string') return value
  const found = tx.store.find(kind, value, true)
  if (!found) return value
  if (kind !== 'customer') return found
  return tx.store.find('customer', value) ? found : deletedCustomer(found as Customer)
}

type Target = { holder: JsonObject; key: string }

/** Reads a dotted path within one object, without expanding. */
function holderOf(object: JsonObject, field: string): Target | undefined {
  const steps = field.split('.')
  let holder: JsonObject = object
  for (const step of steps.slice(0, -1)) {
    const next = holder[step]
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return undefined
    holder = next
  }
  return { holder, key: steps.at(-1) ?? '' }
}

/** The longest expandable field at the start of the path, and the rest of the path. */
function matchField(kind: string, path: string[]): { field: string; to: string; rest: string[] } | undefined {
  const fields = expandable[kind] ?? {}
  for (let length = path.length; length > 0; length -= 1) {
    const field = path.slice(0, length).join('.')
    const to = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (to !== undefined) return { field, rest: path.slice(length), to }
  }
  return undefined
}

const refuse = (path: string): ApiError => invalid(`This property cannot be expanded (${path}).`, 'expand')

function expandIn(tx: Tx, kind: string, objects: ApiObject[], path: string[], whole: string, level: number): void {
  if (path.length === 0) return
  if (level > maxLevels)
    throw invalid(`You cannot expand more than ${maxLevels} levels of a property. Property: ${whole}`, 'expand')
  const match = matchField(kind, path)
  if (!match) throw refuse(whole)
  const nextKind = match.to.replace(/^[>+]/, '')
  const next: ApiObject[] = []
  for (const object of objects) {
    const target = holderOf(object, match.field)
    if (!target) continue
    if (match.to.startsWith('+')) target.holder[target.key] ??= included(tx, object, nextKind)
    else if (!match.to.startsWith('>')) target.holder[target.key] = load(tx, nextKind, target.holder[target.key])
    const value = target.holder[target.key] as Json | undefined
    const inside = match.to.startsWith('+') ? (value as { data: Json[] }).data : value
    for (const each of Array.isArray(inside) ? inside : [inside]) {
      if (typeof each === 'object' && each !== null) next.push(each as ApiObject)
    }
  }
  const rest = match.to.startsWith('+') && match.rest[0] === 'data' ? match.rest.slice(1) : match.rest
  expandIn(tx, nextKind, next, rest, whole, match.field.endsWith('.data') ? level : level + 1)
}

/**
 * Replaces ids with objects in place, along the dotted paths of `expand[]`.
 * @throws ApiError 400 for an unknown path
 */
export function expand(tx: Tx, body: JsonObject, paths: string[]): void {
  for (const whole of paths) {
    const path = whole.split('.')
    const listed = body.object === 'list' || body.object === 'search_result'
    if (!listed) {
      expandIn(tx, String(body.object), [body as ApiObject], path, whole, 1)
      continue
    }
    if (path[0] !== 'data' || path.length < 2) {
      throw invalid(
        `This property cannot be expanded (${whole}). You may want to try expanding 'data.${whole}' instead.`,
        'expand',
      )
    }
    const [first] = body.data as ApiObject[]
    if (first) expandIn(tx, first.object, body.data as ApiObject[], path.slice(1), whole, 1)
  }
}
