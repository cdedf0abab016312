import type { Db, Tx } from '#server/db/database.ts'
import { readIssueContent } from '#server/features/publishing/documents/issue-content.ts'
import { type MailingContent, mailingContentSchema } from '#shared/contracts/publishing/newsletter.ts'
import { testedSubjects } from '#shared/domain/subject-test.ts'
import { AppError } from '#shared/errors.ts'
import { digestContent } from './digest-content.ts'
import type { FullMailing } from './mailing-row.ts'

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
