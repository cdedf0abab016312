import { formatAmount } from '../billing/format-amount.ts'
import { productName, recurringOf } from '../objects/subscription-billing.ts'
import type { Tx } from '../tx.ts'
import type { Price, Subscription } from '../types.ts'
import { type Html, html } from './layout.ts'

export { formatAmount as money } from '../billing/format-amount.ts'

/** Formats a second as a date: Mar 3, 2027. */
export const dateText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    year: 'numeric',
  })

export const dateTag = (seconds: number): Html =>
  html`<time datetime="${new Date(seconds * 1000).toISOString()}">${dateText(seconds)}</time>`

export const momentText = (seconds: number): string =>
  `${dateText(seconds)}, ${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`

/** "per month", "every 3 months". */
export function everyText(price: Price): string {
  const { interval, interval_count: count } = recurringOf(price)
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`
}

export const priceText = (price: Price, quantity = 1): string =>
  `${formatAmount(price.unit_amount * quantity, price.currency)} ${everyText(price)}`

export const planText = (tx: Tx, price: Price): string => `${productName(tx, price)} (${priceText(price)})`

export const planNames = (tx: Tx, subscription: Subscription): string =>
  subscription.items.data.map((item) => productName(tx, item.price)).join(', ')
