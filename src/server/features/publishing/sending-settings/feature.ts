import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminSendingSettingsCall } from '#shared/contracts/publishing/sending-settings.ts'
import { readVersionedSendingSettings, saveSendingSettings } from './sending-settings.ts'

const sendingSettingsCalls = (deps: Deps): Implementation[] => [
  implement(adminSendingSettingsCall, async ({ save, version }, who) => {
    const settings = save
      ? await saveSendingSettings(deps, { save, basedOn: version }, who)
      : await readVersionedSendingSettings(deps.database.db)
    const { samplePostalAddress } = deps.config
    return {
      ...settings,
      samplePostalAddress,
      isOnHold: await isOnHold(deps.database.db),
      senderAddress: deps.newsletterMailer.from.address,
    }
  }),
]

export const sendingSettingsFeature: Feature = {
  calls: sendingSettingsCalls,
}
