import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, CloudOff, History, Mail, TriangleAlert } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { SaveState } from '#client/lib/autosave.ts'
import { fieldQuery } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { focusField } from '#client/lib/focus-field.ts'
import { publication } from '#client/lib/publication.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { LeaveGuard } from '#client/ui/leave-guard.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import {
  type Draft,
  emptyPrompt,
  type GuideDraft,
  type IssueDraft,
  type PromptDraft,
  type PromptPackDraft,
  type ToolDraft,
  titleOf,
} from '#shared/contracts/publishing/documents.ts'
import { adminCheckDraftCall } from '#shared/contracts/publishing/mailing-preview.ts'
import { errorsIn, problemsOf } from '#shared/contracts/publishing/publishable.ts'
import type { DocumentPreview, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { isUntitledText } from '#shared/domain/derive-issue.ts'
import { applySuggestions, suggestValues } from '#shared/domain/suggest-values.ts'
import { formatTimeIn } from '#shared/domain/zoned-time.ts'
import { ChecksPanel } from './checks-panel.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { previewQuery } from './content.api.ts'
import { EditorToolbar, type EditorView, useSaveShortcut } from './editor-toolbar.tsx'
import { byPath, FieldProblemsProvider } from './field-problems.ts'
import { LineField, TextAreaField } from './fields.tsx'
import { GuideEditor } from './guide-editor.tsx'
import { IssueDetails } from './issue-details.tsx'
import { IssueEditor } from './issue-editor.tsx'
import { CheckedOnField } from './item-fields.tsx'
import { ItemsField } from './items-field.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import { PromptFields } from './prompt-fields.tsx'
import { PublishActions } from './publish-actions.tsx'
import { NextSteps } from './published-document-links.tsx'
import { RevisionDialog } from './revision-dialog.tsx'
import { useCancelSchedule, useSchedule } from './schedule.api.ts'
import { ScheduleNote } from './schedule-note.tsx'
import { StateTag, stateOf } from './state-tag.tsx'
import { ToolEditor } from './tool-editor.tsx'
import { type DocumentAutosave, useDocumentAutosave, useScheduledPublishing } from './use-document-autosave.ts'
import { useMediaQuery } from './use-media-query.ts'

type PackEditorProps = { draft: PromptPackDraft; onChange: (draft: PromptPackDraft) => void }

function PackEditor({ draft, onChange }: PackEditorProps) {
  const set = (change: Partial<PromptPackDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <LineField
        label="Title"
        path="title"
        hint="Named after a focus area, the pack comes first for readers who chose that area."
        value={draft.title}
        onChange={(title) => set({ title })}
      />
      <TextAreaField label="Summary" path="summary" value={draft.summary} onChange={(summary) => set({ summary })} />
      <CheckedOnField className="sm:max-w-xs" what="its prompts" value={draft.checkedOn} onChange={set} />
      <section aria-labelledby="pack-prompts">
        <h2 id="pack-prompts" className="display mb-3 text-xl">
          Prompts
        </h2>
        <ItemsField<PromptDraft>
          one="Prompt"
          path="prompts"
          items={draft.prompts}
          titleOf={(prompt) => prompt.title}
          makeItem={emptyPrompt}
          onChange={(prompts) => set({ prompts })}
        >
          {(prompt, path, onPrompt) => <PromptFields prompt={prompt} path={path} onChange={onPrompt} />}
        </ItemsField>
      </section>
    </>
  )
}

type DocumentFieldsProps = { stored: StoredDocument; draft: Draft; onChange: (draft: Draft) => void }

/** The form of a document's kind. */
function DocumentFields({ stored: { kind, id, hasBeenPublished }, draft, onChange }: DocumentFieldsProps) {
  switch (kind) {
    case 'issue':
      return <IssueEditor draft={draft as IssueDraft} onChange={onChange} />
    case 'prompt-pack':
      return <PackEditor draft={draft as PromptPackDraft} onChange={onChange} />
    case 'guide':
      return <GuideEditor id={id} draft={draft as GuideDraft} onChange={onChange} hasBeenPublished={hasBeenPublished} />
    case 'tool':
      return <ToolEditor draft={draft as ToolDraft} onChange={onChange} />
  }
}

/** Schedules the text as it is now for the time and the email that were chosen before, with the errors accepted then. */
function useUpdateSchedule(autosave: DocumentAutosave) {
  const schedule = useSchedule(autosave)
  const run = () => {
    const { scheduled } = autosave.get().stored
    if (!scheduled) return
    const { at, email } = scheduled
    schedule.mutate({ at, email })
  }
  return { run, isPending: schedule.isPending, error: schedule.error }
}

/** Lists what sending the draft of a drop by email would refuse or advise. The previous list stays until the next arrives. */
const emailChecksQuery = ({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>, document: Draft) =>
  fieldQuery(
    ['admin-check-draft', id, document],
    adminCheckDraftCall,
    { id, document: document as IssueDraft },
    'problems',
    { enabled: kind === 'issue', placeholderData: keepPreviousData, gcTime: 30_000, retry: 1 },
  )

const previewDelayMs = 400

type DocumentEditorProps = {
  stored: StoredDocument
  /** Renders the draft as readers see it. A prop, since features can't import the portal's components. */
  renderPreview: (draft: Draft, preview: DocumentPreview | undefined) => ReactNode
  onDeleted: () => void
}

/** Editor and preview side by side, with the save status and actions above. */
export function DocumentEditor({ stored: first, renderPreview, onDeleted }: DocumentEditorProps) {
  const { autosave, stored, draft, state } = useDocumentAutosave(first)
  const [view, setView] = useState<EditorView>('write')
  const [isVersionsOpen, setIsVersionsOpen] = useState(false)
  const [postponed, setPostponed] = useState<StoredDocument | null>(null)
  const settled = useDebounced(draft, previewDelayMs)
  const preview = useQuery(previewQuery(stored, settled))
  const emailChecks = useQuery(emailChecksQuery(stored, settled))
  const problems = preview.data?.problems ?? []
  // Checked at once for field errors. The server's list lags behind, but also checks images, blocks and files.
  const fieldProblems = useMemo(() => byPath(errorsIn(problemsOf(stored.kind, draft))), [stored.kind, draft])
  const title = titleOf(draft) || 'Untitled'
  usePageTitle(title)

  // Problems of a mailing link to a field and line.
  const [searchParams] = useSearchParams()
  const [field, line] = [searchParams.get('field'), Number(searchParams.get('line')) || null]
  useEffect(() => {
    if (field) focusField(field, line)
  }, [field, line])

  // One of the two places, so that the list isn't there twice.
  const isWide = useMediaQuery('(min-width: 64rem)')

  useSaveShortcut(autosave.flush)

  useScheduledPublishing(autosave, stored)
  const cancelSchedule = useCancelSchedule(autosave)
  const update = useUpdateSchedule(autosave)
  const theirs = state.kind === 'conflict' && state.theirs !== postponed ? state.theirs : null
  const handleGo = (path: string, line: number | null = null) => {
    setView('write')
    requestAnimationFrame(() => focusField(path, line))
  }
  const handleRetry = () => {
    setPostponed(null)
    void autosave.flush()
  }
  const handleVersions = async () => {
    await autosave.flush()
    setIsVersionsOpen(true)
  }

  const checks = (
    <ChecksPanel
      problems={problems}
      emailProblems={emailChecks.data ?? []}
      suggestions={suggestValues(publication, draft)}
      hasText={'sections' in draft && draft.sections.slice(0, 1).every(isUntitledText)}
      onGo={handleGo}
      onUse={(suggestions) => autosave.edit(applySuggestions(draft, suggestions))}
      className="lg:max-h-1/2 lg:shrink-0 lg:overflow-y-auto"
    />
  )

  const details = stored.kind === 'issue' && (
    <IssueDetails
      id={stored.id}
      draft={draft as IssueDraft}
      onChange={autosave.edit}
      hasBeenPublished={stored.hasBeenPublished}
      preview={preview.data}
      className="lg:max-h-3/5 lg:shrink-0 lg:overflow-y-auto"
    />
  )

  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1">
        <h1 className="display min-w-0 text-2xl [overflow-wrap:anywhere]">{title}</h1>
        <StateTag
          state={state.kind === 'saved' ? stateOf(stored) : stateOf({ ...stored, version: -1 })}
          isScheduled={stored.scheduled !== null}
        />
        <NextSteps stored={stored} />
      </div>
      <EditorToolbar view={view} onView={setView}>
        <div className="flex flex-wrap items-center gap-x-3">
          <SaveStatus state={state} stored={stored} onRetry={handleRetry} />
          {state.kind === 'conflict' && !theirs && (
            <Button variant="secondary" size="sm" onClick={() => setPostponed(null)}>
              Compare
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-1 max-sm:w-full max-sm:justify-between">
          <Button variant="quiet" size="sm" className="min-w-11" onClick={() => void handleVersions()}>
            <History aria-hidden className="size-4" strokeWidth={1.75} />
            <span className="max-sm:sr-only">Versions</span>
          </Button>
          {stored.kind === 'issue' && (
            <ButtonLink to={`/admin/content/drops/${stored.id}/email`} variant="quiet" size="sm" className="min-w-11">
              <Mail aria-hidden className="size-4" strokeWidth={1.75} />
              <span className="max-sm:sr-only">Email preview</span>
            </ButtonLink>
          )}
          <PublishActions autosave={autosave} stored={stored} onGo={handleGo} onDeleted={onDeleted} />
        </div>
      </EditorToolbar>
      <ScheduleNote
        stored={stored}
        isEdited={state.kind !== 'saved' || stored.scheduled?.version !== stored.version}
        pending={cancelSchedule.isPending}
        update={update}
        onCancel={() => cancelSchedule.mutate()}
      />
      <div className="lg:grid lg:grid-cols-2 lg:gap-8">
        <div className={clsx('grid content-start gap-6 pt-6', view === 'preview' && 'max-lg:hidden')}>
          {!isWide && checks}
          <FieldProblemsProvider value={fieldProblems}>
            <DocumentFields stored={stored} draft={draft} onChange={autosave.edit} />
            {!isWide && details}
          </FieldProblemsProvider>
        </div>
        <div
          className={clsx(
            'flex h-[calc(100dvh-12rem)] flex-col gap-4 pt-6 lg:sticky lg:top-13 lg:h-[calc(100dvh-4.5rem)]',
            view === 'write' && 'max-lg:hidden',
          )}
        >
          {isWide && checks}
          {isWide && <FieldProblemsProvider value={fieldProblems}>{details}</FieldProblemsProvider>}
          <div className="min-h-0 w-full grow overflow-hidden rounded-lg border border-line">
            <PreviewFrame title="Preview">{renderPreview(draft, preview.data)}</PreviewFrame>
          </div>
        </div>
      </div>
      {theirs && (
        <ConflictDialog
          base={stored.document}
          mine={draft}
          theirs={theirs}
          onKeepMine={(merged) => void autosave.overwrite(merged)}
          onTakeTheirs={() => autosave.replace(theirs)}
          onClose={() => setPostponed(theirs)}
        />
      )}
      {isVersionsOpen && (
        <RevisionDialog
          stored={stored}
          onRestored={(restored) => {
            autosave.replace(restored)
            setIsVersionsOpen(false)
          }}
          onClose={() => setIsVersionsOpen(false)}
        />
      )}
      <LeaveGuard autosave={autosave} isSaved={state.kind === 'saved'} />
    </div>
  )
}

type SaveStatusProps = { state: SaveState<StoredDocument>; stored: StoredDocument; onRetry: () => void }

/** Says whether the text is saved. Screen readers announce only failures, so that they don't interrupt typing. */
function SaveStatus({ state, stored, onRetry }: SaveStatusProps) {
  const zone = useContext(PublicationTimeZone)
  const isAtRisk = state.kind === 'offline' || state.kind === 'failed' || state.kind === 'conflict'
  return (
    <div className="flex min-h-11 items-center gap-3 text-sm tabular-nums">
      {isAtRisk ? (
        <p role="alert" className="flex items-center gap-2 font-medium text-danger">
          {state.kind === 'offline' ? (
            <CloudOff aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          ) : (
            <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          )}
          {textOf(state)}
        </p>
      ) : (
        <p className="flex items-center gap-2 text-muted">
          {state.kind === 'saved' && <Check aria-hidden className="size-4 shrink-0 text-success" strokeWidth={1.75} />}
          {state.kind === 'saved' ? `Saved${zone ? ` ${formatTimeIn(stored.updatedAt, zone)}` : ''}` : 'Saving…'}
        </p>
      )}
      {(state.kind === 'offline' || state.kind === 'failed') && (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

function textOf(state: SaveState<StoredDocument>): string {
  if (state.kind === 'offline') return 'Not saved: you’re offline'
  return state.kind === 'failed' ? `Not saved: ${errorMessage(state.error)}` : 'Not saved: newer changes were saved'
}
