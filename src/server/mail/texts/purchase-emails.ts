import { isForGood } from '#shared/domain/entitlement.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { billingEmail } from './billing-emails.ts'
import type { ToReader } from './email-texts.ts'

type Bought = ToReader & { planName: string; amountCents: number; currency: string; until: Date }

export const accessBoughtEmail = billingEmail('access-bought', 'One-time purchase', {
  subject: 'Your {publication} access: {plan}',
  preview: 'You have full access {until}. It doesn’t renew.',
  title: 'Thank you. Everything is open',
  lead: 'You have full access to {publication} {until}.',
  more: 'You paid once. It doesn’t renew, and you won’t be charged again.',
  button: 'Open your portal',
})(({ planName, amountCents, currency, until }: Bought) => ({
  values: { plan: planName, until: isForGood(until) ? 'for good' : `until ${formatDay(until)}` },
  facts: {
    Bought: planName,
    Paid: formatMoney(amountCents, currency),
    ...(!isForGood(until) && { 'Full access until': formatDay(until) }),
  },
  path: '/portal',
}))

export const itemBoughtEmail = billingEmail('item-bought', 'Single item, paid', {
  subject: 'You bought {title}',
  preview: 'It’s yours for good, and nothing renews.',
  title: 'Thank you. It’s yours',
  lead: 'You can open {title} whenever you’re signed in, for good.',
  more: 'You paid once. It doesn’t renew, and you won’t be charged again.',
  button: 'Open it',
})(({ title, amountCents, currency, path }: ToReader & ItemBought) => ({
  values: { title },
  facts: { Bought: title, Paid: formatMoney(amountCents, currency) },
  path,
}))

type ItemBought = { title: string; amountCents: number; currency: string; path: string }

export const boughtAccessEndedEmail = billingEmail('bought-access-ended', 'One-time purchase, refunded', {
  subject: 'Your access by {plan} has ended',
  preview: 'Its payment was refunded or disputed.',
  title: 'Access that you paid for has ended',
  lead: 'The payment for {plan} was refunded or disputed, so the access that it gave has ended.',
  more: 'Other access of yours stays. We keep your account and preferences.',
  button: 'View plans',
})(({ planName }: ToReader & { planName: string }) => ({ values: { plan: planName }, path: '/#pricing' }))
