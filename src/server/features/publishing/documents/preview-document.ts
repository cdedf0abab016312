import type { Db } from '#server/db/database.ts'
import { renderIssue } from '#server/features/library/content/read-issues.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { DocumentPreview } from '#shared/contracts/publishing/publishing.ts'
import { deriveIssue, isUntitledText } from '#shared/domain/derive-issue.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { checkDocument } from './check-document.ts'
import { type DocumentKey, withSlug } from './stored-document.ts'
import { countReadingMinutes } from './write-published.ts'

type PreviewInput = DocumentKey & { document: unknown }

/** The preview that readers would get, from the same renderer, and the problems that prevent publishing. */
export async function previewDocument(
  db: Db,
  publication: Questions,
  { kind, id, document }: PreviewInput,
  now: Date,
): Promise<DocumentPreview> {
  const problems = await checkDocument(db, { kind, id }, document, { now, publishAt: null })
  return {
    issue: kind === 'issue' ? await previewIssue(db, publication, id, document as IssueDraft, now) : null,
    problems,
  }
}

/** Uses placeholders for missing values, which the page requires. */
async function previewIssue(db: Db, publication: Questions, id: string, draft: IssueDraft, now: Date) {
  const drop = deriveIssue(publication, await withSlug(db, id, draft))
  const minutes = await countReadingMinutes(db, drop)
  return renderIssue(
    db,
    {
      id,
      slug: drop.slug,
      title: drop.title || 'Untitled',
      date: drop.date || now.toISOString().slice(0, 10),
      preview: drop.preview,
      tags: drop.tags,
      readingMinutes: minutes,
      touchSets: [],
      checkedOn: drop.checkedOn || null,
      worth: drop.worth,
      intro: drop.intro,
      closing: drop.closing,
      question: drop.question,
      editorNote: drop.editorNote,
    },
    drop.sections.map((section, index) => ({
      ...section,
      heading: section.heading || (isUntitledText(section, index) ? '' : 'Untitled section'),
      aiLevel: section.aiLevel,
      minutes: Number.isInteger(section.minutes) && section.minutes > 0 ? section.minutes : 1,
    })),
  )
}
