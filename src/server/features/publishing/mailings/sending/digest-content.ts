import { and, asc, gte, isNotNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { issues } from '#server/db/schema/index.ts'
import { readIssueContent } from '#server/features/publishing/documents/issue-content.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { EmailSection, MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'

/** The previous calendar month in the publication's time zone: its first day and the day after its last. */
export function monthBefore(now: Date, timeZone: string): { from: string; until: string } {
  const until = `${localTimeOf(now.toISOString(), timeZone).slice(0, 7)}-01`
  const lastDay = new Date(Date.parse(until) - 1)
  return { from: `${lastDay.toISOString().slice(0, 7)}-01`, until }
}

/**
 * All sections published in the previous month.
 * @throws AppError not_found for a month without issues
 */
export async function digestContent(
  db: Db | Tx,
  now: Date,
): Promise<Omit<MailingContent, 'kind' | 'subject' | 'preheader'>> {
  const { timeZone } = await readSendingSettings(db)
  const { from, until } = monthBefore(now, timeZone)
  const found = await db
    .select({ id: issues.id, preview: issues.preview })
    .from(issues)
    .where(and(isNotNull(issues.publishedAt), gte(issues.date, from), lt(issues.date, until)))
    .orderBy(asc(issues.date), asc(issues.id))
  if (found.length === 0) throw new AppError('not_found', { message: `No drops were published in ${monthName(from)}.` })
  const sections: MailingContent['sections'] = []
  for (const { id, preview } of found) {
    const issue = await readIssueContent(db, id)
    sections.push(...issue.sections.map((section) => named(section, { title: issue.title, preview })))
  }
  return {
    title: monthName(from),
    date: null,
    worth: '',
    intro: 'Everything we published this month, most relevant to your business first.',
    sections,
    closing: '',
    question: '',
    path: '/portal/weekly-drops',
  }
}

/** A text without a heading is listed with the title and preview of its drop. */
const named = (section: EmailSection, { title, preview }: { title: string; preview: string }): EmailSection =>
  section.heading === '' ? { ...section, heading: title, summary: section.summary || preview } : section

const monthName = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
