import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { Metadata, Price, Product, Recurring } from '../types.ts'

/** Creates a product with default values. */
export function buildProduct(
  tx: Tx,
  input: { id?: string; name: string; description?: string | null; active?: boolean; metadata?: Metadata },
): Product {
  return build<Product>('product', {
    id: input.id ?? newId('prod'),
    active: input.active ?? true,
    created: tx.at,
    default_price: null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    name: input.name,
    statement_descriptor: null,
    tax_code: null,
    type: 'service',
    unit_label: null,
    updated: tx.at,
  })
}

export type PriceInput = {
  id?: string
  product: string
  currency: string
  unitAmount: number
  recurring: Recurring | null
  lookupKey?: string | null
  nickname?: string | null
  active?: boolean
  metadata?: Metadata
  taxBehavior?: Price['tax_behavior']
}

/** Creates a price with a fixed amount (cents) per unit. */
export function buildPrice(tx: Tx, input: PriceInput): Price {
  return build<Price>('price', {
    id: input.id ?? newId('price'),
    active: input.active ?? true,
    billing_scheme: 'per_unit',
    created: tx.at,
    currency: input.currency,
    lookup_key: input.lookupKey ?? null,
    metadata: input.metadata ?? {},
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: input.recurring,
    tax_behavior: input.taxBehavior ?? 'unspecified',
    type: input.recurring ? 'recurring' : 'one_time',
    unit_amount: input.unitAmount,
    unit_amount_decimal: String(input.unitAmount),
  })
}

export const recurringEvery = (interval: Recurring['interval'], count = 1): Recurring => ({
  interval,
  interval_count: count,
  meter: null,
  trial_period_days: null,
  usage_type: 'licensed',
})
