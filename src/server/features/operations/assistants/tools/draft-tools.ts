import { z } from 'zod'
import { changeDraft } from '#server/features/publishing/documents/change-draft.ts'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'
import { contentPaths, type DocumentKind, emptyDraft } from '#shared/contracts/publishing/documents.ts'
import { adminCheckMailingCall, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import {
  adminCreateMailingCall,
  adminMailingCall,
  adminSaveMailingCall,
} from '#shared/contracts/publishing/mailings.ts'
import { problemSchema } from '#shared/contracts/publishing/publishable.ts'
import {
  adminContentCall,
  adminCreateDocumentCall,
  adminPreviewDocumentCall,
  adminReadDocumentCall,
  adminSaveDocumentCall,
  documentStates,
  type StoredDocument,
} from '#shared/contracts/publishing/publishing.ts'
import type { Assistant } from '../assistant.ts'
import { defineTool } from '../define-tool.ts'

const kinds = { drop: 'issue', 'prompt-pack': 'prompt-pack', guide: 'guide', tool: 'tool' } as const
const kind = z.enum(Object.keys(kinds) as [keyof typeof kinds])
const id = z.string().regex(/^[a-z0-9-]{1,80}$/)
const fields = z
  .record(z.string().max(60), z.unknown())
  .describe(
    'Fields to replace, named as in `document` of read_draft. Texts are Markdown. In `sections` and `prompts`, entries with a known id keep what you leave out, and entries without an id are new',
  )

const draftSchema = z.object({
  kind,
  id: z.string(),
  version: z.int(),
  document: z.record(z.string(), z.unknown()),
  problems: z
    .array(problemSchema)
    .describe('What the checks found. Only warnings may be left when a person publishes it'),
  reviewUrl: z.string().describe('Where a person reviews, schedules and publishes it'),
})

async function describe(
  { call, link }: Assistant,
  name: keyof typeof kinds,
  { id, version, document }: StoredDocument,
) {
  const input = { kind: kinds[name], id, document } as Parameters<typeof call<typeof adminPreviewDocumentCall>>[1]
  const { problems } = await call(adminPreviewDocumentCall, input)
  const reviewUrl = link(`/admin/content/${contentPaths[kinds[name]]}/${id}`)
  return { kind: name, id, version, document: { ...document }, problems, reviewUrl }
}

async function save(assistant: Assistant, stored: StoredDocument, version: number, changes: Record<string, unknown>) {
  const document = changeDraft(stored.kind, stored.document, changes)
  const input = { kind: stored.kind as DocumentKind, id: stored.id, version, document }
  return assistant.call(
    adminSaveDocumentCall,
    input as Parameters<typeof assistant.call<typeof adminSaveDocumentCall>>[1],
  )
}

const listContent = defineTool({
  name: 'list_content',
  title: 'List drafts and published content',
  description:
    'Lists drops, prompt packs, guides or tools with their state; for drops also the next free day of the weekly rhythm.',
  right: 'drafts:write',
  input: z.object({ kind }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        date: z.string(),
        state: z.enum(documentStates),
        updatedAt: z.string(),
      }),
    ),
    nextFreeDay: z.string().nullable(),
  }),
  async run({ kind }, { call }) {
    const { items } = await call(adminContentCall, { kind: kinds[kind] })
    const nextFreeDay = kind === 'drop' ? (await call(adminContentCalendarCall, { month: null })).nextFreeDay : null
    return { items: items.slice(0, 500), nextFreeDay }
  },
})

const readDraft = defineTool({
  name: 'read_draft',
  title: 'Read a draft',
  description: 'Reads the text of a drop, prompt pack, guide or tool as it is edited, with what the checks find.',
  right: 'drafts:write',
  input: z.object({ kind, id }),
  output: draftSchema,
  async run({ kind, id }, assistant) {
    return describe(assistant, kind, await assistant.call(adminReadDocumentCall, { kind: kinds[kind], id }))
  },
})

