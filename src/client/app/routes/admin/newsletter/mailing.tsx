import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { ErrorsDialog } from '#client/features/publishing/mailings/accept-errors-dialog.tsx'
import { ChecksSection } from '#client/features/publishing/mailings/checks-section.tsx'
import { DraftForm } from '#client/features/publishing/mailings/draft-form.tsx'
import { mailingQuery } from '#client/features/publishing/mailings/mailings.api.ts'
import { PreviewSection } from '#client/features/publishing/mailings/preview-section.tsx'
import { ProgressSection } from '#client/features/publishing/mailings/progress-section.tsx'
import { ReportSection } from '#client/features/publishing/mailings/report-section.tsx'
import { SendSection } from '#client/features/publishing/mailings/send-section.tsx'
import { SubjectTestSection } from '#client/features/publishing/mailings/subject-test-section.tsx'
import { useMailingAutosave } from '#client/features/publishing/mailings/use-mailing-autosave.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { CallError, formErrorMessage } from '#client/lib/error-message.ts'
import { inWords, ownWords, publication } from '#client/lib/publication.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { LeaveGuard } from '#client/ui/leave-guard.tsx'
import { QueryPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import {
  adminSectionOrderingsCall,
  mailingErrorsSchema,
  problemText,
  type SectionOrderings,
} from '#shared/contracts/publishing/mailing-preview.ts'
import {
  adminDeleteMailingCall,
  adminMailingActionCall,
  adminUpdateScheduledMailingCall,
  type Mailing,
} from '#shared/contracts/publishing/mailings.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import { formatAll, formatNumber } from '#shared/domain/format-count.ts'
import { sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const mailing = useQuery({ ...mailingQuery(id), enabled: uuid.test(id) })
  usePageTitle(mailing.data?.content.title)
  const isGone = !uuid.test(id) || (mailing.error instanceof CallError && mailing.error.status === 404)
  return (
    <>
      <BackLink to="/admin/newsletter">All mailings</BackLink>
      <PageHeading title={mailing.data ? mailing.data.content.title || 'Product news' : 'Mailing'} className="mb-8" />
      {isGone ? (
        <EmptyState title="We couldn’t find this mailing">It may have been a deleted draft.</EmptyState>
      ) : mailing.data ? (
        <MailingView
          mailing={mailing.data}
          onDeleted={() => navigate('/admin/newsletter', { replace: true })}
          renderMarkdownField={(field) => <MarkdownField {...field} withBlocks={false} />}
        />
      ) : (
        <QueryPlaceholder query={mailing} what="the mailing" lines={10} height="h-11" className="max-w-3xl" />
      )}
    </>
  )
}

/** Why a mailing wasn't sent and what to do, shown on its draft. */
function SendFailureNotice({ id, sendFailure }: { id: string; sendFailure: SendFailure }) {
  const { reason, errors, scheduledAt, at } = sendFailure
  const { why, remedy } = sendFailureTexts[reason]
  const transition = useChange(adminMailingActionCall, { failure: 'Nothing changed' })
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
        onClick={() => transition.mutate({ id, action: 'dismiss' })}
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

function MailingView({ mailing, onDeleted, renderMarkdownField }: MailingViewProps) {
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
  // Doesn't refetch, since the page navigates away.
  const remove = useChange(adminDeleteMailingCall)
  return (
    <div className="border-t border-line py-8">
      <ConfirmButton
        label="Delete draft"
        variant="quiet"
        className="-ml-3"
        pending={remove.isPending}
        title="Delete this draft?"
        action="Delete draft"
        onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
      >{ownWords`This deletes the mailing only. Published drops aren’t affected.`}</ConfirmButton>
      <InlineError>{formErrorMessage(remove.error)}</InlineError>
    </div>
  )
}

type ScheduledContentProps = { mailing: Mailing; frozen: NonNullable<Mailing['frozen']> }

/** The text that a scheduled mailing sends, with a button to update it. */
function ScheduledContent({ mailing, frozen: { at, hasNewer, hasMissingPages } }: ScheduledContentProps) {
  const update = useChange(adminUpdateScheduledMailingCall)
  const [errors, setErrors] = useState<string[] | null>(null)
  const handleUpdate = (acceptedErrors: string[]) => {
    setErrors(null)
    update.mutate(
      { id: mailing.id, version: mailing.version, acceptedErrors },
      { onError: (error) => setErrors(errorsIn(error)) },
    )
  }
  return (
    <Section
      title="Text"
      lede={
        <>
          This mailing sends the text as of <Timestamp at={at} inline />. Later edits don’t change it.
        </>
      }
    >
      {hasMissingPages ? (
        <Warning>
          {hasNewer
            ? ownWords`A drop in this mailing was unpublished, so it can’t be sent as is. Publish the drop again, or update to the latest text.`
            : ownWords`This drop is unpublished. The mailing won’t be sent unless you publish the drop again before then.`}
        </Warning>
      ) : (
        hasNewer && <Warning>There’s a newer version. This mailing doesn’t send it unless you update.</Warning>
      )}
      {hasNewer && (
        <Button variant="secondary" className="mt-4" pending={update.isPending} onClick={() => handleUpdate([])}>
          Update to latest
        </Button>
      )}
      {!errors && <InlineError className="mt-3">{formErrorMessage(update.error)}</InlineError>}
      {errors && (
        <ErrorsDialog
          title="Update to the latest text?"
          errors={errors}
          action="Update anyway"
          onConfirm={() => handleUpdate(errors)}
          onClose={() => setErrors(null)}
        />
      )}
    </Section>
  )
}

const Warning = ({ children }: { children: string }) => (
  <p className="max-w-3xl border-l-3 border-accent bg-sunken px-4 py-3">{children}</p>
)

/** Errors of the checks, if they caused the rejection. */
function errorsIn(error: unknown): string[] | null {
  const refused = error instanceof CallError && error.code === 'mailing_has_errors' ? error.body : null
  return mailingErrorsSchema.safeParse(refused).data?.errors.map(problemText) ?? null
}

/** For one version of the draft. */
const sectionOrderingsQuery = (id: string, version: number) =>
  alwaysStaleQuery(['admin-section-orderings', id, version], adminSectionOrderingsCall, { id })

/** How many section orderings there are, and which section each group of readers sees first. */
function SectionOrderingsSection({ id, version }: { id: string; version: number }) {
  const { data, isError } = useQuery(sectionOrderingsQuery(id, version))
  return (
    <Section
      title="Section order"
      status={
        data &&
        data.sections > 0 &&
        `${formatNumber(data.orderings)} ${data.orderings === 1 ? 'order' : 'different orders'} for ${readers(data.readers)}`
      }
      lede="Every reader gets all sections, with those that match their business first."
    >
      {isError && <p className="text-muted">We couldn’t calculate the section order. Reload the page to try again.</p>}
      {!data && !isError && <SkeletonText lines={4} height="h-10" />}
      {data && (
        <>
          <p className="font-semibold">{completeness(data)}</p>
          {data.sections > 0 && data.groups.length > 0 && (
            <ScrollBox label="Groups of readers" className="mt-4 overflow-x-auto">
              <table className="w-full text-left text-sm">
                <caption className="sr-only">First section for each group of readers</caption>
                <thead>
                  <tr className="border-b-2 border-ink">
                    <th className="py-2 pr-6 font-semibold">Group</th>
                    <th className="py-2 pr-6 text-right font-semibold">Readers</th>
                    <th className="py-2 font-semibold">First section</th>
                  </tr>
                </thead>
                <tbody>
                  {data.groups.map((group) => (
                    <tr key={JSON.stringify(group.reader)} className="border-b border-line align-top">
                      <td className="py-2.5 pr-6">{readerText(group.reader)}</td>
                      <td className="py-2.5 pr-6 text-right tabular-nums">{formatNumber(group.readers)}</td>
                      <td className="py-2.5">
                        {group.first}
                        {group.reason && <span className="block text-muted">{group.reason}</span>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )}
        </>
      )}
    </Section>
  )
}

function completeness({ readers: all, completeReaders: complete, sections }: SectionOrderings): string {
  if (sections === 0) return 'This email has no sections to order.'
  return complete === all
    ? `${all === 1 ? '1 reader gets' : `All ${readers(all)} get`} ${formatAll(sections, 'section')}.`
    : `${readers(all - complete)} would miss a section. Don’t send this mailing, and report the problem.`
}

function readerText({ focusAreas, aiLevel, franchiseType }: Reader): string {
  const words = [
    optionLabels(publication, 'focusAreas', focusAreas).join(', '),
    aiLevel && optionLabel(publication, 'aiLevel', aiLevel),
    franchiseType && optionLabel(publication, 'franchiseType', franchiseType),
  ]
  return words.filter(Boolean).join('\u00a0· ') || 'No preferences yet'
}
