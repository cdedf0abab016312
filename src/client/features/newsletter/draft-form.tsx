import { useEffect } from 'react'
import { Link } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Choice } from '#client/ui/choice.tsx'
import { Field, inputStyles, TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import type { Mailing } from '#shared/contracts/mailings.ts'
import { AudienceFields } from './audience-fields.tsx'
import { type Draft, useDraft } from './use-draft.ts'

/** Longer subjects are cut off on phones. */
const goodSubjectLength = 60
const stateWords = { saved: 'Saved', saving: 'Saving…', failed: 'Not saved' } as const

type DraftFormProps = {
  mailing: Mailing
  /** The saved version, or null while there are unsaved changes. */
  onVersion: (version: number | null) => void
}

/** Content and audience of a draft, with autosave. */
export function DraftForm({ mailing, onVersion }: DraftFormProps) {
  const { draft, change, state, version, error } = useDraft(mailing)
  const savedVersion = state === 'saved' ? version : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once per change
  useEffect(() => onVersion(savedVersion), [savedVersion])
  return (
    <>
      <Section title="Content" status={<span role="status">{stateWords[state]}</span>}>
        <div className="grid max-w-3xl gap-5">
          <TextField
            label="Subject"
            data-path="mailing.subject"
            hint={`${draft.subject.length} characters; phones show about ${goodSubjectLength}.`}
            value={draft.subject}
            onChange={({ target }) => change({ subject: target.value })}
          />
          <TextField
            label="Preview text"
            data-path="mailing.preheader"
            hint="Shown next to the subject in the inbox."
            value={draft.preheader}
            onChange={({ target }) => change({ preheader: target.value })}
          />
          {draft.news && <NewsFields news={draft.news} onChange={(news) => change({ news })} />}
          <FormError>{formErrorMessage(error)}</FormError>
        </div>
      </Section>
      <Section
        title="Audience"
        lede="Recipients are chosen when sending starts. Anyone who joins later gets the next mailing."
      >
        <AudienceFields mailingId={mailing.id} value={draft.audience} onChange={(audience) => change({ audience })} />
        <Choice
          type="checkbox"
          className="mt-6 max-w-3xl"
          label="Count opens and clicks"
          description={
            mailing.trackingAllowed
              ? 'Only for readers who allow it.'
              : 'Tracking is turned off in the newsletter settings.'
          }
          disabled={!mailing.trackingAllowed}
          checked={draft.tracked && mailing.trackingAllowed}
          onChange={({ target }) => change({ tracked: target.checked })}
        />
        {!mailing.trackingAllowed && (
          <p className="mt-2 text-sm">
            <Link to="/admin/newsletter/settings" className="text-link">
              Change this in newsletter settings
            </Link>
          </p>
        )}
      </Section>
    </>
  )
}

type News = NonNullable<Draft['news']>

function NewsFields({ news, onChange }: { news: News; onChange: (news: News) => void }) {
  return (
    <>
      <TextField
        label="Title"
        data-path="mailing.title"
        value={news.title}
        onChange={({ target }) => onChange({ ...news, title: target.value })}
      />
      <Field label="Text" hint="Markdown. {{first_name|there}} becomes the reader’s first name, or “there”.">
        {(control) => (
          <textarea
            {...control}
            data-path="mailing.body"
            rows={12}
            className={`${inputStyles} py-2.5 leading-7`}
            value={news.body}
            onChange={({ target }) => onChange({ ...news, body: target.value })}
          />
        )}
      </Field>
    </>
  )
}
