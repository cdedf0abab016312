import { asc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentBlock, contentDocument, issueSections, issues } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, editorLabel, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { Block } from '#shared/contracts/publishing/publishing-library.ts'
import { referencedBlockIds } from '#shared/domain/block-references.ts'
import { imagesIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import { countReadingMinutes, nextUpdatedAt } from './write-published.ts'

type BlockRow = typeof contentBlock.$inferSelect

const blockColumns = {
  ...getTableColumns(contentBlock),
  updatedBy: editorLabel(contentBlock.updatedBy, contentBlock.updatedById),
}
type Usage = Block['usedIn'][number]

export async function listBlocks(db: Db): Promise<Block[]> {
  const rows = await db.select(blockColumns).from(contentBlock).orderBy(asc(contentBlock.title), asc(contentBlock.id))
  const uses = await findUses(db)
  return rows.map((row) => toWire(row, uses.get(row.id) ?? []))
}

const toWire = (row: BlockRow, usedIn: Usage[]): Block => ({ ...row, updatedAt: row.updatedAt.toISOString(), usedIn })

/** Documents by the id of the blocks they use. The database filters, so that other documents aren't loaded. */
async function findUses(db: Db | Tx): Promise<Map<string, Usage[]>> {
  const rows = await db
    .select({
      kind: contentDocument.kind,
      id: contentDocument.id,
      title: sql<string>`coalesce(${contentDocument.document} ->> 'title', '')`,
      text: sql<string>`${contentDocument.document}::text`,
    })
    .from(contentDocument)
    .where(sql`${contentDocument.document}::text ~* '\\{\\{\\s*block:'`)
  const uses = new Map<string, Usage[]>()
  for (const { text, kind, ...row } of rows) {
    for (const block of referencedBlockIds(text)) {
      uses.set(block, [...(uses.get(block) ?? []), { ...row, kind: kind as DocumentKind }])
    }
  }
  return uses
}

type SaveBlock = { id: string; version: number; title: string; body: string }

/**
 * Creates (`version` 0) or updates a block. Published issues that use it change at once.
 * @throws AppError edit_conflict with the newer block as `current`; name_taken if a new block's id exists;
 * validation_failed if it references a block or an image that wasn't uploaded here
 */
export async function saveBlock(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  editor: Editor,
  { id, version, title, body }: SaveBlock,
): Promise<Block> {
  validateBody(body)
  return database.db.transaction(async (tx) => {
    const row: BlockRow = { id, title, body, version: version + 1, updatedAt: clock(), ...updatedBy(editor) }
    const [saved] =
      version === 0
        ? await tx.insert(contentBlock).values(row).onConflictDoNothing().returning()
        : await tx
            .update(contentBlock)
            .set(row)
            .where(sql`${contentBlock.id} = ${id} and ${contentBlock.version} = ${version}`)
            .returning()
    const uses = (await findUses(tx)).get(id) ?? []
    if (!saved) throw await saveError(tx, id, version, uses)
    const now = clock()
    await touchIssues(tx, id, now)
    await recordAdminEvent(tx, editor, { event: 'block_saved', object: { kind: 'block', id, name: title }, now })
    return toWire({ ...saved, updatedBy: editor.email }, uses)
  })
}

function validateBody(body: string) {
  if (referencedBlockIds(body).length > 0) {
    throw new AppError('validation_failed', { message: 'A block can’t contain another block' })
  }
  for (const { alt, address } of imagesIn(body)) {
    if (!parseImageAddress(address)) {
      throw new AppError('validation_failed', { message: `The image ${address} isn’t one of your uploads` })
    }
    if (!alt) throw new AppError('validation_failed', { message: 'An image has no alt text' })
  }
}

async function saveError(tx: Tx, id: string, version: number, uses: Usage[]): Promise<AppError> {
  const [current] = await tx.select(blockColumns).from(contentBlock).where(eq(contentBlock.id, id))
  if (!current) return new AppError('not_found')
  if (version === 0) return new AppError('name_taken')
  return conflictOf(toWire(current, uses))
}

const issueUses = (reference: string) => sql`${issues.worth} || ${issues.intro} || ${issues.closing} ~* ${reference}`
const sectionUses = (reference: string) => sql`${issueSections.body} || ${issueSections.examples}::text ~* ${reference}`

/** Invalidates rendered issues that use the block, on every node, and updates their reading time and search texts. */
async function touchIssues(tx: Tx, id: string, now: Date) {
  // Safe in a regular expression: the contract allows only letters, digits and hyphens.
  const reference = `\\{\\{\\s*block:\\s*${id}\\s*\\}\\}`
  const issueIds = tx.select({ id: issueSections.issueId }).from(issueSections).where(sectionUses(reference))
  const rows = await tx
    .select()
    .from(issues)
    .where(or(issueUses(reference), inArray(issues.id, issueIds)))
  for (const issue of rows) {
    const sections = await tx.select().from(issueSections).where(eq(issueSections.issueId, issue.id))
    await tx
      .update(issues)
      .set({ readingMinutes: await countReadingMinutes(tx, { ...issue, sections }), updatedAt: nextUpdatedAt(now) })
      .where(eq(issues.id, issue.id))
    await syncContentItems(tx, now, { kind: 'issue', id: issue.id })
  }
}

/** @throws AppError block_in_use if a document or a published issue uses it; not_found */
export async function deleteBlock(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  editor: Editor,
  id: string,
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(contentBlock)
      .where(eq(contentBlock.id, id))
      .returning({ name: contentBlock.title })
    if (!deleted) throw new AppError('not_found')
    const reference = `\\{\\{\\s*block:\\s*${id}\\s*\\}\\}`
    const inSections = await tx.$count(issueSections, sectionUses(reference))
    const inIssues = await tx.$count(issues, issueUses(reference))
    if (inSections + inIssues > 0 || (await findUses(tx)).has(id)) throw new AppError('block_in_use')
    const object = { kind: 'block', id, name: deleted.name } as const
    await recordAdminEvent(tx, editor, { event: 'block_deleted', object, now: clock() })
  })
}
