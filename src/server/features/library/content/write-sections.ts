import { and, eq, notInArray } from 'drizzle-orm'
import { excludedColumns, type Tx } from '#server/db/database.ts'
import { issueSections } from '#server/db/schema/index.ts'

type Section = Omit<typeof issueSections.$inferInsert, 'issueId' | 'position'>

/** Replaces the sections of an issue. Updates those whose id is known, so that references to them stay valid. */
export async function writeSections(tx: Tx, issueId: string, sections: readonly Section[]): Promise<void> {
  const rows = sections.map((section, index) => ({ ...section, issueId, position: index + 1 }))
  const ids = rows.map(({ id }) => id)
  await tx.delete(issueSections).where(and(eq(issueSections.issueId, issueId), notInArray(issueSections.id, ids)))
  await tx
    .insert(issueSections)
    .values(rows)
    .onConflictDoUpdate({ target: issueSections.id, set: excludedColumns(issueSections) })
}
