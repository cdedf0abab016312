import type { Db } from '#server/db/database.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { contentOfDraft, readDraftContent } from '#server/features/publishing/documents/issue-content.ts'
import { auditObjectOf, findDocument } from '#server/features/publishing/documents/stored-document.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { everyone, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { findProblems } from '../checks/locate-problem.ts'
import { noMailing } from './count-audience.ts'
import { type PreviewDeps, previewEmail, type ReaderChoice, sendTestEmail } from './preview-email.ts'

/** Placeholder for an issue without a mailing. */
const unsent = {
  id: noMailing,
  kind: 'issue',
  issueId: null,
  audience: everyone,
  preparedAt: null,
} as const

/** @throws AppError not_found */
async function contentOf(db: Db, id: string): Promise<MailingContent> {
  const { preview, ...content } = await readDraftContent(db, id)
  return { ...content, kind: 'issue', subject: content.title, preheader: preview }
}

/** @throws AppError not_found */
export async function previewIssueEmail(deps: PreviewDeps, id: string, as: ReaderChoice) {
  return previewEmail(deps, { mailing: unsent, content: await contentOf(deps.database.db, id) }, as)
}

/** @throws AppError not_found, email_rejected */
export async function testIssueEmail(
  deps: PreviewDeps,
  who: Actor,
  id: string,
  test: { to: string; as: ReaderChoice },
) {
  const { db } = deps.database
  const object = auditObjectOf(await findDocument(db, { kind: 'issue', id }))
  return sendTestEmail(deps, who, { mailing: unsent, content: await contentOf(db, id), object }, test)
}

/** Checks an unsaved draft. */
export async function checkDraftEmail(deps: PreviewDeps, { id, document }: { id: string; document: IssueDraft }) {
  const { preview, ...text } = await contentOfDraft(deps.database.db, id, document)
  const content: MailingContent = { ...text, kind: 'issue', subject: text.title, preheader: preview }
  const unsaved = { id, draft: document }
  return findProblems(deps, content, { assumePublished: content.path, withoutNetwork: true, unsaved })
}

/** Links to the issue's own page count as published. @throws AppError not_found */
export async function checkIssueEmail(deps: PreviewDeps, id: string) {
  const content = await contentOf(deps.database.db, id)
  return findProblems(deps, content, { assumePublished: content.path })
}
