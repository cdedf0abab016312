import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate, useParams } from 'react-router'
import { ItemPrice } from '#client/features/billing/purchases/sold-items.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { GuideItem } from '#client/features/library/guides/guide-item.tsx'
import { IssueArticle } from '#client/features/library/issues/issue-article.tsx'
import { PromptItem } from '#client/features/library/prompts/prompt-item.tsx'
import { ToolItem } from '#client/features/library/tools/tool-item.tsx'
import { documentQuery } from '#client/features/publishing/documents/content.api.ts'
import { contentKinds, kindOfPath } from '#client/features/publishing/documents/content-kinds.ts'
import { DocumentEditor } from '#client/features/publishing/documents/document-editor.tsx'
import { Poll } from '#client/features/reader/feedback/poll.tsx'
import { CallError } from '#client/lib/error-message.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import type { Prompt } from '#shared/contracts/library/library.ts'
import type {
  DocumentKind,
  Draft,
  GuideDraft,
  IssueDraft,
  PromptDraft,
  PromptPackDraft,
  ToolDraft,
} from '#shared/contracts/publishing/documents.ts'
import type { DocumentPreview as Answer } from '#shared/contracts/publishing/publishing.ts'
import { problemOfPoll } from '#shared/domain/poll.ts'
import { unknownReader } from '#shared/domain/reader.ts'

export function Component() {
  const { shelf = '', id = '' } = useParams()
  const kind = kindOfPath(shelf)
  return (
    <>
      <p className="pt-4">
        <Link
          to={`/admin/content/${kind ? shelf : 'drops'}`}
          className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm font-medium text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
          {kind ? `All ${contentKinds[kind].title.toLowerCase()}` : 'All content'}
        </Link>
      </p>
      {kind ? <Editor key={`${kind} ${id}`} kind={kind} id={id} /> : <NotFound />}
    </>
  )
}

function Editor({ kind, id }: { kind: DocumentKind; id: string }) {
  const stored = useQuery(documentQuery(kind, id))
  const navigate = useNavigate()
  const { role } = useStaffRole()
  if (stored.data) {
    return (
      <>
        <DocumentEditor
          stored={stored.data}
          renderPreview={(draft, preview) => <DocumentPreview kind={kind} id={id} draft={draft} preview={preview} />}
          onDeleted={() => navigate(`/admin/content/${contentKinds[kind].path}`)}
        />
        {role === 'owner' && (kind === 'guide' || kind === 'prompt-pack') && stored.data.hasBeenPublished && (
          <ItemPrice item={{ kind, id }} />
        )}
      </>
    )
  }
  if (stored.error instanceof CallError && (stored.error.status === 404 || stored.error.status === 400)) {
    return <NotFound />
  }
  return <QueryPlaceholder query={stored} what="the text" lines={8} height="h-11" className="max-w-xl" />
}

const NotFound = () => (
  <EmptyState title="Draft not found" level={1}>
    It may have been deleted.
  </EmptyState>
)

type DocumentPreviewProps = { kind: DocumentKind; id: string; draft: Draft; preview: Answer | undefined }

/** Renders a draft with the portal's components. The server renders the Markdown of drops. */
function DocumentPreview({ kind, id, draft, preview }: DocumentPreviewProps) {
  switch (kind) {
    case 'issue':
      return preview?.issue ? (
        <IssueArticle issue={preview.issue} reader={unknownReader} end={<PollPreview draft={draft as IssueDraft} />} />
      ) : null
    case 'prompt-pack':
      return <PackPreview draft={draft as PromptPackDraft} />
    case 'guide':
      return <GuidePreview id={id} draft={draft as GuideDraft} />
    case 'tool':
      return <ToolPreview id={id} draft={draft as ToolDraft} />
  }
}

/** Before the first vote. Inert, since a vote from here would count. */
function PollPreview({ draft: { pollQuestion: question, pollAnswers } }: { draft: IssueDraft }) {
  if (!question.trim() || problemOfPoll(question, pollAnswers)) return null
  const answers = pollAnswers.map((text) => ({ text, votes: null }))
  return (
    <div inert className="mt-12">
      <Poll issueId="" poll={{ question, answers, own: null, isClosed: false }} />
    </div>
  )
}

function PackPreview({ draft }: { draft: PromptPackDraft }) {
  return (
    <div>
      <h2 className="display text-2xl">{draft.title || 'Untitled'}</h2>
      <p className="mt-2 text-muted">{draft.summary}</p>
      <ol className="mt-6">
        {draft.prompts.map((prompt) => (
          <PromptItem vertical={null} key={prompt.id} prompt={promptOf(prompt)} />
        ))}
      </ol>
    </div>
  )
}

/** Incomplete values as the portal needs them. */
const promptOf = ({ level, minutes, example, ...prompt }: PromptDraft): Prompt => ({
  ...prompt,
  level: level ?? 'beginner',
  minutes: minutes && Number.isInteger(minutes) && minutes > 0 ? minutes : null,
  example: example && { ...example, vertical: example.vertical ?? 'food' },
})

/** Known only once it is published. */
const unknownOfGuide = { downloads: 0, edition: null, pages: [] }

function GuidePreview({ id, draft }: { id: string; draft: GuideDraft }) {
  // Inert, since a download from here would be counted.
  return (
    <ul inert>
      <GuideItem
        guide={{
          ...draft,
          ...unknownOfGuide,
          id,
          title: draft.title || 'Untitled',
          checkedOn: draft.checkedOn || null,
        }}
      />
    </ul>
  )
}

function ToolPreview({ id, draft }: { id: string; draft: ToolDraft }) {
  const tool = {
    ...draft,
    id,
    name: draft.name || 'Untitled',
    url: draft.url || 'https://example.com',
    testedOn: draft.testedOn || null,
    checkedOn: draft.checkedOn || null,
    hasTestSheet: false,
  }
  return (
    <ul inert>
      <ToolItem tool={tool} />
    </ul>
  )
}
