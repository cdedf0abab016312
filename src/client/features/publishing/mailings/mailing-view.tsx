import { useState } from 'react'
import { Link } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { inWords, ownWords } from '#client/lib/own-words.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { LeaveGuard } from '#client/ui/leave-guard.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminDeleteMailingCall, type Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import { sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { ChecksSection } from './checks-section.tsx'
import { DraftForm } from './draft-form.tsx'
import { useMailingAction } from './mailings.api.ts'
import { PreviewSection } from './preview-section.tsx'
import { ProgressSection } from './progress-section.tsx'
import { ReportSection } from './report-section.tsx'
import { ScheduledContent } from './scheduled-content.tsx'
import { SectionOrderingsSection } from './section-orderings-section.tsx'
import { SendSection } from './send-section.tsx'
import { SubjectTestSection } from './subject-test-section.tsx'
import { useMailingAutosave } from './use-mailing-autosave.ts'

/** Why a mailing wasn't sent and what to do, shown on its draft. */
function SendFailureNotice({ id, sendFailure }: { id: string; sendFailure: SendFailure }) {
  const { reason, errors, scheduledAt, at } = sendFailure
  const { why, remedy } = sendFailureTexts[reason]
  const transition = useMailingAction(id)
  return (
    <section aria-labelledby="not-sent" className="mb-8 max-w-3xl border-l-3 border-danger bg-danger-soft px-4 py-4">
      <h3 id="not-sent" className="font-semibold text-danger">
        This mailing wasn’t sent
      </h3>
      <p className="mt-1">
        It was due <Timestamp at={scheduledAt ?? at} inline /> and is a draft again. {inWords(why)}
      </p>
      {errors.length > 0 && (
        <ul aria-label="Errors" className="mt-2 grid list-disc gap-1 pl-5 text-sm">
          {errors.map((words) => (
            <li key={words} className="[overflow-wrap:anywhere]">
              {words}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2">{inWords(remedy)}</p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        pending={transition.isPending}
        onClick={() => transition.mutate('dismiss')}
      >
        Dismiss
      </Button>
    </section>
  )
}

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
          lede={ownWords`This mailing goes out right after its drop is published, with the text that is published then. If the drop isn’t published, it becomes a draft again.`}
        >
          <Link to={`/admin/content/drops/${mailing.issueId}`} className="text-link">{ownWords`Open the drop`}</Link>
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
        >{ownWords`This deletes the mailing only. Published drops aren’t affected.`}</ConfirmDialog>
      )}
    </div>
  )
}
