import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { contentDocument, contentSchedule, issues } from '#server/db/schema/index.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { CalendarDrop, CalendarMailing, ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { mailingKinds } from '#shared/contracts/publishing/newsletter.ts'
import {
  addDays,
  dayOf,
  findGaps,
  findWeeklyRhythm,
  nextFreeDay,
  weeksOfMonth,
} from '#shared/domain/publishing-calendar.ts'
import { isListed } from './sample-content.ts'
import { auditObjectOf } from './stored-document.ts'

type Planned = { drops: CalendarDrop[]; undated: ContentCalendar['undated']; published: string[] }

/** Drops and mailings of the weeks that a month touches, in the publication's time zone. */
export async function readCalendar(db: Db, month: string | null, now: Date): Promise<ContentCalendar> {
  const { timeZone } = await readSendingSettings(db)
  const today = dayOf(now.toISOString(), timeZone)
  const shown = month ?? today.slice(0, 7)
  const weeks = weeksOfMonth(shown)
  const days = weeks.flat()
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const isShown = ({ day }: { day: string }) => day >= from && day <= to
  const [{ drops, undated, published }, mailings] = await Promise.all([
    readDrops(db, timeZone),
    readMailings(db, { from, to }, timeZone),
  ])
  const rhythm = findWeeklyRhythm(published)
  const planned = drops.map(({ day }) => day)
  return {
    month: shown,
    timeZone,
    today,
    drops: drops.filter(isShown),
    mailings: mailings.filter(isShown),
    undated,
    gaps: findGaps(
      weeks.map(([first = '']) => first),
      planned,
      rhythm,
      today,
    ),
    nextFreeDay: rhythm && nextFreeDay(planned, rhythm, today),
  }
}

/** The date that a new drop gets; empty unless drops come out weekly. */
export async function defaultDropDate(db: Db | Tx, now: Date): Promise<string> {
  const { timeZone } = await readSendingSettings(db)
  const { drops, published } = await readDrops(db, timeZone)
  const rhythm = findWeeklyRhythm(published)
  const today = dayOf(now.toISOString(), timeZone)
  return rhythm
    ? nextFreeDay(
        drops.map(({ day }) => day),
        rhythm,
        today,
      )
    : ''
}

/** All drops without their texts, by day. */
async function readDrops(db: Db | Tx, timeZone: string): Promise<Planned> {
  const rows = await db
    .select({
      kind: contentDocument.kind,
      id: contentDocument.id,
      title: sql<string>`coalesce(${contentDocument.document} ->> 'title', '')`,
      date: sql<string>`coalesce(${contentDocument.document} ->> 'date', '')`,
      version: contentDocument.version,
      publishedVersion: contentDocument.publishedVersion,
      publishedDate: issues.date,
      publishAt: contentSchedule.publishAt,
      emailId: sql<string | null>`(select m.id::text from mailings m where m.issue_id = ${contentDocument.id}
        and m.kind = 'issue' and m.status = 'scheduled' and m.waits_for_version is not null limit 1)`,
      hasFailed: sql<boolean>`${contentDocument.publishFailure} is not null`,
    })
    .from(contentDocument)
    .leftJoin(issues, eq(issues.id, contentDocument.id))
    .leftJoin(
      contentSchedule,
      and(eq(contentSchedule.kind, contentDocument.kind), eq(contentSchedule.id, contentDocument.id)),
    )
    .where(and(eq(contentDocument.kind, 'issue'), isListed))
    .orderBy(desc(contentDocument.updatedAt), contentDocument.id)
  const found: Planned = { drops: [], undated: [], published: [] }
  for (const row of rows) {
    const { id, version, date } = row
    const title = auditObjectOf({ kind: row.kind, id, document: { title: row.title } }).name
    const isPublished = row.publishedVersion !== null && row.publishedDate !== null
    const at = row.publishAt?.toISOString() ?? null
    if (isPublished) {
      const day = row.publishedDate ?? date
      found.published.push(day)
      found.drops.push({ id, title, version, state: 'published', day, at: null, emailId: null })
    }
    if (at)
      found.drops.push({ id, title, version, state: 'scheduled', day: dayOf(at, timeZone), at, emailId: row.emailId })
    if (isPublished || at) continue
    if (date === '') found.undated.push({ id, title, version })
    else {
      const state = row.hasFailed ? 'failed' : 'draft'
      found.drops.push({ id, title, version, state, day: date, at: null, emailId: null })
    }
  }
  found.drops.sort((one, other) => one.day.localeCompare(other.day) || one.id.localeCompare(other.id))
  return found
}

const mailingRows = z.array(
  z.object({
    id: z.uuid(),
    kind: z.enum(mailingKinds),
    issueId: z.string().nullable(),
    subject: z.string(),
    status: z.string(),
    at: z.coerce.date(),
  }),
)
const mailingStates: Record<string, CalendarMailing['state']> = {
  draft: 'failed',
  scheduled: 'scheduled',
  preparing: 'sending',
  sending: 'sending',
  paused: 'paused',
  sent: 'sent',
  stopped: 'stopped',
}

/** Mailings that are scheduled, were started, or weren't sent at their time; without follow-ups, of which there is one a day. */
async function readMailings(
  db: Db,
  { from, to }: { from: string; to: string },
  timeZone: string,
): Promise<CalendarMailing[]> {
  // Wide enough for any time zone; the caller compares the local days.
  const first = `${addDays(from, -1)}T00:00:00Z`
  const last = `${addDays(to, 2)}T00:00:00Z`
  const rows = await queryRows(
    db,
    sql`select id::text as id, kind, issue_id as "issueId", subject, status, at from (
        select *, case
            when status = 'draft' then (send_failure ->> 'scheduledAt')::timestamptz
            when started_at is not null then started_at
            else scheduled_at
          end as at
        from mailings
        where kind not in ('follow-up', 'series', 'personal') and (started_at between ${first}::timestamptz and ${last}::timestamptz
          or status in ('scheduled', 'preparing', 'sending')
          or send_failure is not null)
      ) as known
      where at between ${first}::timestamptz and ${last}::timestamptz
      order by at, id`,
  )
  return mailingRows.parse(rows).flatMap(({ subject, status, at, ...row }) => {
    const state = mailingStates[status]
    if (!state) return []
    const instant = at.toISOString()
    return [{ ...row, title: subject.trim() || 'No subject', state, day: dayOf(instant, timeZone), at: instant }]
  })
}
