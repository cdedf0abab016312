import { asc, eq } from 'drizzle-orm'
import { franchisorRules } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  franchisorRules: {
    tables: ['public.franchisor_rules'],
    read: (tx, userId) =>
      tx
        .select({
          topic: franchisorRules.topic,
          rule: franchisorRules.rule,
          note: franchisorRules.note,
          saidOn: franchisorRules.saidOn,
          recordedAt: franchisorRules.at,
        })
        .from(franchisorRules)
        .where(eq(franchisorRules.userId, userId))
        .orderBy(asc(franchisorRules.topic)),
  },
}
