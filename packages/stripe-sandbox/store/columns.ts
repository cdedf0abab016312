import { dueAt } from '../clock/due.ts'
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

/** The field by which an object of this type is looked up, besides its id. */
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

/** The columns that lists and the clock search by, taken from the object itself so that they can never disagree. */
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
