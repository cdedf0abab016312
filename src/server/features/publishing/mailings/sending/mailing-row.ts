import { createHash } from 'node:crypto'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readIssueContent } from '#server/features/publishing/documents/issue-content.ts'
import {
  parseSendingSettings,
  sendingSettingsColumn,
} from '#server/features/publishing/sending-settings/sending-settings.ts'
import {
  type Audience,
  audienceSchema,
  type MailingContent,
  type MailingKind,
  type MailingStatus,
  mailingContentSchema,
  mailingKinds,
  mailingStatuses,
} from '#shared/contracts/publishing/newsletter.ts'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import {
  type SubjectTest,
  type SubjectTestResult,
  subjectTestResultSchema,
  subjectTestSchema,
  testedSubjects,
} from '#shared/domain/subject-test.ts'
import { AppError } from '#shared/errors.ts'
import { digestContent } from './digest-content.ts'

type Known = {
  kind: MailingKind
  status: MailingStatus
  audience: Audience
  subjectTest: SubjectTest | null
  subjectTestResult: SubjectTestResult | null
}
export type FullMailing = Omit<typeof mailings.$inferSelect, keyof Known> & Known
/** Leaves out the content, which is large and no longer changes. */
export type MailingRow = Omit<FullMailing, 'content'>

const { content: _content, ...columns } = getTableColumns(mailings)

/**
 * Locks the row until the transaction ends. Every transaction that changes deliveries takes this lock first, so that a
 * pause or stop can't interleave with it and updates of the counts can't deadlock.
 * @throws AppError not_found
 */
export async function lockMailing(tx: Tx, id: string): Promise<MailingRow> {
  const [row] = await tx.select(columns).from(mailings).where(eq(mailings.id, id)).for('no key update')
  if (!row) throw new AppError('not_found')
  return readRow(row)
}

/**
 * Locks the row and reads the settings, so that changed limits apply from the next batch on.
 * @throws AppError not_found
 */
export async function lockMailingAndSettings(
  tx: Tx,
  id: string,
): Promise<{ mailing: MailingRow; settings: SendingSettings }> {
  const [row] = await tx
    .select({ ...columns, settings: sendingSettingsColumn })
    .from(mailings)
    .where(eq(mailings.id, id))
    .for('no key update')
  if (!row) throw new AppError('not_found')
  const { settings, ...mailing } = row
  return { mailing: readRow(mailing), settings: parseSendingSettings(settings) }
}

/** @throws AppError not_found */
export async function findMailing(db: Db | Tx, id: string): Promise<FullMailing> {
  const [row] = await db.select().from(mailings).where(eq(mailings.id, id))
  if (!row) throw new AppError('not_found')
  return readRow(row)
}

type Unread = Record<'audience' | 'subjectTest' | 'subjectTestResult', unknown> & { kind: string; status: string }

export const readRow = <Row extends Unread>(row: Row): Omit<Row, keyof Known> & Known => ({
  ...row,
  kind: oneOf(mailingKinds, row.kind),
  status: oneOf(mailingStatuses, row.status),
  audience: audienceSchema.parse(row.audience),
  subjectTest: subjectTestSchema.nullable().parse(row.subjectTest),
  subjectTestResult: subjectTestResultSchema.nullable().parse(row.subjectTestResult),
})

/** An id that every node derives from the same occasion, so that several nodes create its mailing once. */
export function derivedMailingId(occasion: string): string {
  const hex = createHash('sha256').update(occasion).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function oneOf<const Word extends string>(words: readonly Word[], word: string): Word {
  const found = words.find((each) => each === word)
  if (!found) throw new Error(`unknown value: ${word}`)
  return found
}

/**
 * Builds the content that a mailing would send now.
 * @throws AppError not_found for an unpublished issue or news or follow-ups without a text
 */
export async function buildContent(
  db: Db | Tx,
  mailing: Pick<FullMailing, 'kind' | 'issueId' | 'subject' | 'preheader' | 'content' | 'createdAt' | 'subjectTest'>,
): Promise<MailingContent> {
  const { kind, subject, preheader } = mailing
  const [, ...otherSubjects] = testedSubjects(subject, mailing.subjectTest)
  const content = { ...(await contentOf(db, mailing)), kind, subject, preheader }
  return otherSubjects.length > 0 ? { ...content, otherSubjects } : content
}

async function contentOf(db: Db | Tx, mailing: Parameters<typeof buildContent>[1]) {
  switch (mailing.kind) {
    case 'issue':
      if (!mailing.issueId) throw new AppError('not_found')
      return readIssueContent(db, mailing.issueId)
    case 'digest':
      return digestContent(db, mailing.createdAt)
    case 'news':
    case 'follow-up':
    case 'series':
    case 'personal':
      if (!mailing.content) throw new AppError('not_found')
      return mailingContentSchema.parse(mailing.content)
  }
}

export type SendingDeps = Pick<
  Deps,
  'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'newsletterMailer' | 'enqueue'
>
