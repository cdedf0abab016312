import type { Coupon, LineDiscount, Period } from '../types.ts'

/** Rounds half a cent away from zero, for debits and credits. */
export const roundHalfUp = (amount: number): number => Math.sign(amount) * Math.floor(Math.abs(amount) + 0.5)

/** The share of `amount` (cents) for the time from `at` to the end of the period, by the second. */
export function shareLeft(amount: number, period: Period, at: number): number {
  const whole = period.end - period.start
  const left = Math.min(Math.max(period.end - at, 0), whole)
  return whole <= 0 ? 0 : roundHalfUp((amount * left) / whole)
}

export type Reduction = {
  discount: string
  coupon: Pick<Coupon, 'percent_off' | 'amount_off'>
  /** The products that the coupon is limited to. Default: all. */
  products?: readonly string[] | null
}
type Line = { amount: number; discountable: boolean; product?: string }

/** Returns true if a coupon with this limit applies to a product. */
export const appliesTo = (products: readonly string[] | null | undefined, product: string | undefined): boolean =>
  !products || (product !== undefined && products.includes(product))

/** A coupon's discount on an amount, in cents; at most the amount. */
function reductionOf(coupon: Reduction['coupon'], amount: number): number {
  if (amount <= 0) return 0
  if (coupon.percent_off !== null) return Math.min(amount, roundHalfUp((amount * coupon.percent_off) / 100))
  return Math.min(amount, coupon.amount_off ?? 0)
}

/** The amount of a product after applying all coupons in order. */
export const reduced = (amount: number, reductions: Reduction[], product?: string): number =>
  reductions
    .filter(({ products }) => appliesTo(products, product))
    .reduce((rest, each) => rest - reductionOf(each.coupon, rest), amount)

/**
 * Distributes a fixed amount over the lines by weight. Rounds the running sums, so that no cent is left over and no line
 * gets more than its weight if the amount is at most the total.
 */
function spread(total: number, weights: number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0) || 1
  let [weighed, given] = [0, 0]
  return weights.map((weight) => {
    weighed += weight
    const part = Math.floor((total * weighed) / sum) - given
    given += part
    return part
  })
}

/** Each line's share of the discounts. Prorations already include discounts and get none. */
export function discountLines(lines: Line[], reductions: Reduction[]): LineDiscount[][] {
  const result: LineDiscount[][] = lines.map(() => [])
  const rest = lines.map((line) => (line.discountable && line.amount > 0 ? line.amount : 0))
  for (const { discount, coupon, products } of reductions) {
    const covered = rest.map((amount, index) => (appliesTo(products, lines[index]?.product) ? amount : 0))
    const open = covered.reduce((all, amount) => all + amount, 0)
    const parts =
      coupon.percent_off === null
        ? spread(reductionOf(coupon, open), covered)
        : covered.map((amount) => reductionOf(coupon, amount))
    parts.forEach((amount, index) => {
      if (amount <= 0) return
      rest[index] = (rest[index] ?? 0) - amount
      result[index]?.push({ amount, discount })
    })
  }
  return result
}
