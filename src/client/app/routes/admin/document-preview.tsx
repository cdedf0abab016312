import { GuideItem } from '#client/features/guides/guide-item.tsx'
import { IssueArticle } from '#client/features/issues/issue-article.tsx'
import { PromptItem } from '#client/features/prompts/prompt-item.tsx'
import { ToolItem } from '#client/features/tools/tool-item.tsx'
import type { DocumentKind, Draft, GuideDraft, PromptPackDraft, ToolDraft } from '#shared/contracts/documents.ts'
import type { DocumentPreview as Answer } from '#shared/contracts/publishing.ts'
import { unknownReader } from '#shared/domain/reader.ts'

type DocumentPreviewProps = { kind: DocumentKind; id: string; draft: Draft; preview: Answer | undefined }

/** Renders a draft with the portal's components. The server renders the Markdown of drops. */
export function DocumentPreview({ kind, id, draft, preview }: DocumentPreviewProps) {
  switch (kind) {
    case 'issue':
      return preview?.issue ? <IssueArticle issue={preview.issue} reader={unknownReader} /> : null
    case 'prompt-pack':
      return <PackPreview draft={draft as PromptPackDraft} />
    case 'guide':
      return <GuidePreview id={id} draft={draft as GuideDraft} />
    case 'tool':
      return <ToolPreview id={id} draft={draft as ToolDraft} />
  }
}

function PackPreview({ draft }: { draft: PromptPackDraft }) {
  return (
    <div>
      <h2 className="display text-2xl">{draft.title || 'Untitled'}</h2>
      <p className="mt-2 text-muted">{draft.summary}</p>
      <ol className="mt-6">
        {draft.prompts.map((prompt) => (
          <PromptItem key={prompt.id} prompt={{ ...prompt, level: prompt.level ?? 'beginner' }} />
        ))}
      </ol>
    </div>
  )
}

function GuidePreview({ id, draft }: { id: string; draft: GuideDraft }) {
  // Inert: a download from here would be counted.
  return (
    <ul inert>
      <GuideItem guide={{ ...draft, id, downloads: 0, title: draft.title || 'Untitled' }} />
    </ul>
  )
}

function ToolPreview({ id, draft }: { id: string; draft: ToolDraft }) {
  const tool = {
    ...draft,
    id,
    name: draft.name || 'Untitled',
    rating: draft.rating ?? 0,
    url: draft.url || 'https://example.com',
    testedOn: draft.testedOn || null,
  }
  return (
    <ul inert>
      <ToolItem tool={tool} />
    </ul>
  )
}
