import type { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { changeDraft, toDraft } from '#server/features/publishing/documents/change-draft.ts'
import { checkDocument } from '#server/features/publishing/documents/check-document.ts'
import { findDocument, toStoredDocument } from '#server/features/publishing/documents/stored-document.ts'
import { createDocument, saveDocument } from '#server/features/publishing/documents/write-document.ts'
import {
  type DraftKind,
  type draftEditInput,
  draftKinds,
  type newDraftInput,
} from '#shared/contracts/publishing/drafts.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'

type DraftDeps = Pick<Deps, 'config' | 'database' | 'clock'>
type Key = { kind: DraftKind; id: string }

const find = async ({ database: { db } }: DraftDeps, { kind, id }: Key) =>
  toStoredDocument(db, await findDocument(db, { kind: draftKinds[kind], id }))

async function withProblems({ config, database, clock }: DraftDeps, stored: StoredDocument) {
  const name = { kind: stored.kind, id: stored.id }
  const problems = await checkDocument(database.db, name, stored.document, { now: clock(), publishAt: null })
  return toDraft(config.publicUrl, stored, problems)
}

/** @throws AppError not_found */
export const readApiDraft = async (deps: DraftDeps, key: Key) => withProblems(deps, await find(deps, key))

/** What the checks would find after a change, which isn't saved. @throws AppError not_found, validation_failed */
export async function checkApiDraft(deps: DraftDeps, { fields, ...key }: Key & { fields: Record<string, unknown> }) {
  const stored = await find(deps, key)
  const document = changeDraft(stored.kind, stored.document, fields)
  return withProblems(deps, { ...stored, document } as StoredDocument)
}

/** @throws AppError validation_failed */
export async function createApiDraft(
  deps: DraftDeps,
  who: Actor,
  { kind, date, ...wanted }: z.output<typeof newDraftInput>,
) {
  const created = { ...wanted, kind: draftKinds[kind], date: date ?? undefined }
  return withProblems(deps, await createDocument(deps, who, created))
}

/** Each save is a revision of its own. @throws AppError edit_conflict, not_found, validation_failed */
export async function editApiDraft(
  deps: DraftDeps,
  who: Actor,
  { version, fields, ...key }: z.output<typeof draftEditInput>,
) {
  const { kind, id, document: before } = await find(deps, key)
  const document = changeDraft(kind, before, fields)
  return withProblems(deps, await saveDocument(deps, who, { kind, id, version, document, apart: true }))
}
