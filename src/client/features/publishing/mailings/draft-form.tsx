import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { audienceQuery } from '#client/features/publishing/documents/audience-count.tsx'
import type { SaveState } from '#client/lib/autosave.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { FormError, SelectField, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import {
  maxOtherSubjects,
  maxSubjectLength,
  problemOfSubjectTest,
  problemOfTestSize,
  type SubjectTest,
  testShares,
} from '#shared/domain/subject-test.ts'
import { AudienceFields } from './audience-fields.tsx'
import type { MailingDraft } from './use-mailing-autosave.ts'

/** Longer subjects are cut off on phones. */
const goodSubjectLength = 60

type DraftFormProps = {
  mailing: Mailing
  draft: MailingDraft
  state: SaveState<unknown>
  onChange: (draft: MailingDraft) => void
  renderMarkdownField: RenderMarkdownField
}

/** Content and audience of a draft. */
export function DraftForm({ mailing, draft, state, onChange, renderMarkdownField }: DraftFormProps) {
  const change = (part: Partial<MailingDraft>) => onChange({ ...draft, ...part })
  const audience = useQuery({
    ...audienceQuery({ id: mailing.id }, draft.audience),
    enabled: draft.subjectTest !== null,
  })
  const failure = state.kind === 'offline' || state.kind === 'failed' ? state.error : null
  const status = state.kind === 'saved' ? 'Saved' : failure ? 'Not saved' : 'Saving…'
  return (
    <>
      <Section title="Content" status={<span role="status">{status}</span>}>
        <div className="grid max-w-3xl gap-5">
          <TextField
            label="Subject"
            data-path="mailing.subject"
            maxLength={maxSubjectLength}
            hint={`${draft.subject.length} characters; phones show about ${goodSubjectLength}.`}
            value={draft.subject}
            onChange={({ target }) => change({ subject: target.value })}
          />
          <TextField
            label="Preview text"
            data-path="mailing.preheader"
            maxLength={maxSubjectLength}
            hint="Shown next to the subject in the inbox."
            value={draft.preheader}
            onChange={({ target }) => change({ preheader: target.value })}
          />
          {draft.news && (
            <NewsFields
              news={draft.news}
              onChange={(news) => change({ news })}
              renderMarkdownField={renderMarkdownField}
            />
          )}
          <FormError>{failure ? errorMessage(failure) : null}</FormError>
        </div>
      </Section>
      <Section
        title="Audience"
        lede="Recipients are chosen when sending starts. Anyone who joins later gets the next mailing."
      >
        <AudienceFields
          mailingId={mailing.id}
          kind={mailing.kind}
          value={draft.audience}
          onChange={(audience) => change({ audience })}
        />
        <p className="mt-6 text-sm text-muted">
          {mailing.tracked
            ? 'Opens and clicks are counted for readers who allow it.'
            : 'Opens and clicks aren’t counted.'}{' '}
          <Link to="/admin/newsletter/settings" className="text-link">
            Change this in newsletter settings
          </Link>
        </p>
      </Section>
      {mailing.kind === 'issue' && (
        <ReaderHoursSection mailing={mailing} draft={draft} onChange={(readerHours) => change({ readerHours })} />
      )}
      <Section
        title="Subject test"
        lede="Send two or three subjects to some of the readers. The others wait and get the best one."
      >
        <SubjectTestFields
          subject={draft.subject}
          value={draft.subjectTest}
          tracked={mailing.tracked}
          readerHours={draft.readerHours && mailing.readerHoursAllowed}
          repliesRead={mailing.repliesRead}
          receiving={audience.data?.receiving}
          onChange={(subjectTest) => change({ subjectTest })}
        />
      </Section>
    </>
  )
}

type ReaderHoursSectionProps = {
  mailing: Mailing
  draft: MailingDraft
  onChange: (readerHours: boolean) => void
}

function ReaderHoursSection({ mailing: { readerHoursAllowed }, draft, onChange }: ReaderHoursSectionProps) {
  return (
    <Section title="Delivery time">
      <Choice
        type="checkbox"
        className="max-w-3xl"
        label="Send at each reader’s own hour"
        description={
          readerHoursAllowed
            ? 'Within 24 hours, in their time zone. Readers without an hour of their own get it right away.'
            : 'Readers’ own hours are turned off in the newsletter settings.'
        }
        disabled={!readerHoursAllowed}
        checked={draft.readerHours && readerHoursAllowed}
        onChange={({ target }) => onChange(target.checked)}
      />
      {!readerHoursAllowed && (
        <p className="mt-2 text-sm">
          <Link to="/admin/newsletter/settings" className="text-link">
            Turn them on in newsletter settings
          </Link>
        </p>
      )}
    </Section>
  )
}

