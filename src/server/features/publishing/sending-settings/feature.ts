import type { Feature } from '#server/feature.ts'
import { sendingSettingsCalls } from './sending-settings.calls.ts'

export const sendingSettingsFeature: Feature = {
  calls: sendingSettingsCalls,
}
