import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { ConditionField } from '#client/features/operations/series/condition-field.tsx'
import { seriesPreviewQuery, seriesQuery } from '#client/features/operations/series/series.api.ts'
import { SeriesStatusSection } from '#client/features/operations/series/series-status-section.tsx'
import { StepRow } from '#client/features/operations/series/step-row.tsx'
import { TriggerFields, useStepNames } from '#client/features/operations/series/trigger-fields.tsx'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { MemberPicker, type PickedMember } from '#client/features/publishing/mailings/member-picker.tsx'
import { useChange } from '#client/lib/changes.ts'
import { CallError, formErrorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import {
  adminDeleteSeriesCall,
  adminSaveSeriesCall,
  adminSeriesMembersCall,
  type Series,
  seriesDraftSchema,
} from '#shared/contracts/operations/series.ts'
import { describeStep } from '#shared/domain/describe-series.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesStep, StepKind } from '#shared/domain/series.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const series = useQuery({ ...seriesQuery(id), enabled: uuid.test(id) })
  usePageTitle(series.data?.name)
  const isGone = !uuid.test(id) || (series.error instanceof CallError && series.error.status === 404)
  return (
    <>
      <BackLink to="/admin/newsletter/series">All series</BackLink>
      <PageHeading title={series.data?.name ?? 'Series'} className="mb-8" />
      {isGone ? (
        <EmptyState title="We couldn’t find this series">It may have been deleted.</EmptyState>
      ) : series.data ? (
        <>
          <h2 className="sr-only">Series</h2>
          <SeriesEditor
            key={id}
            series={series.data}
            renderText={(field) => <MarkdownField {...field} withBlocks={false} />}
            onDeleted={() => navigate('/admin/newsletter/series', { replace: true })}
          />
        </>
      ) : (
        <QueryPlaceholder query={series} what="the series" lines={10} height="h-11" className="max-w-3xl" />
      )}
    </>
  )
}

/** Labels of the buttons that add a step. */
const stepKinds: Record<StepKind, string> = {
  email: 'Add an email',
  wait: 'Add a wait',
  until: 'Add a wait until a day',
  condition: 'Add a condition',
  tag: 'Add a change of tags',
  field: 'Add a change of a field',
  webhook: 'Add a webhook',
}

function newStep(kind: StepKind): SeriesStep {
  const id = crypto.randomUUID()
  switch (kind) {
    case 'email':
      return { kind, id, subject: '', preheader: '', body: '', newsletterId: null }
    case 'wait':
      return { kind, id, amount: 3, unit: 'days' }
    case 'until':
      return { kind, id, weekday: 1, hour: 8 }
    case 'condition':
      return { kind, id, filter: memberFilterSchema.parse({}), otherwise: 'skip' }
    case 'tag':
      return { kind, id, tag: '', change: 'add' }
    case 'field':
      return { kind, id, field: 0, value: '' }
    case 'webhook':
      return { kind, id }
  }
}

type SeriesEditorProps = { series: Series; renderText: RenderMarkdownField; onDeleted: () => void }

