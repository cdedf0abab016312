import { missing } from '../http/errors.ts'
import { embeddedList, type PageParams, route } from '../http/route.ts'
import type { MetadataParam } from '../objects/metadata.ts'
import { inTimeOfCustomer, type Tx } from '../tx.ts'
import type { PaymentBehavior, ProrationBehavior, Subscription, SubscriptionItem } from '../types.ts'
import { requireSubscription, updateSubscription } from './update-subscription.ts'

type Found = { item: SubscriptionItem; subscription: Subscription }

/** Finds the subscription that contains the item. */
function requireItem(tx: Tx, id: string): Found {
  const row = tx.store.row(
    `select objects.json from objects, json_each(objects.json, '$.items.data')
     where objects.type = 'subscription' and objects.deleted = 0 and json_extract(value, '$.id') = ?`,
    id,
  )
  const subscription = row && (JSON.parse(String(row.json)) as Subscription)
  const item = subscription?.items.data.find((each) => each.id === id)
  if (!subscription || !item) throw missing('subscription item', id)
  return { item, subscription }
}

type UpdateItem = {
  price?: string
  quantity?: number
  metadata?: MetadataParam
  payment_behavior?: PaymentBehavior
  proration_behavior?: ProrationBehavior
  proration_date?: number
}

const supports = 'price quantity metadata payment_behavior proration_behavior proration_date off_session'

export const subscriptionItemRoutes = [
  route<PageParams & { subscription: string }>(
    'GET',
    '/v1/subscription_items',
    'get_subscription_items',
    'subscription',
    ({ tx, params }) => {
      const { items } = requireSubscription(tx, params.subscription, 'subscription')
      return embeddedList('/v1/subscription_items', items.data)
    },
  ),
  route('GET', '/v1/subscription_items/:id', 'retrieve', '', ({ tx, id }) => requireItem(tx, id).item),
  route<UpdateItem>(
    'POST',
    '/v1/subscription_items/:id',
    'post_subscription_items_id',
    supports,
    ({ tx, params, id }) => {
      const { subscription } = requireItem(tx, id)
      const { price, quantity, metadata, ...options } = params
      const item = { id, metadata, price, quantity }
      updateSubscription(inTimeOfCustomer(tx, subscription.customer), subscription, { ...options, items: [item] })
      return requireItem(tx, id).item
    },
  ),
]
