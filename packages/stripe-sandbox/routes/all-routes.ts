import type { Route } from '../http/route.ts'
import { checkoutSessionRoutes } from './checkout-sessions.ts'
import { couponRoutes } from './coupons.ts'
import { customerBalanceRoutes } from './customer-balance.ts'
import { customerRoutes } from './customers.ts'
import { eventRoutes } from './events.ts'
import { invoicePreviewRoutes } from './invoice-preview.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { paymentRoutes } from './payments.ts'
import { portalConfigurationRoutes } from './portal-configurations.ts'
import { portalSessionRoutes } from './portal-sessions.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'
import { promotionCodeRoutes } from './promotion-codes.ts'
import { subscriptionItemRoutes } from './subscription-items.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { taxRateRoutes } from './tax-rates.ts'
import { testClockRoutes } from './test-clocks.ts'
import { webhookEndpointRoutes } from './webhook-endpoints.ts'

/** All operations of the API. The first matching path wins. */
export const routes: readonly Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...customerRoutes,
  ...customerBalanceRoutes,
  ...paymentMethodRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...invoicePreviewRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...couponRoutes,
  ...promotionCodeRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...taxRateRoutes,
  ...testClockRoutes,
]
