import { desc } from 'drizzle-orm'
import { shareLinks } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  sharedLinks: ownRows(
    shareLinks.userId,
    {
      kind: shareLinks.kind,
      id: shareLinks.itemId,
      showsBusiness: shareLinks.showsBusiness,
      createdAt: shareLinks.createdAt,
      expiresAt: shareLinks.expiresAt,
    },
    desc(shareLinks.createdAt),
  ),
}
