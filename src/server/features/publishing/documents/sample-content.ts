import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentDocument, seedState, sitePage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import { samplePageIds } from '#server/features/library/content/content-files.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { samplesRemovedKey } from '#server/features/publishing/site-settings/hidden-pages.ts'
import type { SampleCounts } from '#shared/contracts/publishing/content-cleanup.ts'
import { documentKinds } from '#shared/contracts/publishing/documents.ts'
import { publishedTables } from './stored-document.ts'

type SampleDeps = Pick<Deps, 'database' | 'clock'>

/** A document from `content/` that nobody has saved, published or unpublished in the admin. */
const isSample = eq(contentDocument.editedInAdmin, false)

/** Removed samples keep their rows, since saved items and sent emails refer to them, but lists leave them out. */
export const isRemovedSample = and(isSample, isNull(contentDocument.publishedVersion)) as SQL
export const isListed = sql`not ${isRemovedSample}`

/** Scheduled, or in a mailing other than a draft: then it is part of what the publisher sends. */
const isInUse = sql`(
  exists (select 1 from content_schedule s where s.kind = ${contentDocument.kind} and s.id = ${contentDocument.id})
  or exists (select 1 from mailings m where ${contentDocument.kind} = 'issue' and m.status <> 'draft'
    and (m.issue_id = ${contentDocument.id}
      or strpos(m.content::text, '"/portal/weekly-drops/' || ${contentDocument.id} || '#') > 0)))`

/** The pages of rules and changes, unless the publisher edited them. */
const isSamplePage = and(inArray(sitePage.id, Object.values(samplePageIds)), eq(sitePage.version, 1))

const isShown = and(isSample, isNotNull(contentDocument.publishedVersion))

export async function countSamples(db: Db | Tx): Promise<SampleCounts> {
  const countOf = (condition: SQL | undefined) => db.$count(contentDocument, condition)
  return {
    shown: await countOf(and(isShown, sql`not ${isInUse}`)),
    removed: await countOf(isRemovedSample),
    inUse: await countOf(and(isShown, isInUse)),
  }
}

/** Unpublishes the samples in one transaction. A second call finds none and changes nothing. */
export async function removeSamples({ database, clock }: SampleDeps, editor: Editor): Promise<SampleCounts> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const samples = await lockSamples(tx, and(isShown, sql`not ${isInUse}`))
    if (samples.length === 0) return countSamples(tx)
    for (const kind of documentKinds) {
      const ids = samples.filter((sample) => sample.kind === kind).map(({ id }) => id)
      const table = publishedTables[kind]
      await tx.update(table).set({ publishedAt: null }).where(inArray(table.id, ids))
      await tx.update(contentDocument).set({ publishedVersion: null }).where(isOneOf(kind, ids))
    }
    await tx.update(sitePage).set({ publishedAt: null }).where(isSamplePage)
    await tx
      .insert(seedState)
      .values({ name: samplesRemovedKey, hash: '', seededAt: now })
      .onConflictDoUpdate({ target: seedState.name, set: { seededAt: now } })
    await syncContentItems(tx, now)
    const note = samples.length === 1 ? '1 sample' : `${samples.length} samples`
    await recordAdminEvent(tx, editor, { event: 'samples_removed', note, now })
    return countSamples(tx)
  })
}

/** Publishes the removed samples again. Those that were edited in the meantime are the publisher's, and stay drafts. */
export async function restoreSamples({ database, clock }: SampleDeps, editor: Editor): Promise<SampleCounts> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const samples = await lockSamples(tx, isRemovedSample)
    await tx.delete(seedState).where(eq(seedState.name, samplesRemovedKey))
    await tx.update(sitePage).set({ publishedAt: now }).where(isSamplePage)
    if (samples.length === 0) return countSamples(tx)
    for (const kind of documentKinds) {
      const ids = samples.filter((sample) => sample.kind === kind).map(({ id }) => id)
      const table = publishedTables[kind]
      const firstPublishedAt = sql`(select d.created_at from content_document d where d.kind = ${kind} and d.id = ${table.id})`
      await tx.update(table).set({ publishedAt: firstPublishedAt }).where(inArray(table.id, ids))
      await tx.update(contentDocument).set({ publishedVersion: contentDocument.version }).where(isOneOf(kind, ids))
    }
    await syncContentItems(tx, now)
    const note = samples.length === 1 ? '1 sample' : `${samples.length} samples`
    await recordAdminEvent(tx, editor, { event: 'samples_restored', note, now })
    return countSamples(tx)
  })
}

/** Locked in one order, so that two tabs wait for each other instead of failing. */
const lockSamples = (tx: Tx, condition: SQL | undefined) =>
  tx
    .select({ kind: contentDocument.kind, id: contentDocument.id })
    .from(contentDocument)
    .where(condition)
    .orderBy(contentDocument.kind, contentDocument.id)
    .for('update')

const isOneOf = (kind: string, ids: readonly string[]) =>
  and(eq(contentDocument.kind, kind), inArray(contentDocument.id, [...ids]))
