import type { Store } from '../store/store.ts'

export const losses = ['nothing', 'every third', 'everything'] as const

/** Delivery settings from the control page. They survive restarts. */
export type DeliverySettings = {
  paused: boolean
  /** Delivers out of order, since Stripe guarantees no order. */
  order: 'in order' | 'shuffled'
  /** Delivers events twice, since Stripe may do so. */
  duplicate: boolean
  /** Lost events stay in the event log and aren't sent again automatically. */
  lose: (typeof losses)[number]
  delayMs: number
}

const standard: DeliverySettings = { delayMs: 0, duplicate: false, lose: 'nothing', order: 'in order', paused: false }

export const readDelivery = (store: Store): DeliverySettings => ({
  ...standard,
  ...(JSON.parse(store.setting('delivery') ?? '{}') as Partial<DeliverySettings>),
})

export const saveDelivery = (store: Store, change: Partial<DeliverySettings>): void =>
  store.saveSetting('delivery', JSON.stringify({ ...readDelivery(store), ...change }))
