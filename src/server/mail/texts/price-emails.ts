import { formatDay } from '#shared/domain/format.ts'
import { type BillingEmail, billingEmail } from './billing-emails.ts'

/** Prices such as "$12 per month", before discounts. */
type PriceEmail = Pick<BillingEmail, 'to' | 'config' | 'planName'> & {
  oldPrice: string
  newPrice: string
  /** The first renewal at the new price. */
  at: Date
}

export const priceChangingEmail = billingEmail('price-changing', 'Price changes', {
  subject: 'Your {publication} price changes on {date}',
  preview: '{plan} costs {newPrice} from then on. Until {date}, nothing changes.',
  title: 'Your price changes',
  lead: 'From {date}, {plan} costs {newPrice} instead of {oldPrice}. The renewal on that day is your first payment at the new price, and nothing is charged before.',
  more: 'You don’t need to do anything to keep your plan. To switch or cancel it before that day, go to Account > Billing.',
  button: 'View billing',
})(({ planName, oldPrice, newPrice, at }: PriceEmail) => {
  const date = formatDay(at)
  return {
    values: { plan: planName, oldPrice, newPrice, date },
    facts: { Plan: planName, 'Price now': oldPrice, [`From ${date}`]: newPrice },
  }
})

/** To members who were told about a change that was canceled. */
export const priceStaysEmail = billingEmail('price-stays', 'Price stays the same', {
  subject: 'Your {publication} price stays the same',
  preview: 'The change on {date} won’t happen.',
  title: 'Your price stays the same',
  lead: 'We wrote that the price of {plan} would change on {date}. That won’t happen: you keep paying {oldPrice}.',
  button: 'View billing',
})(({ planName, oldPrice, at }: PriceEmail) => ({
  values: { plan: planName, oldPrice, date: formatDay(at) },
  facts: { Plan: planName, Price: oldPrice },
}))
