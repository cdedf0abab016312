import { checkoutPages } from './checkout.ts'
import { controlPages } from './control.ts'
import { invoicePages } from './invoice.ts'
import { portalPages } from './portal.ts'
import type { PageRoute } from './router.ts'

/** All pages of the sandbox. */
export const pages: readonly PageRoute[] = [...checkoutPages, ...portalPages, ...invoicePages, ...controlPages]
