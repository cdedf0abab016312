import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { contentDocument, issues, prompts } from '#server/db/schema/index.ts'
import type { ContentFiles, DropFile } from '#server/features/library/content/content-files.ts'
import type { DocumentKind, Draft } from '#shared/contracts/publishing/documents.ts'

type SeededDocument = { kind: DocumentKind; id: string; document: Draft }

/** Ids of the documents that were created or saved in the admin. The seed leaves them alone. */
export async function readEditedInAdmin(tx: Tx): Promise<Record<DocumentKind, string[]>> {
  const rows = await tx
    .select({ kind: contentDocument.kind, id: contentDocument.id })
    .from(contentDocument)
    .where(eq(contentDocument.editedInAdmin, true))
  const of = (kind: DocumentKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  return { issue: of('issue'), 'prompt-pack': of('prompt-pack'), guide: of('guide'), tool: of('tool') }
}

/** The files without documents that were edited in the admin or whose slug or prompt ids are taken by one. */
export async function excludeEdited(
  tx: Tx,
  files: ContentFiles,
  edited: Record<DocumentKind, string[]>,
): Promise<ContentFiles> {
  const slugs = edited.issue.length
    ? await tx.select({ slug: issues.slug }).from(issues).where(inArray(issues.id, edited.issue))
    : []
  const packs = edited['prompt-pack']
  const packPrompts = packs.length
    ? await tx.select({ id: prompts.id }).from(prompts).where(inArray(prompts.categoryId, packs))
    : []
  const takenSlugs = new Set([...edited.issue, ...slugs.map(({ slug }) => slug)])
  const takenPrompts = new Set(packPrompts.map(({ id }) => id))
  return {
    ...files,
    drops: files.drops.filter(({ slug }) => !takenSlugs.has(slug)),
    categories: files.categories
      .filter(({ key }) => !packs.includes(key))
      .map((category) => ({ ...category, prompts: category.prompts.filter(({ id }) => !takenPrompts.has(id)) })),
    guides: files.guides.filter(({ id }) => !edited.guide.includes(id)),
    tools: files.tools.filter(({ id }) => !edited.tool.includes(id)),
  }
}

/** Stores the files as published documents, so that they can be edited in the admin. */
export async function seedDocuments(tx: Tx, files: ContentFiles, now: Date): Promise<void> {
  const documents = documentsOf(files)
  const hasChanged = sql`${contentDocument.document} is distinct from excluded.document`
  const version = sql`${contentDocument.version} + case when ${hasChanged} then 1 else 0 end`
  for (const { kind, id, document } of documents) {
    await tx
      .insert(contentDocument)
      .values({ kind, id, document, version: 1, publishedVersion: 1, createdAt: now, updatedAt: now, updatedBy: null })
      .onConflictDoUpdate({
        target: [contentDocument.kind, contentDocument.id],
        set: {
          document,
          version,
          publishedVersion: version,
          updatedAt: sql`case when ${hasChanged} then excluded.updated_at else ${contentDocument.updatedAt} end`,
        },
      })
  }
  for (const kind of ['prompt-pack', 'guide', 'tool'] as const) {
    const ids = documents.filter((seeded) => seeded.kind === kind).map(({ id }) => id)
    const isGone = and(eq(contentDocument.kind, kind), notInArray(contentDocument.id, ids))
    await tx.delete(contentDocument).where(and(isGone, eq(contentDocument.editedInAdmin, false)))
  }
}

/** Section ids are unique within a file. Neither part can contain "--", so the joined ids are unique across issues. */
export const sectionDraftsOf = ({ slug, sections }: Pick<DropFile, 'slug' | 'sections'>) =>
  sections.map((section) => ({ goals: [], ...section, id: `${slug}--${section.id}` }))

/** Drafts have an empty text where files and tables have no day. */
const withDraftDay = <Item extends { validUntil: string | null }>(item: Item) => ({
  ...item,
  validUntil: item.validUntil ?? '',
})

function documentsOf(files: ContentFiles): SeededDocument[] {
  return [
    ...files.drops.map(
      ({ sections, checkedOn, ...drop }): SeededDocument => ({
        kind: 'issue',
        id: drop.slug,
        document: {
          ...drop,
          checkedOn,
          sections: sectionDraftsOf({ slug: drop.slug, sections }).map(withDraftDay),
        },
      }),
    ),
    ...files.categories.map(
      ({ key, title, summary, checkedOn, prompts: list }): SeededDocument => ({
        kind: 'prompt-pack',
        id: key,
        document: { title, summary, checkedOn, prompts: list.map(withDraftDay) },
      }),
    ),
    ...files.guides.map(
      ({
        id,
        type,
        title,
        description,
        format,
        extent,
        inside,
        checkedOn,
        touches,
        validUntil,
        changeNote,
        gift,
      }): SeededDocument => ({
        kind: 'guide',
        id,
        document: {
          type,
          title,
          description,
          format,
          extent,
          inside,
          checkedOn,
          touches,
          validUntil: validUntil ?? '',
          changeNote,
          fileVersion: null,
          gift,
        },
      }),
    ),
    ...files.tools.map(
      ({ id, testedOn, checkedOn, validUntil, testSheet: _, ...tool }): SeededDocument => ({
        kind: 'tool',
        id,
        document: { ...tool, testedOn: testedOn ?? '', checkedOn, validUntil: validUntil ?? '' },
      }),
    ),
  ]
}
