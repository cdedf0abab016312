import type { Route } from '../http/route.ts'
import { customerRoutes } from './customers.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'

/** Every operation of the API; where two paths fit, the first one counts. */
export const routes: readonly Route[] = [...productRoutes, ...priceRoutes, ...customerRoutes, ...paymentMethodRoutes]
