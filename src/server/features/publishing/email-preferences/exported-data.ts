import { emailPreferences } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  emailPreferences: ownRow(emailPreferences.userId, {
    drops: emailPreferences.drops,
    news: emailPreferences.news,
    followUps: emailPreferences.followUps,
    assignments: emailPreferences.assignments,
    timeZone: emailPreferences.timeZone,
    dropTime: emailPreferences.dropTime,
    usualHour: emailPreferences.usualHour,
    allowsTracking: emailPreferences.allowsTracking,
    freeSince: emailPreferences.freeSince,
    freeSource: emailPreferences.freeSource,
    updatedAt: emailPreferences.updatedAt,
    unsubscribedAt: emailPreferences.unsubscribedAt,
  }),
}
