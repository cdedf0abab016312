import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import { textFile } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { textFilePath } from '#shared/domain/text-files.ts'
import { AppError } from '#shared/errors.ts'
import { createDownloadToken, downloadLinkTtlMs } from './download-token.ts'

/** Players ask for parts of a sound for as long as someone listens. */
const audioLinkTtlMs = 6 * hourMs

/** An uploaded file that texts link to. @throws AppError not_found */
export async function findTextFile(db: Db, path: string) {
  const [, hash = ''] = textFilePath.exec(path) ?? []
  const { name, contentType } = textFile
  const [file] = await db
    .select({ hash: textFile.hash, name, contentType })
    .from(textFile)
    .where(eq(textFile.hash, hash))
  if (!file) throw new AppError('not_found')
  return file
}

const placeSchema = z.tuple([z.object({ isOpen: z.boolean(), slug: z.string().nullable() })])

/** Whether a published text that everyone may read has the file, and a drop that has it. */
export async function findPlace(db: Db, hash: string): Promise<{ isOpen: boolean; slug: string | null }> {
  const rows = await queryRows(
    db,
    sql`
    with texts as (
      select i.slug, i.intro as text, true as open from issues i where i.published_at is not null
      union all
      select i.slug, i.worth || i.closing, not exists (
        select 1 from issue_sections s where s.issue_id = i.id and not s.open_to_everyone)
        from issues i where i.published_at is not null
      union all
      select i.slug, s.body, s.open_to_everyone
        from issue_sections s join issues i on i.id = s.issue_id where i.published_at is not null
      union all
      select null, body, audience = 'everyone' from site_page where published_at is not null
    ), blocks as (select '\{\{\s*block:\s*' || id || '\s*\}\}' as mark from content_block where strpos(body, ${hash}) > 0)
    select coalesce(bool_or(open), false) as "isOpen", min(slug) as slug from texts
      where strpos(text, ${hash}) > 0 or exists (select 1 from blocks where text ~ mark)`,
  )
  return placeSchema.parse(rows)[0]
}

/** A link to the file for a reader with access, which is checked again when the file is read. @throws AppError not_found */
export async function openTextFile(
  deps: Pick<Deps, 'database' | 'config' | 'secrets' | 'clock'>,
  userId: string,
  path: string,
) {
  const { contentType } = await findTextFile(deps.database.db, path)
  const ttlMs = contentType.startsWith('audio/') ? audioLinkTtlMs : downloadLinkTtlMs
  const token = createDownloadToken(deps, { guideId: '', file: path, userId }, ttlMs)
  return { url: `${deps.config.publicUrl}/downloads/${token}` }
}
