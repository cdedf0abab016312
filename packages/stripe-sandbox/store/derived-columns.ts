import { dueAt } from '../clock/next-due-time.ts'
import type { ApiObject, JsonObject } from '../types.ts'

export type Columns = {
  customer: string | null
  subscription: string | null
  status: string | null
  testClock: string | null
  lookup: string | null
  dueAt: number | null
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The field by which objects of this type can be looked up, besides the id. */
const lookupField: { [type: string]: string | undefined } = {
  customer: 'email',
  price: 'lookup_key',
  promotion_code: 'code',
  invoice_payment: 'invoice',
  charge: 'payment_intent',
  refund: 'charge',
  dispute: 'charge',
}

function subscriptionOf(object: ApiObject): string | null {
  const parent = object.parent as { subscription_details?: { subscription?: string } } | null | undefined
  return textOrNull(object.subscription) ?? textOrNull(parent?.subscription_details?.subscription)
}

/** The columns that lists and the clock filter by, derived from the object so that they always agree. */
export function columnsOf(object: ApiObject, notes: JsonObject): Columns {
  return {
    customer: textOrNull(object.customer),
    subscription: subscriptionOf(object),
    status: textOrNull(object.status),
    testClock: textOrNull(object.test_clock),
    lookup: textOrNull(object[lookupField[object.object] ?? '']),
    dueAt: dueAt(object, notes),
  }
}
