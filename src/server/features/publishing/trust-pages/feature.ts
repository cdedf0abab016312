import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { trustPagesCall } from '#shared/contracts/publishing/trust-pages.ts'
import { adminTrustPagesCall } from '#shared/contracts/publishing/trust-settings.ts'
import { readReplyAddress, readTrustPages, readTrustSettings, saveTrustSettings } from './trust-settings.ts'

const trustPagesCalls = (deps: Deps): Implementation[] => [
  implement(trustPagesCall, async () => readTrustPages(deps)),
  implement(adminTrustPagesCall, async ({ save, version }, who) => {
    const settings = save
      ? await saveTrustSettings(deps, { save, basedOn: version }, who)
      : await readTrustSettings(deps.database.db)
    return { ...settings, replyAddress: await readReplyAddress(deps) }
  }),
]

export const trustPagesFeature: Feature = {
  calls: trustPagesCalls,
}
