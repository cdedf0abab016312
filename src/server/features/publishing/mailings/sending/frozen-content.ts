import { and, inArray, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { issues } from '#server/db/schema/index.ts'
import { type MailingContent, mailingContentSchema } from '#shared/contracts/publishing/newsletter.ts'
import { buildContent } from './build-content.ts'
import type { FullMailing } from './mailing-row.ts'

/**
 * The content of a mailing: frozen, or for a draft what is published now.
 * @throws AppError not_found, as `freezeContent`
 */
export const readContent = async (db: Db | Tx, mailing: FullMailing): Promise<MailingContent> =>
  mailing.frozenAt ? mailingContentSchema.parse(mailing.content) : buildContent(db, mailing)

const dropPage = /^\/portal\/weekly-drops\/([a-z0-9-]+)(?:#|$)/

/** Returns true if the content links to an issue that is no longer published. */
export async function hasMissingPages(db: Db | Tx, { path, sections }: MailingContent): Promise<boolean> {
  const slugs = new Set(
    [path, ...sections.map((section) => section.path)].flatMap((each) => dropPage.exec(each ?? '')?.[1] ?? []),
  )
  if (slugs.size === 0) return false
  const there = and(inArray(issues.slug, [...slugs]), isNotNull(issues.publishedAt))
  return (await db.$count(issues, there)) < slugs.size
}
