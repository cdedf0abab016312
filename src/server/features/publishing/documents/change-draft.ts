import type { z } from 'zod'
import { parseInput } from '#server/http/read-json.ts'
import {
  contentPaths,
  type DocumentKind,
  type Draft,
  draftSchemas,
  emptyPrompt,
  emptySection,
} from '#shared/contracts/publishing/documents.ts'
import { type DraftKind, draftKinds, type draftSchema } from '#shared/contracts/publishing/drafts.ts'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { AppError } from '#shared/errors.ts'

type Fields = Readonly<Record<string, unknown>>
type Part = { id: string }

const kindNames = Object.fromEntries(Object.entries(draftKinds).map(([name, kind]) => [kind, name as DraftKind]))

/** A draft as programs and assistants get it. */
export function toDraft(
  publicUrl: string,
  { kind, id, version, document }: StoredDocument,
  problems: Problem[],
): z.input<typeof draftSchema> {
  const reviewUrl = new URL(`/admin/content/${contentPaths[kind]}/${id}`, publicUrl).href
  return { kind: kindNames[kind] as DraftKind, id, version, document: { ...document }, problems, reviewUrl }
}

/**
 * A draft with some of its fields replaced, as programs send them. `sections` and `prompts` replace the list: one with a
 * known id keeps the fields that are left out, and one without an id is new.
 * @throws AppError validation_failed, which names the field
 */
export function changeDraft(kind: DocumentKind, draft: Draft, fields: Fields): Draft {
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(draft, name))
  if (unknown !== undefined) {
    const known = Object.keys(draft).join(', ')
    throw new AppError('validation_failed', {
      message: `There is no field “${unknown.slice(0, 60)}”. Fields are: ${known}`,
    })
  }
  const changed: Record<string, unknown> = { ...draft, ...fields }
  if ('sections' in draft) changed.sections = changeParts(draft.sections, fields.sections, emptySection)
  if ('prompts' in draft) changed.prompts = changeParts(draft.prompts, fields.prompts, emptyPrompt)
  return parseInput(draftSchemas[kind], changed)
}

function changeParts(parts: readonly Part[], given: unknown, empty: (id: string) => Part): unknown {
  if (!Array.isArray(given)) return given ?? parts
  return given.map((part: unknown) => {
    if (typeof part !== 'object' || part === null) return part
    const { id = crypto.randomUUID() } = part as { id?: string }
    return { ...(parts.find((known) => known.id === id) ?? empty(id)), ...part, id }
  })
}
