import { importedStripeCustomer } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  importedStripeCustomer: ownRow(importedStripeCustomer.userId, {
    stripeCustomerId: importedStripeCustomer.stripeCustomerId,
  }),
}
