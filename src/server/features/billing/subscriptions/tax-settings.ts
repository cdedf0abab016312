import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting } from '#server/db/publication-setting.ts'
import { type TaxSettings, taxSettingsSchema } from '#shared/contracts/billing/admin-plans.ts'

export const taxSettingsName = 'tax'

const defaults: TaxSettings = { enabled: false, included: false, taxIds: false, invoiceDays: null }

export async function readTaxSettings(db: Db | Tx): Promise<{ settings: TaxSettings; version: number }> {
  const { version, value } = await readPublicationSetting(db, taxSettingsName)
  return { version, settings: taxSettingsSchema.safeParse(value).data ?? defaults }
}
