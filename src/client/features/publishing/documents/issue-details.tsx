import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { DocumentPreview } from '#shared/contracts/publishing/publishing.ts'
import { deriveIssue, maxPreviewLength } from '#shared/domain/derive-issue.ts'
import { formatDay } from '#shared/domain/format.ts'
import { maxPollAnswers, minPollAnswers } from '#shared/domain/poll.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import { bindFields, CheckboxesField, LineField, LinesField, TextAreaField } from './fields.tsx'
import { CheckedOnField } from './item-fields.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { optionChoices } from './option-choices.ts'

const RecordingField = lazy(() => import('./recording-field.tsx'))

type IssueDetailsProps = {
  id: string
  draft: IssueDraft
  onChange: (draft: IssueDraft) => void
  hasBeenPublished: boolean
  preview: DocumentPreview | undefined
  className?: string
}

/** Fields of a drop besides its text. All are optional; placeholders show what readers get otherwise. */
export function IssueDetails({ id, draft, onChange, hasBeenPublished, preview, className }: IssueDetailsProps) {
  const set = (change: Partial<IssueDraft>) => onChange({ ...draft, ...change })
  const field = bindFields(draft, set)
  const derived = deriveIssue(publication, draft)
  const minutes = preview?.issue?.readingMinutes ?? 1
  const slug = draft.slug || preview?.issue?.slug || derived.slug
  const facts = [
    draft.date ? formatDay(draft.date) : 'No date yet',
    `${minutes} min read`,
    optionLabels(publication, 'focusAreas', derived.tags).join(', '),
  ]
  return (
    <Disclosure
      className={clsx('border-y border-line', className)}
      summary={
        <span className="min-w-0 [overflow-wrap:anywhere]">
          Details <span className="text-sm font-normal text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
      }
    >
      <div className="grid gap-5 pt-2 pb-5">
        <TextAreaField
          label="Preview"
          {...field('preview')}
          hint={`Below the title in lists, on the public page and in inboxes: ${draft.preview.length} of ${maxPreviewLength} characters.`}
          placeholder={derived.preview && `From the text: ${derived.preview}`}
          rows={3}
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <LineField
            label="Date"
            {...field('date')}
            hint="Shown above the title. Leave it empty for the day it’s published."
            type="date"
          />
          <LineField
            label="Address"
            {...field('slug')}
            hint={hasBeenPublished ? 'Already published, so it can’t change.' : `The link readers get: /drops/${slug}`}
            placeholder={slug}
            readOnly={hasBeenPublished}
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        <CheckboxesField
          label="Tags"
          path="tags"
          hint={
            draft.tags.length === 0 && derived.tags.length > 0
              ? ownWords`From the text: ${optionLabels(publication, 'focusAreas', derived.tags).join(', ')}. Readers who chose one see the drop earlier.`
              : ownWords`Readers who chose one of them see the drop earlier. None: no tags are shown.`
          }
          {...optionChoices('focusAreas', draft.tags)}
          value={draft.tags}
          onChange={(tags) => set({ tags })}
        />
        <MarkdownField
          label="What it’s worth"
          {...field('worth')}
          hint="A box below the opening that adds up what readers save: 2 nights × 10 minutes = 20 minutes. Leave it empty for none."
          rows={3}
        />
        <LineField
          label="Question"
          {...field('question')}
          hint={ownWords`Ends the drop: “Your question until the next drop”. Leave it empty for none.`}
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <LineField
            label="Poll"
            {...field('pollQuestion')}
            hint={ownWords`Readers answer with one click, in the drop and its email. Leave it empty for none.`}
          />
          <LinesField
            label="Answers of the poll"
            {...field('pollAnswers')}
            hint={`${minPollAnswers} to ${maxPollAnswers}, one per line.`}
          />
        </div>
        <LineField
          label="Editor’s note"
          {...field('editorNote')}
          hint="A sentence or two, shown signed above the opening. Leave it empty for none."
        />
        <CheckedOnField value={draft.checkedOn} onChange={set} />
        <Suspense>
          <RecordingField issueId={id} sections={draft.sections} />
        </Suspense>
      </div>
    </Disclosure>
  )
}
