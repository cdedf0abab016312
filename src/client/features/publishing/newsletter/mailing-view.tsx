import { useState } from 'react'
import { Link } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { LeaveGuard } from '#client/ui/leave-guard.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Section } from '#client/ui/section.tsx'
import { adminDeleteMailingCall, type Mailing } from '#shared/contracts/publishing/mailings.ts'
import { ChecksSection } from './checks-section.tsx'
import { DraftForm } from './draft-form.tsx'
import { PreviewSection } from './preview-section.tsx'
import { ProgressSection } from './progress-section.tsx'
import { ReportSection } from './report-section.tsx'
import { ScheduledContent } from './scheduled-content.tsx'
import { SectionOrderingsSection } from './section-orderings-section.tsx'
import { SendFailureNotice } from './send-failure-notice.tsx'
import { SendSection } from './send-section.tsx'
import { SubjectTestSection } from './subject-test-section.tsx'
import { useMailingAutosave } from './use-mailing-autosave.ts'

/** A mailing: editor for a draft, otherwise progress, report and content. */
type MailingViewProps = {
  mailing: Mailing
  onDeleted: () => void
  /** A prop, since the Markdown editor is the publishing feature's. */
  renderMarkdownField: RenderMarkdownField
}

export function MailingView({ mailing, onDeleted, renderMarkdownField }: MailingViewProps) {
  if (mailing.status === 'draft') {
    return <DraftView mailing={mailing} onDeleted={onDeleted} renderMarkdownField={renderMarkdownField} />
  }
  const isOver = mailing.status === 'sent' || mailing.status === 'stopped'
  return (
    <>
      {isOver && mailing.startedAt && <ReportSection mailing={mailing} />}
      <ProgressSection mailing={mailing} />
      {mailing.subjectTestState && <SubjectTestSection mailing={mailing} state={mailing.subjectTestState} />}
      {!isOver && mailing.startedAt && <ReportSection mailing={mailing} />}
      {mailing.waitsForDrop && (
        <Section
          title="Text"
          lede="This mailing goes out right after its drop is published, with the text that is published then. If the drop isn’t published, it becomes a draft again."
        >
          <Link to={`/admin/content/drops/${mailing.issueId}`} className="text-link">
            Open the drop
          </Link>
        </Section>
      )}
      {mailing.frozen && <ScheduledContent mailing={mailing} frozen={mailing.frozen} />}
      <PreviewSection
        email={{ of: 'mailing', id: mailing.id, version: mailing.version }}
        hasFreeEdition={mailing.kind === 'issue'}
      />
    </>
  )
}

function DraftView({ mailing, onDeleted, renderMarkdownField }: MailingViewProps) {
  const { autosave, draft, stored, state } = useMailingAutosave(mailing)
  const isSaved = state.kind === 'saved'
  // Preview and checks show the last saved version and don't reload while the next one is being edited.
  const { version } = stored
  const handleDeleted = () => {
    autosave.discard()
    onDeleted()
  }
  return (
    <>
      {mailing.sendFailure && <SendFailureNotice id={mailing.id} sendFailure={mailing.sendFailure} />}
      <DraftForm
        mailing={mailing}
        draft={draft}
        state={state}
        onChange={autosave.edit}
        renderMarkdownField={renderMarkdownField}
      />
      <SectionOrderingsSection id={mailing.id} version={version} />
      <PreviewSection email={{ of: 'mailing', id: mailing.id, version }} hasFreeEdition={mailing.kind === 'issue'} />
      <ChecksSection email={{ of: 'mailing', id: mailing.id, version }} />
      <SendSection mailing={mailing} version={isSaved ? version : null} />
      <DeleteDraft id={mailing.id} onDeleted={handleDeleted} />
      <LeaveGuard autosave={autosave} isSaved={isSaved} />
    </>
  )
}

function DeleteDraft({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const [asking, setAsking] = useState(false)
  // Doesn't refetch, since the page navigates away.
  const remove = useChange(adminDeleteMailingCall)
  return (
    <div className="border-t border-line py-8">
      <Button variant="quiet" className="-ml-3" pending={remove.isPending} onClick={() => setAsking(true)}>
        Delete draft
      </Button>
      <InlineError>{formErrorMessage(remove.error)}</InlineError>
      {asking && (
        <ConfirmDialog
          title="Delete this draft?"
          action="Delete draft"
          onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
          onClose={() => setAsking(false)}
        >
          This deletes the mailing only. Published drops aren’t affected.
        </ConfirmDialog>
      )}
    </div>
  )
}
