import { and, eq, ne } from 'drizzle-orm'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { sitePage } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type { SitePage, SitePageInput } from '#shared/contracts/publishing/site-pages.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { imagesIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { findAddressProblem, normalizePageAddress } from '#shared/domain/page-addresses.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import { readSitePage } from './read-site-pages.ts'

type PageDeps = Pick<Deps, 'database' | 'clock' | 'config'>
type Problems = Partial<Record<'path' | 'title' | 'body', string>>

const maxTitleLength = 120

/**
 * Creates (`version` 0) or changes a page.
 * @throws AppError validation_failed with `problems` by field; edit_conflict with the newer page as `current`; not_found
 */
export async function saveSitePage(
  { database, clock, config }: PageDeps,
  who: Actor,
  { id, version, ...given }: SitePageInput,
): Promise<SitePage> {
  const path = normalizePageAddress(given.path)
  const title = given.title.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  const body = given.body.replaceAll(/\r\n?/g, '\n').trim()
  refuse(findProblems({ path, title, body, isPublished: given.isPublished }, config.settings.publication.hiddenPages))
  try {
    return await database.db.transaction(async (tx) => {
      const now = clock()
      const [before] = await tx.select().from(sitePage).where(eq(sitePage.id, id)).for('update')
      if (!before && version > 0) throw new AppError('not_found', { message: 'This page was deleted.' })
      if ((before?.version ?? 0) !== version) throw conflictOf(await readSitePage(tx, id))
      await refuseTakenAddress(tx, path, id)
      const publishedAt = given.isPublished ? (before?.publishedAt ?? now) : null
      const row = { path, title, body, audience: given.audience, publishedAt, version: version + 1, updatedAt: now }
      await tx
        .insert(sitePage)
        .values({ id, ...row, ...updatedBy(who) })
        .onConflictDoUpdate({ target: sitePage.id, set: { ...row, ...updatedBy(who) } })
      const changes = changesBetween(before ? described(before) : {}, described(row))
      if (changes.length > 0) {
        const object = { kind: 'page', id, name: title } as const
        await syncContentItems(tx, now, { kind: 'page' })
        await recordAdminEvent(tx, who, { event: 'site_page_saved', object, changes, now })
      }
      return readSitePage(tx, id)
    })
  } catch (error) {
    // Two people chose the same address at the same moment.
    if (sqlState(error) === uniqueViolation) refuse({ path: takenMessage(path) })
    throw error
  }
}

function findProblems(
  { path, title, body, isPublished }: Record<'path' | 'title' | 'body', string> & { isPublished: boolean },
  hiddenPages: readonly string[],
) {
  const problems: Problems = {}
  const address = findAddressProblem(path, hiddenPages)
  if (address) problems.path = address
  if (title === '') problems.title = 'Enter a title.'
  if (title.length > maxTitleLength) problems.title = `A title can have up to ${maxTitleLength} characters.`
  if (isPublished && body === '') problems.body = 'Write the page before you publish it.'
  for (const { alt, address: image } of imagesIn(body)) {
    if (!parseImageAddress(image)) problems.body = `The image ${image} isn’t one of your uploads.`
    else if (!alt) problems.body = 'An image has no alt text.'
  }
  return problems
}

function refuse(problems: Problems) {
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
}

const takenMessage = (path: string) => `Another page has the address /${path}. Choose another one.`

async function refuseTakenAddress(tx: Tx, path: string, id: string) {
  const [other] = await tx
    .select({ title: sitePage.title })
    .from(sitePage)
    .where(and(eq(sitePage.path, path), ne(sitePage.id, id)))
  if (other) refuse({ path: `The page “${other.title}” has the address /${path}. Choose another one.` })
}

/** For the staff log. */
const described = ({
  path,
  title,
  body,
  audience,
  publishedAt,
}: Pick<typeof sitePage.$inferInsert, 'path' | 'title' | 'body' | 'audience' | 'publishedAt'>) => ({
  address: `/${path}`,
  title,
  text: body,
  audience,
  state: publishedAt ? 'published' : 'draft',
})

/** @throws AppError not_found */
export async function deleteSitePage({ database, clock }: PageDeps, who: Actor, id: string): Promise<void> {
  await database.db.transaction(async (tx) => {
    const [deleted] = await tx.delete(sitePage).where(eq(sitePage.id, id)).returning()
    if (!deleted) throw new AppError('not_found')
    const object = { kind: 'page', id, name: deleted.title } as const
    const changes = changesBetween(described(deleted), {})
    const now = clock()
    await syncContentItems(tx, now, { kind: 'page' })
    await recordAdminEvent(tx, who, { event: 'site_page_deleted', object, changes, now })
  })
}
