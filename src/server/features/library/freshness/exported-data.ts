import { asc, eq } from 'drizzle-orm'
import { emailedChanges, itemUses, seenChanges } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  itemUses: {
    tables: ['public.item_uses'],
    read: (tx, userId) =>
      tx
        .select({
          kind: itemUses.kind,
          id: itemUses.itemId,
          use: itemUses.use,
          firstAt: itemUses.firstAt,
          lastAt: itemUses.lastAt,
        })
        .from(itemUses)
        .where(eq(itemUses.userId, userId))
        .orderBy(asc(itemUses.firstAt)),
  },
  dismissedChanges: {
    tables: ['public.seen_changes'],
    read: (tx, userId) =>
      tx
        .select({ kind: seenChanges.kind, id: seenChanges.itemId, version: seenChanges.version })
        .from(seenChanges)
        .where(eq(seenChanges.userId, userId)),
  },
  emailedChanges: {
    tables: ['public.emailed_changes'],
    read: (tx, userId) =>
      tx
        .select({
          kind: emailedChanges.kind,
          id: emailedChanges.itemId,
          version: emailedChanges.version,
          mailingId: emailedChanges.mailingId,
        })
        .from(emailedChanges)
        .where(eq(emailedChanges.userId, userId)),
  },
}
