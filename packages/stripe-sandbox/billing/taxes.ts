import type { Tax, TaxBehavior } from '../types.ts'
import { roundHalfUp } from './discount-amounts.ts'

/** The sandbox’s only tax, the same for everyone and everything. */
export const taxPercent = 20

/** Tax is added to prices without a tax behavior. */
export const behaviorOf = (price: { tax_behavior?: unknown } | undefined): TaxBehavior =>
  price?.tax_behavior === 'inclusive' ? 'inclusive' : 'exclusive'

/** The tax on an amount after discounts; of a credit, a negative one. */
export function taxOn(amount: number, behavior: TaxBehavior): Tax {
  const taxable = behavior === 'inclusive' ? roundHalfUp((amount * 100) / (100 + taxPercent)) : amount
  return {
    amount: behavior === 'inclusive' ? amount - taxable : roundHalfUp((amount * taxPercent) / 100),
    tax_behavior: behavior,
    tax_rate_details: { tax_rate: 'txr_sandbox' },
    taxability_reason: 'standard_rated',
    taxable_amount: taxable,
    type: 'tax_rate_details',
  }
}

/** One entry for each behavior that occurs. */
export function totalTaxes(taxes: readonly Tax[]): Tax[] {
  return (['exclusive', 'inclusive'] as const).flatMap((behavior) => {
    const own = taxes.filter((tax) => tax.tax_behavior === behavior)
    const [first] = own
    if (!first) return []
    const sum = (of: (tax: Tax) => number) => own.reduce((all, tax) => all + of(tax), 0)
    return [{ ...first, amount: sum(({ amount }) => amount), taxable_amount: sum((tax) => tax.taxable_amount) }]
  })
}

/** What taxes add to a total. */
export const addedTax = (taxes: readonly Tax[]): number =>
  taxes.reduce((all, { amount, tax_behavior: behavior }) => (behavior === 'exclusive' ? all + amount : all), 0)
