import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { importedStripeCustomer } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  importedStripeCustomer: {
    tables: ['public.imported_stripe_customer'],
    read: (tx, userId) =>
      firstOrNull(
        tx
          .select({ stripeCustomerId: importedStripeCustomer.stripeCustomerId })
          .from(importedStripeCustomer)
          .where(eq(importedStripeCustomer.userId, userId)),
      ),
  },
}
