import { CheckoutReturn } from '#client/features/billing/checkout-return.tsx'

export const Component = CheckoutReturn
