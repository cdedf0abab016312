import { invalid, unsupported } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { requireCurrency } from '../objects/currency.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { buildPrice, buildProduct, recurringEvery } from '../objects/products-and-prices.ts'
import { change, create, type Tx } from '../tx.ts'
import type { Interval, Price } from '../types.ts'
import { requireProduct } from './products.ts'

type RecurringParams = {
  interval: Interval
  interval_count?: number
  usage_type?: string
  trial_period_days?: number
  meter?: string
}
type CreatePrice = {
  currency: string
  unit_amount?: number
  unit_amount_decimal?: string
  product?: string
  product_data?: { name: string; id?: string; metadata?: MetadataParam; active?: boolean }
  recurring?: RecurringParams
  lookup_key?: string
  transfer_lookup_key?: boolean
  nickname?: string
  active?: boolean
  metadata?: MetadataParam
  tax_behavior?: Price['tax_behavior']
}

/** @param param the parameter with the id, such as `items[0][price]` */
export const requirePrice = requires<Price>('price')

/** @throws ApiError 400 for an archived price */
export function requireActive(tx: Tx, id: string, param: string): Price {
  const price = requirePrice(tx, id, param)
  if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.', param)
  return price
}

/** @throws ApiError 400 for an archived or one-time price */
export function requireSellable(tx: Tx, id: string, param: string): Price {
  const price = requireActive(tx, id, param)
  if (!price.recurring)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    )
  return price
}

export function amountOf(params: Pick<CreatePrice, 'unit_amount' | 'unit_amount_decimal'>): number {
  if (params.unit_amount !== undefined && params.unit_amount_decimal !== undefined) {
    throw invalid('You may only specify one of these parameters: unit_amount, unit_amount_decimal.', 'unit_amount')
  }
  const amount =
    params.unit_amount ?? (params.unit_amount_decimal === undefined ? undefined : Number(params.unit_amount_decimal))
  if (amount === undefined) throw invalid('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing')
  if (!Number.isInteger(amount)) throw invalid('This sandbox supports whole cents only.', 'unit_amount_decimal')
  if (amount < 0 || amount > 99_999_999)
    throw invalid(
      'Invalid integer: unit_amount must be between 0 and 99999999.',
      'unit_amount',
      'parameter_invalid_integer',
    )
  return amount
}

function recurringOf(given: RecurringParams | undefined) {
  if (!given) return null
  if (given.usage_type === 'metered') throw unsupported('recurring[usage_type]=metered')
  if (given.meter !== undefined) throw unsupported('recurring[meter]')
  if (given.trial_period_days !== undefined) throw unsupported('recurring[trial_period_days]')
  const count = given.interval_count ?? 1
  const most = { day: 1095, month: 36, week: 156, year: 3 }[given.interval]
  if (count < 1 || count > most)
    throw invalid('Invalid interval count: at most three years between bills.', 'recurring[interval_count]')
  return recurringEvery(given.interval, count)
}

/** A lookup key belongs to one price. It moves only on request. */
function claimLookupKey(tx: Tx, key: string | null, transfer: boolean, self?: string): void {
  if (key === null) return
  const [holder] = tx.store.select<Price>('price', 'lookup = ? and id <> ?', key, self ?? '')
  if (!holder) return
  if (!transfer) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Pass \`transfer_lookup_key=true\` to move it.`,
      'lookup_key',
    )
  }
  change(tx, 'price.updated', holder, { ...holder, lookup_key: null })
}

export function productOf(tx: Tx, params: Pick<CreatePrice, 'product' | 'product_data'>): string {
  if (params.product !== undefined && params.product_data) {
    throw invalid('You may only specify one of these parameters: product, product_data.', 'product')
  }
  if (params.product_data) {
    const { name, id, active, metadata } = params.product_data
    if (id !== undefined && tx.store.find('product', id, true))
      throw invalid('Product already exists.', 'product_data[id]', 'resource_already_exists')
    return create(tx, 'product.created', buildProduct(tx, { active, id, metadata: mergeMetadata({}, metadata), name }))
      .id
  }
  if (params.product === undefined) throw invalid('Missing required param: product.', 'product', 'parameter_missing')
  return requireProduct(tx, params.product, 'product').id
}

const createSupports =
  'currency unit_amount unit_amount_decimal product product_data recurring lookup_key transfer_lookup_key nickname active metadata tax_behavior'

export const priceRoutes = [
  route<CreatePrice>('POST', '/v1/prices', 'post_prices', createSupports, ({ tx, params }) => {
    const currency = requireCurrency(params.currency, 'currency')
    const lookupKey = clearedBy(params.lookup_key, null)
    claimLookupKey(tx, lookupKey, params.transfer_lookup_key ?? false)
    const price = buildPrice(tx, {
      active: params.active,
      currency,
      lookupKey,
      metadata: mergeMetadata({}, params.metadata),
      nickname: clearedBy(params.nickname, null),
      product: productOf(tx, params),
      recurring: recurringOf(params.recurring),
      taxBehavior: params.tax_behavior,
      unitAmount: amountOf(params),
    })
    return create(tx, 'price.created', price)
  }),
  route<Partial<CreatePrice>>(
    'POST',
    '/v1/prices/:id',
    'post_prices_id',
    'active metadata nickname lookup_key transfer_lookup_key tax_behavior',
    ({ tx, params, id }) => {
      const price = requirePrice(tx, id)
      const behavior = params.tax_behavior ?? price.tax_behavior
      if (behavior !== price.tax_behavior && price.tax_behavior !== 'unspecified') {
        throw invalid('You cannot change the tax behavior of a price once it is set.', 'tax_behavior')
      }
      const lookupKey = clearedBy(params.lookup_key, price.lookup_key)
      claimLookupKey(tx, lookupKey, params.transfer_lookup_key ?? false, id)
      return change(tx, 'price.updated', price, {
        ...price,
        active: params.active ?? price.active,
        lookup_key: lookupKey,
        metadata: mergeMetadata(price.metadata, params.metadata),
        nickname: clearedBy(params.nickname, price.nickname),
        tax_behavior: behavior,
      })
    },
  ),
  route('GET', '/v1/prices/:id', 'retrieve', '', ({ tx, id }) => requirePrice(tx, id)),
  listRoute<{ lookup_keys?: string[] }>('/v1/prices', 'get_prices', 'price', {
    filters: {
      active: field('active'),
      currency: field('currency'),
      lookup_keys: 'lookup',
      product: field('product'),
      type: field('type'),
    },
    where: ({ lookup_keys: keys = [] }) => {
      if (keys.length > 10) throw invalid('You may pass at most 10 lookup_keys.', 'lookup_keys')
      return []
    },
  }),
]
