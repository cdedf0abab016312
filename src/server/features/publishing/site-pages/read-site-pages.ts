import { and, asc, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { sitePage } from '#server/db/schema/index.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { SitePage, SitePageSummary } from '#shared/contracts/publishing/site-pages.ts'
import { AppError } from '#shared/errors.ts'

const { body: _body, ...summaryColumns } = getTableColumns(sitePage)
const updatedBy = editorLabel(sitePage.updatedBy, sitePage.updatedById)

type Summary = Omit<typeof sitePage.$inferSelect, 'body'>

const toWire = ({ id, path, title, audience, publishedAt, version, ...row }: Summary): SitePageSummary => ({
  id,
  path,
  title,
  audience: audience === 'members' ? 'members' : 'everyone',
  isPublished: publishedAt !== null,
  version,
  updatedAt: row.updatedAt.toISOString(),
  updatedBy: row.updatedBy,
})

export async function listSitePages(db: Db): Promise<SitePageSummary[]> {
  const rows = await db
    .select({ ...summaryColumns, updatedBy })
    .from(sitePage)
    .orderBy(asc(sitePage.title), asc(sitePage.id))
  return rows.map(toWire)
}

/** @throws AppError not_found */
export async function readSitePage(db: Db | Tx, id: string): Promise<SitePage> {
  const [row] = await db
    .select({ ...getTableColumns(sitePage), updatedBy })
    .from(sitePage)
    .where(eq(sitePage.id, id))
  if (!row) throw new AppError('not_found', { message: 'This page was deleted.' })
  return { ...toWire(row), body: row.body }
}

/** @param path without a slash */
export async function readPublishedPage(db: Db, path: string): Promise<(SitePage & { publishedAt: Date }) | null> {
  const [row] = await db
    .select()
    .from(sitePage)
    .where(and(eq(sitePage.path, path), isNotNull(sitePage.publishedAt)))
  return row?.publishedAt ? { ...toWire(row), body: row.body, publishedAt: row.publishedAt } : null
}

/** Published pages that visitors can read. */
export const listOpenPages = (db: Db): Promise<{ path: string; title: string; updatedAt: Date }[]> =>
  db
    .select({ path: sitePage.path, title: sitePage.title, updatedAt: sitePage.updatedAt })
    .from(sitePage)
    .where(and(isNotNull(sitePage.publishedAt), eq(sitePage.audience, 'everyone')))
    .orderBy(asc(sitePage.path))
