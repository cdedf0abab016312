import type { Store } from '../store/store.ts'

export const losses = ['nothing', 'every third', 'everything'] as const

/** How deliveries behave; set on the control page, kept over restarts. */
export type DeliverySettings = {
  paused: boolean
  /** Stripe guarantees no order: shuffled shows whether the receiver relies on one. */
  order: 'in order' | 'shuffled'
  /** Stripe may deliver an event more than once: so does this. */
  duplicate: boolean
  /** What is lost stays in the event log and is never sent by itself. */
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
