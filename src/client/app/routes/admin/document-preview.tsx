import { GuideItem } from '#client/features/library/guides/guide-item.tsx'
import { IssueArticle } from '#client/features/library/issues/issue-article.tsx'
import { PromptItem } from '#client/features/library/prompts/prompt-item.tsx'
import { ToolItem } from '#client/features/library/tools/tool-item.tsx'
import { Poll } from '#client/features/reader/feedback/poll.tsx'
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

type DocumentPreviewProps = { kind: DocumentKind; id: string; draft: Draft; preview: Answer | undefined }

/** Renders a draft with the portal's components. The server renders the Markdown of drops. */
export function DocumentPreview({ kind, id, draft, preview }: DocumentPreviewProps) {
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
