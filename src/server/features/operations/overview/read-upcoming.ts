import { and, desc, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { contentDocument, contentSchedule, mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { checkDocument } from '#server/features/publishing/documents/check-document.ts'
import { isListed } from '#server/features/publishing/documents/sample-content.ts'
import { contentOf } from '#server/features/publishing/mailings/admin/read-mailing.ts'
import { findProblems } from '#server/features/publishing/mailings/checks/locate-problem.ts'
import { type FullMailing, readRow } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { hasMissingPages } from '#server/features/publishing/mailings/sending/start-scheduled-mailing.ts'
import type { Upcoming } from '#shared/contracts/operations/admin-overview.ts'
import { problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { unlistedKinds } from '#shared/contracts/publishing/newsletter.ts'
import { errorsIn } from '#shared/contracts/publishing/publishable.ts'
import { dayMs } from '#shared/domain/durations.ts'

export type OverviewDeps = Pick<Deps, 'config' | 'database' | 'newsletterMailer' | 'clock'>

const maxDrafts = 2
const maxScheduled = 4
const maxUnsent = 2
const maxMessages = 3
/** Drops that were published longer ago aren't waiting for their email anymore. */
const unsentDays = 14
/** Older drafts of mailings were given up. */
const draftDays = 30

/** Drops and mailings that go out next, with what each still needs. Sorted by time; those without a time come last. */
export async function readUpcoming(deps: OverviewDeps, now: Date): Promise<Upcoming[]> {
  const { db } = deps.database
  const [drops, unsent, ofMailings] = await Promise.all([
    readDrops(db, now),
    readUnsentDrops(db, now),
    readMailings(deps, now),
  ])
  const timeOf = ({ at }: Upcoming) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))
  return [...unsent, ...drops, ...ofMailings].toSorted((one, other) =>
    timeOf(one) === timeOf(other) ? one.id.localeCompare(other.id) : timeOf(one) - timeOf(other),
  )
}

const needsOf = (messages: readonly string[]): Upcoming['needs'] => {
  const all = [...new Set(messages)]
  return { count: all.length, first: all.slice(0, maxMessages) }
}

const titleOf = (document: unknown) => (document as { title?: string }).title?.trim() || 'Untitled drop'

/** Scheduled drops and the drafts edited last. */
async function readDrops(db: Db, now: Date): Promise<Upcoming[]> {
  const isIssue = eq(contentDocument.kind, 'issue')
  const [scheduled, drafts] = await Promise.all([
    db
      .select()
      .from(contentSchedule)
      .where(eq(contentSchedule.kind, 'issue'))
      .orderBy(contentSchedule.publishAt, contentSchedule.id)
      .limit(maxScheduled),
    db
      .select({ id: contentDocument.id, document: contentDocument.document })
      .from(contentDocument)
      .leftJoin(
        contentSchedule,
        and(eq(contentSchedule.kind, contentDocument.kind), eq(contentSchedule.id, contentDocument.id)),
      )
      .where(
        and(
          isIssue,
          isNull(contentDocument.publishedVersion),
          isListed,
          isNull(contentDocument.publishFailure),
          isNull(contentSchedule.id),
        ),
      )
      .orderBy(desc(contentDocument.updatedAt), contentDocument.id)
      .limit(maxDrafts),
  ])
  const check = async (id: string, document: unknown, publishAt: Date | null) => {
    const problems = errorsIn(await checkDocument(db, { kind: 'issue', id }, document, { now, publishAt }))
    return needsOf(problems.map(({ message }) => message))
  }
  return Promise.all([
    ...scheduled.map(async ({ id, document, publishAt }) => ({
      ...{ kind: 'drop' as const, id, title: titleOf(document), state: 'scheduled' as const },
      at: publishAt.toISOString(),
      needs: await check(id, document, publishAt),
    })),
    ...drafts.map(async ({ id, document }) => ({
      ...{ kind: 'drop' as const, id, title: titleOf(document), state: 'draft' as const },
      at: null,
      needs: await check(id, document, null),
    })),
  ])
}

/** Drops that readers see in the portal and that no mailing contains yet. */
async function readUnsentDrops(db: Db, now: Date): Promise<Upcoming[]> {
  const since = new Date(now.getTime() - unsentDays * dayMs)
  const rows = await queryRows<{ id: string; title: string; day: string }>(
    db,
    sql`select i.id, i.title, i.date::text as day from issues i
      where i.published_at >= ${since.toISOString()}::timestamptz and i.date >= ${since.toISOString().slice(0, 10)}::date
        and not exists (select 1 from mailings m
          where m.issue_id = i.id and not (m.status = 'stopped' and m.started_at is null))
      order by i.date desc, i.id limit ${maxUnsent}`,
  )
  return rows.map(({ id, title, day }) => ({
    ...{ kind: 'drop' as const, id, title, state: 'published' as const },
    at: `${day}T00:00:00.000Z`,
    needs: needsOf(['Prepare its email']),
  }))
}

/** Leaves out mailings that the alerts list: those that failed or paused automatically. */
async function readMailings(deps: OverviewDeps, now: Date): Promise<Upcoming[]> {
  const { db } = deps.database
  const since = new Date(now.getTime() - draftDays * dayMs)
  const isWanted = and(notInArray(mailings.kind, [...unlistedKinds]), isNull(mailings.sendFailure))
  const [open, paused, drafts] = await Promise.all([
    db
      .select()
      .from(mailings)
      .where(and(isWanted, inArray(mailings.status, ['scheduled', 'preparing', 'sending'])))
      .orderBy(mailings.scheduledAt, mailings.id)
      .limit(maxScheduled),
    db
      .select()
      .from(mailings)
      .where(
        and(
          isWanted,
          sql`(${mailings.sendFailure} is not null or ${mailings.status} = 'paused')`,
          eq(mailings.pauseReason, 'publisher'),
        ),
      )
      .orderBy(desc(mailings.updatedAt))
      .limit(maxDrafts),
    db
      .select()
      .from(mailings)
      .where(
        and(isWanted, eq(mailings.status, 'draft'), sql`${mailings.createdAt} >= ${since.toISOString()}::timestamptz`),
      )
      .orderBy(desc(mailings.createdAt), desc(mailings.id))
      .limit(maxDrafts),
  ])
  return Promise.all([...open, ...paused, ...drafts].map((row) => toUpcoming(deps, readRow(row))))
}

async function toUpcoming(deps: OverviewDeps, mailing: FullMailing): Promise<Upcoming> {
  const { id, subject, status, scheduledAt, startedAt } = mailing
  const isUnsent = status === 'draft' || status === 'scheduled'
  return {
    kind: 'mailing',
    id,
    title: subject.trim() || 'No subject',
    state: status,
    at: (status === 'scheduled' ? scheduledAt : startedAt)?.toISOString() ?? null,
    needs: needsOf(isUnsent ? await problemsOf(deps, mailing) : []),
  }
}

/** Errors that would stop sending. Addresses of other servers are checked on the mailing's own page. */
async function problemsOf(deps: OverviewDeps, mailing: FullMailing): Promise<string[]> {
  const { db } = deps.database
  const content = await contentOf(db, mailing)
  const waits = mailing.waitsForVersion !== null
  const [problems, isIncomplete] = await Promise.all([
    findProblems(deps, content, { withoutNetwork: true, assumePublished: waits ? content.path : null }),
    mailing.status === 'scheduled' && !waits && hasMissingPages(db, content),
  ])
  const accepted = Array.isArray(mailing.acceptedErrors) ? mailing.acceptedErrors : []
  const errors = problems.filter(({ severity }) => severity === 'error').map(problemText)
  return [
    ...(isIncomplete ? ['One of its drops isn’t published anymore'] : []),
    ...errors.filter((text) => !accepted.includes(text)),
  ]
}
