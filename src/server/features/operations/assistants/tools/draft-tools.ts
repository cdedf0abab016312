import { z } from 'zod'
import { changeDraft, toDraft } from '#server/features/publishing/documents/change-draft.ts'
import { adminContentCalendarCall } from '#shared/contracts/publishing/content-calendar.ts'
import {
  draftEditInput,
  draftKey,
  draftKinds,
  draftSchema,
  newDraftInput,
} from '#shared/contracts/publishing/drafts.ts'
import { adminCheckMailingCall, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import {
  adminCreateMailingCall,
  adminMailingCall,
  adminSaveMailingCall,
} from '#shared/contracts/publishing/mailings.ts'
import {
  adminContentCall,
  adminCreateDocumentCall,
  adminPreviewDocumentCall,
  adminReadDocumentCall,
  adminSaveDocumentCall,
  documentStates,
  type StoredDocument,
} from '#shared/contracts/publishing/publishing.ts'
import { type Assistant, defineTool } from '../assistant.ts'

type SaveInput = z.input<typeof adminSaveDocumentCall.input>

async function describe({ call, deps }: Assistant, stored: StoredDocument) {
  const { kind, id, document } = stored
  const input = { kind, id, document } as Parameters<typeof call<typeof adminPreviewDocumentCall>>[1]
  return toDraft(deps.config.publicUrl, stored, (await call(adminPreviewDocumentCall, input)).problems)
}

const listContent = defineTool({
  name: 'list_content',
  title: 'List drafts and published content',
  description:
    'Lists drops, prompt packs, guides or tools with their state; for drops also the next free day of the weekly rhythm.',
  right: 'drafts:write',
  input: z.object({ kind: draftKey.kind }),
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
    const { items } = await call(adminContentCall, { kind: draftKinds[kind] })
    const nextFreeDay = kind === 'drop' ? (await call(adminContentCalendarCall, { month: null })).nextFreeDay : null
    return { items: items.slice(0, 500), nextFreeDay }
  },
})

const readDraft = defineTool({
  name: 'read_draft',
  title: 'Read a draft',
  description: 'Reads the text of a drop, prompt pack, guide or tool as it is edited, with what the checks find.',
  right: 'drafts:write',
  input: z.object(draftKey),
  output: draftSchema,
  async run({ kind, id }, assistant) {
    return describe(assistant, await assistant.call(adminReadDocumentCall, { kind: draftKinds[kind], id }))
  },
})

const createDraft = defineTool({
  name: 'create_draft',
  title: 'Create a draft',
  description: 'Creates a draft that only the staff sees. A person reviews and publishes it at `reviewUrl`.',
  right: 'drafts:write',
  changes: 'adds',
  input: newDraftInput,
  output: draftSchema,
  async run({ kind, date, ...wanted }, assistant) {
    const created = { ...wanted, kind: draftKinds[kind], ...(date && { date }) }
    return describe(assistant, await assistant.call(adminCreateDocumentCall, created))
  },
})

const editDraft = defineTool({
  name: 'edit_draft',
  title: 'Edit a draft',
  description:
    'Replaces fields of a draft, or of the draft behind published content. Readers see nothing of it until a person publishes it. An earlier version stays in the history.',
  right: 'drafts:write',
  changes: 'replaces',
  input: draftEditInput,
  output: draftSchema,
  async run({ kind, id, version, fields }, assistant) {
    const stored = await assistant.call(adminReadDocumentCall, { kind: draftKinds[kind], id })
    const document = changeDraft(stored.kind, stored.document, fields)
    // Its own version in the history, even if the person edits the text at the same time.
    const input = { kind: stored.kind, id, version, document, apart: true } as SaveInput
    return describe(assistant, await assistant.call(adminSaveDocumentCall, input))
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
