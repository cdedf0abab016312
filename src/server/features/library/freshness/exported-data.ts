import { asc } from 'drizzle-orm'
import { emailedChanges, itemUses, seenChanges } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  itemUses: ownRows(
    itemUses.userId,
    {
      kind: itemUses.kind,
      id: itemUses.itemId,
      use: itemUses.use,
      firstAt: itemUses.firstAt,
      lastAt: itemUses.lastAt,
    },
    asc(itemUses.firstAt),
  ),
  dismissedChanges: ownRows(seenChanges.userId, {
    kind: seenChanges.kind,
    id: seenChanges.itemId,
    version: seenChanges.version,
  }),
  emailedChanges: ownRows(emailedChanges.userId, {
    kind: emailedChanges.kind,
    id: emailedChanges.itemId,
    version: emailedChanges.version,
    mailingId: emailedChanges.mailingId,
  }),
}
