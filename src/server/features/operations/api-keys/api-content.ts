import { and, asc, desc, eq, isNotNull, lt, or } from 'drizzle-orm'
import { z } from 'zod'
import { issueSections, issues } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { listMailings, readMailingSummary } from '#server/features/publishing/mailings/admin/list-mailings.ts'
import { readRecording } from '#server/features/publishing/recordings/recordings.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { MailingSummary } from '#shared/contracts/publishing/mailings.ts'
import { unlistedKinds } from '#shared/contracts/publishing/newsletter.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import { AppError } from '#shared/errors.ts'

type ContentDeps = Pick<Deps, 'config' | 'database'>
type Query = { cursor?: string; limit?: number }

const defaultPageSize = 50
const positionSchema = z.tuple([z.iso.date(), z.string().max(200)])

const toDrop = ({ publicUrl, settings }: ContentDeps['config'], row: typeof issues.$inferSelect) => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  preview: row.preview,
  date: row.date,
  tags: optionLabels(settings.publication, 'focusAreas', row.tags),
  readingMinutes: row.readingMinutes,
  publishedAt: row.publishedAt?.toISOString() ?? null,
  url: `${publicUrl}/portal/weekly-drops/${row.slug}`,
})

/** Published drops, newest first. */
export async function listApiDrops({ config, database }: ContentDeps, { cursor, limit = defaultPageSize }: Query) {
  const [date, id] = cursor ? decodeCursor(cursor, positionSchema) : []
  const older = date && id ? or(lt(issues.date, date), and(eq(issues.date, date), lt(issues.id, id))) : undefined
  const rows = await database.db
    .select()
    .from(issues)
    .where(and(isNotNull(issues.publishedAt), older))
    .orderBy(desc(issues.date), desc(issues.id))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.date, last.id])
  return { items: page.map((row) => toDrop(config, row)), nextCursor }
}

/** @throws AppError not_found */
export async function readApiDrop({ config, database }: ContentDeps, id: string) {
  const { db } = database
  const [row] = await db
    .select()
    .from(issues)
    .where(and(eq(issues.id, id), isNotNull(issues.publishedAt)))
  if (!row) throw new AppError('not_found')
  const sections = await db
    .select({ heading: issueSections.heading, body: issueSections.body })
    .from(issueSections)
    .where(eq(issueSections.issueId, id))
    .orderBy(asc(issueSections.position))
  const { recording, downloads } = await readRecording({ config, database }, id)
  const texts = { intro: row.intro, closing: row.closing, sections }
  return { ...toDrop(config, row), ...texts, recording: recording && { ...recording, downloads } }
}

/** Newest first, without follow-ups and emails of series. */
export async function listApiMailings({ database }: Pick<ContentDeps, 'database'>, query: Query) {
  const { items, nextCursor } = await listMailings(database.db, { limit: defaultPageSize, ...query })
  return { items: items.map(toMailing), nextCursor }
}

/** Doesn't find what the list leaves out. @throws AppError not_found */
export async function readApiMailing({ database: { db } }: Pick<ContentDeps, 'database'>, id: string) {
  const mailing = await readMailingSummary(db, id)
  if (!mailing || unlistedKinds.includes(mailing.kind)) throw new AppError('not_found')
  return toMailing(mailing)
}

const toMailing = ({ id, kind, subject, status, startedAt, finishedAt, progress }: MailingSummary) => ({
  id,
  kind,
  subject,
  status,
  startedAt,
  finishedAt,
  figures: {
    recipients: progress.total,
    delivered: progress.delivered,
    opened: progress.opened,
    clicked: progress.clicked,
    unsubscribed: progress.unsubscribed,
    hardBounces: progress.hardBounces,
    softBounces: progress.softBounces,
    complaints: progress.complaints,
  },
})
