import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentSchedule, issueSections, issues } from '#server/db/schema/index.ts'
import { mapValues, textsOf } from '#server/features/library/content/issue-texts.ts'
import { numberOf, readBlocks } from '#server/features/library/content/read-issues.ts'
import { readTrustSettings } from '#server/features/publishing/trust-pages/trust-settings.ts'
import { type IssueDraft, issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { emailSectionSchema, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { deriveTexts } from '#shared/domain/derive-issue.ts'
import { minPollAnswers } from '#shared/domain/poll.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { AppError } from '#shared/errors.ts'
import { findDocument, withSlug } from './stored-document.ts'

export type IssueContent = Omit<MailingContent, 'kind' | 'subject' | 'preheader'>

/**
 * A published issue as the content of an email: Markdown with blocks expanded, and the portal path of each section.
 * @throws AppError not_found if it isn't published
 */
export async function readIssueContent(db: Db | Tx, issueId: string): Promise<IssueContent> {
  const [issue] = await db
    .select()
    .from(issues)
    .where(and(eq(issues.id, issueId), isNotNull(issues.publishedAt)))
  if (!issue) throw new AppError('not_found')
  const sections = await db
    .select()
    .from(issueSections)
    .where(eq(issueSections.issueId, issue.id))
    .orderBy(asc(issueSections.position))
  const blocks = await readBlocks(db, textsOf(issue, sections))
  const expand = (text: string) => expandBlocks(text, blocks)
  const path = `/portal/weekly-drops/${issue.slug}`
  return {
    title: issue.title,
    number: await numberOf(db, issue),
    date: issue.date,
    worth: expand(issue.worth),
    ...(await signedNote(db, issue.editorNote)),
    intro: expand(issue.intro),
    sections: sections.map((section) =>
      emailSectionSchema.parse({
        ...section,
        body: expand(section.body),
        examples: mapValues(section.examples, expand),
        path: `${path}#${sectionAnchor(section.id)}`,
      }),
    ),
    closing: expand(issue.closing),
    question: issue.question,
    ...pollOf(issue.id, issue),
    path,
  }
}

function pollOf(
  issueId: string,
  { pollQuestion, pollAnswers }: Pick<IssueDraft, 'pollQuestion' | 'pollAnswers'>,
): Pick<MailingContent, 'poll'> {
  if (pollQuestion === '' || pollAnswers.length < minPollAnswers) return {}
  return { poll: { issueId, question: pollQuestion, answers: pollAnswers } }
}

/** Empty without a note. An unnamed editor is left out. */
async function signedNote(db: Db | Tx, editorNote: string): Promise<Pick<MailingContent, 'editorNote' | 'editor'>> {
  if (!editorNote) return {}
  const { editorName } = await readTrustSettings(db)
  return editorName ? { editorNote, editor: editorName } : { editorNote }
}

/**
 * The latest saved draft as the content of an email, published or not. Missing texts are empty.
 * @throws AppError not_found
 */
export async function readDraftContent(db: Db | Tx, id: string): Promise<DraftContent> {
  const { document } = await findDocument(db, { kind: 'issue', id })
  return contentOfDraft(db, id, issueDraftSchema.parse(document))
}

/** The version of an issue that is scheduled for publishing, as the content of an email; null if none is. */
export async function readScheduledContent(db: Db | Tx, id: string): Promise<DraftContent | null> {
  const [row] = await db
    .select({ document: contentSchedule.document })
    .from(contentSchedule)
    .where(and(eq(contentSchedule.kind, 'issue'), eq(contentSchedule.id, id)))
  return row ? contentOfDraft(db, id, issueDraftSchema.parse(row.document)) : null
}

type DraftContent = IssueContent & { preview: string }

/** A draft as the content of an email, with the values that publishing derives. */
export async function contentOfDraft(db: Db | Tx, id: string, draft: IssueDraft): Promise<DraftContent> {
  const drop = deriveTexts(await withSlug(db, id, draft))
  const blocks = await readBlocks(db, textsOf(drop, drop.sections))
  const expand = (text: string) => expandBlocks(text, blocks)
  const path = `/portal/weekly-drops/${drop.slug}`
  return {
    title: drop.title,
    preview: drop.preview,
    date: drop.date || null,
    worth: expand(drop.worth),
    ...(await signedNote(db, drop.editorNote)),
    intro: expand(drop.intro),
    sections: drop.sections.map(({ minutes, ...section }) =>
      emailSectionSchema.parse({
        ...section,
        minutes: minutes || null,
        body: expand(section.body),
        examples: mapValues(section.examples, expand),
        path: `${path}#${sectionAnchor(section.id)}`,
      }),
    ),
    closing: expand(drop.closing),
    question: drop.question,
    ...pollOf(id, drop),
    path,
  }
}
