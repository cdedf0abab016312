import { asc, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { type PublishingAlert, publishFailureSchema } from '#shared/contracts/publishing/publishing.ts'
import { auditObjectOf } from './stored-document.ts'

/** Documents whose scheduled publishing failed, until they are published, scheduled or dismissed. */
export async function listPublishingAlerts(db: Db): Promise<PublishingAlert[]> {
  const rows = await db
    .select()
    .from(contentDocument)
    .where(isNotNull(contentDocument.publishFailure))
    .orderBy(asc(contentDocument.kind), asc(contentDocument.id))
  return rows.flatMap((row) => {
    const failure = publishFailureSchema.safeParse(row.publishFailure).data
    return failure ? [{ kind: row.kind as DocumentKind, id: row.id, title: auditObjectOf(row).name, failure }] : []
  })
}
