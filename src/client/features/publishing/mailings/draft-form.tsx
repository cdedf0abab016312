import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { audienceQuery } from '#client/features/publishing/documents/audience-count.tsx'
import type { SaveState } from '#client/lib/autosave.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Section } from '#client/ui/section.tsx'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { maxSubjectLength } from '#shared/domain/subject-test.ts'
import { AudienceFields } from './audience-fields.tsx'
import { SubjectTestFields } from './subject-test-fields.tsx'
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
