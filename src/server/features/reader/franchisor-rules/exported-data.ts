import { asc } from 'drizzle-orm'
import { franchisorRules } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  franchisorRules: ownRows(
    franchisorRules.userId,
    {
      topic: franchisorRules.topic,
      rule: franchisorRules.rule,
      note: franchisorRules.note,
      saidOn: franchisorRules.saidOn,
      recordedAt: franchisorRules.at,
    },
    asc(franchisorRules.topic),
  ),
}
