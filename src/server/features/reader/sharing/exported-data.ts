import { desc, eq } from 'drizzle-orm'
import { shareLinks } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  sharedLinks: {
    tables: ['public.share_links'],
    read: (tx, userId) =>
      tx
        .select({
          kind: shareLinks.kind,
          id: shareLinks.itemId,
          showsBusiness: shareLinks.showsBusiness,
          createdAt: shareLinks.createdAt,
          expiresAt: shareLinks.expiresAt,
        })
        .from(shareLinks)
        .where(eq(shareLinks.userId, userId))
        .orderBy(desc(shareLinks.createdAt)),
  },
}
