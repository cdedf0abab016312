import type Stripe from 'stripe'
import { idOf } from '../billing-deps.ts'
import { type Payments, subscriptionOf } from './billing-timeline.ts'

type Discounts = [promotionCodeId: string, cents: number][]

/**
 * Returns what each promotion code of a subscription took off some lines. A subscription drops a discount that has
 * expired, but its invoices keep the ones that they used.
 */
export function promotionCodesIn({ subscriptions, invoices }: Pick<Payments, 'subscriptions' | 'invoices'>) {
  /** Promotion codes by discount, and by subscription. */
  const codes = new Map<string, string>()
  const codesOf = new Map<string, Set<string>>()
  const add = (
    subscriptionId: string | null,
    discounts: readonly (string | Stripe.Discount | Stripe.DeletedDiscount)[],
  ) => {
    for (const discount of discounts) {
      const code = typeof discount === 'string' ? null : idOf(discount.promotion_code)
      if (typeof discount === 'string' || !code) continue
      codes.set(discount.id, code)
      if (!subscriptionId) continue
      codesOf.set(subscriptionId, (codesOf.get(subscriptionId) ?? new Set()).add(code))
    }
  }
  for (const { id, discounts } of subscriptions) add(id, discounts)
  for (const invoice of invoices) add(subscriptionOf(invoice), invoice.discounts)

  return (subscriptionId: string | null, lines: readonly Stripe.InvoiceLineItem[]): Discounts => {
    const taken = lines.flatMap(({ discount_amounts: all }) => all ?? [])
    const centsOf = (code: string) =>
      taken.reduce((sum, { amount, discount }) => sum + (codes.get(idOf(discount) ?? '') === code ? amount : 0), 0)
    return [...(codesOf.get(subscriptionId ?? '') ?? [])].toSorted().map((code) => [code, centsOf(code)])
  }
}