const createDraft = defineTool({
  name: 'create_draft',
  title: 'Create a draft',
  description: 'Creates a draft that only the staff sees. A person reviews and publishes it at `reviewUrl`.',
  right: 'drafts:write',
  changes: 'adds',
  input: z.object({
    kind,
    title: z.string().min(1).max(200),
    date: z.iso.date().nullish().describe('Proposed day of a drop. Default: the next free day of the weekly rhythm'),
    fields: fields.default({}),
  }),
  output: draftSchema,
  async run({ kind, title, date, fields }, assistant) {
    // Wrong fields are refused before there is a draft.
    changeDraft(kinds[kind], emptyDraft(kinds[kind], title), fields)
    const created = await assistant.call(adminCreateDocumentCall, { kind: kinds[kind], title, ...(date && { date }) })
    const saved = Object.keys(fields).length > 0 ? await save(assistant, created, created.version, fields) : created
    return describe(assistant, kind, saved)
  },
})

const editDraft = defineTool({
  name: 'edit_draft',
  title: 'Edit a draft',
  description:
    'Replaces fields of a draft, or of the draft behind published content. Readers see nothing of it until a person publishes it. An earlier version stays in the history.',
  right: 'drafts:write',
  changes: 'replaces',
  input: z.object({ kind, id, version: z.int().min(0).max(1_000_000_000).describe('From read_draft'), fields }),
  output: draftSchema,
  async run({ kind, id, version, fields }, assistant) {
    const stored = await assistant.call(adminReadDocumentCall, { kind: kinds[kind], id })
    return describe(assistant, kind, await save(assistant, stored, version, fields))
  },
})

const mailingSchema = z.object({
  id: z.string(),
  version: z.int(),
  subject: z.string(),
  preheader: z.string(),
  status: z.string(),
  problems: z.array(z.object({ severity: z.string(), message: z.string() })),
  reviewUrl: z.string().describe('Where a person reviews, schedules and sends it'),
})

async function describeMailing({ call, link }: Assistant, id: string) {
  const { version, subject, preheader, status } = await call(adminMailingCall, { id })
  const { problems } = await call(adminCheckMailingCall, { id })
  return {
    ...{ id, version, subject, preheader, status },
    problems: problems.map((problem) => ({ severity: problem.severity, message: problemText(problem) })),
    reviewUrl: link(`/admin/newsletter/${id}`),
  }
}

const createMailing = defineTool({
  name: 'create_mailing_draft',
  title: 'Create a draft of a mailing',
  description:
    'Creates the draft of an email about a published drop, of a digest or of news, to everyone whom it reaches. It never sends.',
  right: 'drafts:write',
  changes: 'adds',
  input: z.object({ kind: z.enum(['drop', 'digest', 'news']), dropId: z.string().max(200).nullish() }),
  output: mailingSchema,
  async run({ kind, dropId }, assistant) {
    const { id } = await assistant.call(
      adminCreateMailingCall,
      kind === 'drop' ? { kind: 'issue', issueId: dropId ?? '' } : { kind },
    )
    return describeMailing(assistant, id)
  },
})

const editMailing = defineTool({
  name: 'edit_mailing_draft',
  title: 'Edit a draft of a mailing',
  description: 'Changes subject, preview text and, for news, title and text of a draft. It never sends.',
  right: 'drafts:write',
  changes: 'replaces',
  input: z.object({
    id: z.uuid(),
    version: z.int(),
    subject: z.string().max(200).optional(),
    preheader: z.string().max(200).optional(),
    news: z.object({ title: z.string().max(200), body: z.string().max(50_000).describe('Markdown') }).optional(),
  }),
  output: mailingSchema,
  async run({ id, version, subject, preheader, news }, assistant) {
    const stored = await assistant.call(adminMailingCall, { id })
    await assistant.call(adminSaveMailingCall, {
      ...{ id, version },
      subject: subject ?? stored.subject,
      preheader: preheader ?? stored.preheader,
      audience: stored.audience,
      ...(news && { news }),
    })
    return describeMailing(assistant, id)
  },
})

export const draftTools = [listContent, readDraft, createDraft, editDraft, createMailing, editMailing]
