import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminSendingSettingsCall } from '#shared/contracts/publishing/sending-settings.ts'

export const sendingSettingsQuery = alwaysStaleQuery(['admin-sending-settings'], adminSendingSettingsCall, {})