type News = NonNullable<MailingDraft['news']>

type NewsFieldsProps = { news: News; onChange: (news: News) => void; renderMarkdownField: RenderMarkdownField }

function NewsFields({ news, onChange, renderMarkdownField }: NewsFieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        data-path="mailing.title"
        value={news.title}
        onChange={({ target }) => onChange({ ...news, title: target.value })}
      />
      {renderMarkdownField({
        path: 'mailing.body',
        label: 'Text',
        hint: '{{first_name|there}} becomes the reader’s first name, or “there”.',
        rows: 12,
        value: news.body,
        onChange: (body) => onChange({ ...news, body }),
      })}
    </>
  )
}

const hourChoices = [1, 2, 3, 4, 6, 8, 12, 24, 48]
const firstTest: SubjectTest = { otherSubjects: [''], share: 20, hours: 4, measure: 'clicks' }

type SubjectTestFieldsProps = {
  subject: string
  value: SubjectTest | null
  tracked: boolean
  readerHours: boolean
  repliesRead: boolean
  /** Who would receive the mailing now; undefined while it is counted. */
  receiving: number | undefined
  onChange: (value: SubjectTest | null) => void
}

/** The other subjects of a draft, how many readers get them, and when the best is chosen. */
function SubjectTestFields({ value, onChange, ...draft }: SubjectTestFieldsProps) {
  return (
    <div className="grid max-w-3xl gap-5">
      <Choice
        type="checkbox"
        label="Test other subjects"
        description="If the difference could be chance, the first subject goes out."
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? firstTest : null)}
      />
      {value && <TestFields {...draft} value={value} onChange={onChange} />}
    </div>
  )
}

type TestFieldsProps = Omit<SubjectTestFieldsProps, 'value'> & { value: SubjectTest }

function TestFields({ subject, value, receiving, onChange, ...can }: TestFieldsProps) {
  const { otherSubjects, share, hours, measure } = value
  const change = (part: Partial<SubjectTest>) => onChange({ ...value, ...part })
  const problem =
    problemOfSubjectTest(subject, value, can) ??
    (receiving === undefined ? null : problemOfTestSize(receiving, 1 + otherSubjects.length, share))
  return (
    <>
      {otherSubjects.map((text, index) => (
        // The fields have no other identity than their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className="flex items-end gap-3">
          <TextField
            label={`Subject ${index + 2}`}
            fieldClassName="min-w-0 grow"
            maxLength={maxSubjectLength}
            value={text}
            onChange={({ target }) => change({ otherSubjects: otherSubjects.with(index, target.value) })}
          />
          {otherSubjects.length > 1 && (
            <Button
              variant="secondary"
              aria-label={`Remove subject ${index + 2}`}
              onClick={() => change({ otherSubjects: otherSubjects.toSpliced(index, 1) })}
            >
              Remove
            </Button>
          )}
        </div>
      ))}
      {otherSubjects.length < maxOtherSubjects && (
        <div>
          <Button variant="secondary" onClick={() => change({ otherSubjects: [...otherSubjects, ''] })}>
            Add a third subject
          </Button>
        </div>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Readers in the test"
          value={share}
          onChange={({ target }) => change({ share: Number(target.value) })}
          options={testShares.map((percent) => [percent, `${percent}%`])}
        />
        {(can.repliesRead || measure === 'replies') && (
          <SelectField
            label="Choose the best by"
            hint={
              measure === 'replies'
                ? 'Counts readers who reply by email, without automatic replies. It takes many readers to tell: few of them reply.'
                : undefined
            }
            value={measure}
            onChange={({ target }) => change({ measure: target.value === 'replies' ? 'replies' : 'clicks' })}
          >
            <option value="clicks">Clicks</option>
            <option value="replies">Replies</option>
          </SelectField>
        )}
        <SelectField
          label="Choose the best after"
          value={hours}
          onChange={({ target }) => change({ hours: Number(target.value) })}
          options={hourChoices.map((each) => [each, formatCount(each, 'hour')])}
        />
      </div>
      {problem && (
        <p role="status" className="text-sm text-muted">
          {problem}
        </p>
      )}
    </>
  )
}
