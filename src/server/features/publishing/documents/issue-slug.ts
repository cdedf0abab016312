import { eq, ne } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { issues } from '#server/db/schema/index.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { deriveTexts } from '#shared/domain/derive-issue.ts'

/** The slug of an issue that was published; null otherwise. */
export async function readPublishedSlug(db: Db | Tx, id: string): Promise<string | null> {
  const [row] = await db.select({ slug: issues.slug }).from(issues).where(eq(issues.id, id))
  return row?.slug ?? null
}

/** The draft with a slug: its own, the published one, or one made from the title, with a number if that is taken. */
export async function withSlug(db: Db | Tx, id: string, draft: IssueDraft): Promise<IssueDraft> {
  if (draft.slug !== '') return draft
  const published = await readPublishedSlug(db, id)
  return { ...draft, slug: published ?? (await findFreeSlug(db, id, deriveTexts(draft).slug)) }
}

async function findFreeSlug(db: Db | Tx, id: string, wanted: string): Promise<string> {
  const rows = await db.select({ slug: issues.slug }).from(issues).where(ne(issues.id, id))
  const taken = new Set(rows.map(({ slug }) => slug))
  let slug = wanted
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`
  return slug
}