const draftOf = ({ name, trigger, steps, leavesWhen, reentryDays }: Series) => ({
  name,
  trigger,
  steps,
  leavesWhen,
  reentryDays,
})
type Draft = ReturnType<typeof draftOf>
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A series as a list of steps. Changes are kept here until they are saved. */
function SeriesEditor({ series, renderText, onDeleted }: SeriesEditorProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(series))
  /** The version that is edited; a newer one of someone else is refused by the server. */
  const [version, setVersion] = useState(series.version)
  const [saved, setSaved] = useState<Draft>(() => draftOf(series))
  const [problem, setProblem] = useState<string | null>(null)
  const save = useChange(adminSaveSeriesCall)
  const remove = useChange(adminDeleteSeriesCall)
  const { role } = useStaffRole()
  const isSaved = same(draft, saved)
  const blocker = useLeaveBlocker(!isSaved && !remove.isSuccess)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const changeStep = (step: SeriesStep) =>
    setDraft((before) => ({ ...before, steps: before.steps.map((each) => (each.id === step.id ? step : each)) }))
  const { steps } = draft
  const move = (index: number, by: -1 | 1) => {
    const next = [...steps]
    const [step] = next.splice(index, 1)
    if (step) next.splice(index + by, 0, step)
    change({ steps: next })
  }
  const numbers = new Map(series.stepNumbers.map((each) => [each.stepId, each.numbers]))
  const tags = steps.flatMap((step) => (step.kind === 'tag' && step.tag ? [step.tag] : []))

  const handleSave = () => {
    if (save.isPending) return
    const parsed = seriesDraftSchema.safeParse({ id: series.id, version, ...draft })
    if (!parsed.success) return setProblem(problemOf(parsed.error.issues[0]))
    setProblem(null)
    save.mutate(parsed.data, {
      onSuccess: (answer) => {
        setVersion(answer.version)
        // The draft as the server stores it, with trimmed texts.
        const { id: _id, version: _version, ...stored } = parsed.data
        setDraft(stored)
        setSaved(stored)
      },
    })
  }

  return (
    <>
      {series.problems.map(({ text, mailingId }) => (
        <Banner key={text + mailingId} title="This series needs a change">
          {text}{' '}
          {mailingId && (
            <Link className="text-link" to={`/admin/newsletter/${mailingId}`}>
              Open the email’s report
            </Link>
          )}
        </Banner>
      ))}
      <SeriesStatusSection series={series} version={version} isSaved={isSaved} />
      <Section title="Who enters" lede="Each member enters once, unless you allow it again.">
        <div className="grid max-w-3xl gap-5">
          <TextField
            label="Name"
            hint="Only you and your staff see it."
            maxLength={80}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
          <TriggerFields
            trigger={draft.trigger}
            reentryDays={draft.reentryDays}
            onTrigger={(trigger) => change({ trigger })}
            onReentry={(reentryDays) => change({ reentryDays })}
          />
          <ConditionField
            label="Members leave early when they match"
            none="No one leaves early."
            filter={draft.leavesWhen}
            tags={tags}
            onChange={(leavesWhen) => change({ leavesWhen })}
          />
        </div>
      </Section>
      <Section
        title="Steps"
        status={series.tracking ? 'Opens and clicks are counted for members who allow it' : undefined}
        lede="Top to bottom. Edits apply to members who haven’t reached a step yet; no one gets an email again."
      >
        {steps.length > 0 && (
          <ol className="mb-5 border-t border-line">
            {steps.map((step, index) => (
              <StepRow
                key={step.id}
                seriesId={series.id}
                step={step}
                place={index + 1}
                count={steps.length}
                numbers={numbers.get(step.id) ?? {}}
                seesMembers={role !== null && adminSeriesMembersCall.roles.includes(role)}
                savedVersion={saved.steps.some((each) => same(each, step)) ? version : null}
                tags={tags}
                renderText={renderText}
                onChange={changeStep}
                onMove={(by) => move(index, by)}
                onDelete={() => change({ steps: steps.filter(({ id }) => id !== step.id) })}
              />
            ))}
          </ol>
        )}
        <div className="flex flex-wrap gap-2">
          {Object.entries(stepKinds).map(([kind, label]) => (
            <Button
              key={kind}
              variant="secondary"
              size="sm"
              onClick={() => change({ steps: [...steps, newStep(kind as SeriesStep['kind'])] })}
            >
              {label}
            </Button>
          ))}
        </div>
      </Section>
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line bg-paper py-3">
        <Button pending={save.isPending} disabled={isSaved} onClick={handleSave}>
          Save series
        </Button>
        <p role="status" className="text-sm text-muted">
          {isSaved ? 'Saved' : 'Not saved yet'}
        </p>
        <FormError>{problem ?? formErrorMessage(save.error)}</FormError>
      </div>
      {role === 'owner' && <SeriesPreview series={series} version={version} isSaved={isSaved} />}
      {series.status !== 'on' && (
        <Section title="Delete this series" lede="Its emails that were sent stay in your members’ history.">
          <ConfirmButton
            label="Delete series"
            variant="secondary"
            pending={remove.isPending}
            title={`Delete ${series.name}?`}
            action="Delete"
            onConfirm={() => remove.mutate({ id: series.id }, { onSuccess: onDeleted })}
          >
            Members who are in it get no further step, and its emails in the queue aren’t sent. This can’t be undone.
          </ConfirmButton>
          <FormError>{formErrorMessage(remove.error)}</FormError>
        </Section>
      )}
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
          If you leave now, you’ll lose your changes to this series.
        </UnsavedChangesDialog>
      )}
    </>
  )
}

/** "Step 2: Enter a subject" */
function problemOf(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const [field, index] = issue?.path ?? []
  const message = issue?.message ?? 'Check the series'
  return field === 'steps' && typeof index === 'number' ? `Step ${index + 1}: ${message}` : message
}

type SeriesPreviewProps = { series: Series; version: number; isSaved: boolean }

const outcomes: Readonly<Record<string, string>> = {
  sent: 'Gets',
  waited: 'Goes on after',
  matched: 'Matches',
  otherwise: 'Doesn’t match',
  skipped: 'Skips',
  done: 'Does',
}

/** Shows what one member would get, and when. */
function SeriesPreview({ series, version, isSaved }: SeriesPreviewProps) {
  const [member, setMember] = useState<PickedMember | null>(null)
  const { data } = useQuery({
    ...seriesPreviewQuery(series.id, version, member?.id ?? ''),
    enabled: member !== null && isSaved,
  })
  const names = useStepNames(series.steps)
  const steps = new Map(series.steps.map((step) => [step.id, step]))
  return (
    <Section
      title="Preview"
      lede="What a member would get who enters now, if nothing about them changes. Each email has its own preview above."
    >
      <div className="max-w-md">
        <MemberPicker member={member} note={isSaved ? undefined : 'Save the series first.'} onPick={setMember} />
      </div>
      {member && data && isSaved && (
        <div className="mt-5">
          {data.leaves ? (
            <p>They would leave before the first step.</p>
          ) : (
            <ol className="max-w-3xl divide-y divide-line border-y border-line">
              {data.steps.map(({ stepId, outcome, at }) => {
                const step = steps.get(stepId)
                return (
                  <li key={stepId} className="flex flex-wrap justify-between gap-x-6 py-2.5">
                    <span className="min-w-0 [overflow-wrap:anywhere]">
                      <span className="text-muted">{outcomes[outcome]}</span>{' '}
                      {step && describeStep(publication, step, names)}
                    </span>
                    <Timestamp at={at} />
                  </li>
                )
              })}
            </ol>
          )}
        </div>
      )}
    </Section>
  )
}
