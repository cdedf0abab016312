import { CheckoutReturn } from '#client/features/billing/subscriptions/checkout-return.tsx'

export const Component = CheckoutReturn
