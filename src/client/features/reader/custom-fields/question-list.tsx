import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import {
  adminQuestionsCall,
  adminQuestionUseCall,
  adminSaveQuestionCall,
  type StoredQuestion,
} from '#shared/contracts/reader/questions.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import {
  maxDescriptionLength,
  maxOfferedOptions,
  maxOptionLabelLength,
  maxQuestionHintLength,
  maxQuestionNameLength,
  maxWordingLength,
} from '#shared/domain/questions.ts'
import { isConflict } from './admin-fields.api.ts'
import { membersText } from './count-text.ts'
import { FieldOptions, type WrittenOption } from './field-options.tsx'

const places: Record<QuestionName, string> = {
  focusAreas: 'First step of sign-up · Several answers, at least one',
  aiLevel: 'Second step of sign-up · One answer, required',
  goals: 'Third step of sign-up · Several answers, optional',
  franchiseType: 'Third step of sign-up · One answer, optional',
}

/** The questions that come with the product, in the order in which members are asked. */
export function QuestionList() {
  const questions = useQuery(questionsQuery)
  const [editing, setEditing] = useState<QuestionName | null>(null)
  if (questions.isError && !questions.data) return <LoadError what="the questions" query={questions} />
  return (
    <Section
      title="Questions at sign-up"
      lede="They decide what each reader sees first. Put them in your own words: answers that members gave stay."
    >
      {questions.data ? (
        <ul aria-label="Questions" className="border-t-2 border-ink">
          {questions.data.items.map((question) => (
            <li key={question.question} className="border-b border-line py-5 last:border-b-0 last:pb-0">
              {editing === question.question ? (
                <QuestionForm
                  key={question.version}
                  question={question}
                  onReload={() => void questions.refetch()}
                  onClose={() => setEditing(null)}
                />
              ) : (
                <QuestionRow question={question} onEdit={() => setEditing(question.question)} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={4} height="h-20" />
        </LoadingPlaceholder>
      )}
    </Section>
  )
}

function QuestionRow({ question, onEdit }: { question: StoredQuestion; onEdit: () => void }) {
  const offered = question.options.filter(({ retired }) => !retired)
  const retired = question.options.length - offered.length
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-semibold">{question.name}</span>
          <span className="text-muted">{question.wording}</span>
        </p>
        <p className="mt-1">{offered.map(({ label }) => label).join(', ')}</p>
        <p className="text-sm text-muted">
          {question.off ? 'Not asked' : places[question.question]}
          {retired > 0 && ` · ${retired} retired`}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Edit ${question.name}`} onClick={onEdit}>
        Edit
      </Button>
    </div>
  )
}

const asQuestions = (items: readonly StoredQuestion[]) =>
  Object.fromEntries(
    items
      .filter(({ version }) => version > 0)
      .map(({ question, name, wording, hint, options }) => [question, { name, wording, hint, options }]),
  )

const useQuestionUse = (question: QuestionName, enabled: boolean) =>
  useQuery(alwaysStaleQuery(['admin-question-use', question], adminQuestionUseCall, { question }, { enabled }))

type QuestionFormProps = { question: StoredQuestion; onReload: () => void; onClose: () => void }

/** The words of a question that comes with the product, and its options. */
function QuestionForm({ question, onReload, onClose }: QuestionFormProps) {
  const save = useChange(adminSaveQuestionCall, {
    stores: questionsQuery,
    onSuccess: ({ items }) => {
      // Filters and editors of this page, too, offer the options as they are now.
      publication.questions = asQuestions(items)
    },
  })
  const [options, setOptions] = useState<readonly WrittenOption[]>(question.options.filter(({ retired }) => !retired))
  const [isAsked, setIsAsked] = useState(!question.off)
  const isRemoving = question.options.some(({ key }) => options.every((option) => option.key !== key))
  const use = useQuestionUse(question.question, isRemoving)
  const usedBy = (key: string) => {
    const counts = use.data?.options[key]
    return counts && `${membersText(counts.members)}, ${formatCount(counts.items, 'text')}`
  }
  const handleSubmit = submitHandler(save, (text, form) =>
    save.mutate(
      {
        question: question.question,
        version: question.version,
        name: text('name'),
        wording: text('wording'),
        hint: text('hint'),
        off: form.get('asked') === null,
        options: options.map(({ key, label, description = '' }) => ({
          key,
          label: label.trim(),
          description: description.trim(),
        })),
      },
      { onSuccess: onClose },
    ),
  )
  return (
    <form onSubmit={handleSubmit} aria-label={`Edit ${question.name}`} className="grid max-w-3xl gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Question"
          name="wording"
          required
          maxLength={maxWordingLength}
          autoComplete="off"
          defaultValue={question.wording}
          hint="What members are asked."
        />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={maxQuestionNameLength}
          autoComplete="off"
          defaultValue={question.name}
          hint="In filters, exports and the editor."
        />
        <TextField
          label="Help line"
          name="hint"
          maxLength={maxQuestionHintLength}
          autoComplete="off"
          defaultValue={question.hint}
          hint="Optional, below the question."
        />
      </div>
      <Choice
        type="checkbox"
        name="asked"
        label="Ask it at sign-up"
        description="If not, members aren’t asked and keep the answers they gave."
        checked={isAsked}
        onChange={() => setIsAsked(!isAsked)}
      />
      <FieldOptions
        known={question.options}
        options={options}
        onChange={setOptions}
        max={maxOfferedOptions}
        maxLabelLength={maxOptionLabelLength}
        maxDescriptionLength={maxDescriptionLength}
        usedBy={usedBy}
        retiredNote="Retired options are no longer offered. Members and texts that have one keep it: it still decides their order, and filters find it."
      />
      <FormActions action="Save question" change={save} onCancel={onClose}>
        {isConflict(save.error) && (
          <Button variant="secondary" onClick={onReload}>
            Show the newer version
          </Button>
        )}
      </FormActions>
    </form>
  )
}

/** The questions that come with the product. */
const questionsQuery = alwaysStaleQuery(['admin-questions'], adminQuestionsCall, {})
