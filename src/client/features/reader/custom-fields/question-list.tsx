import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { StoredQuestion } from '#shared/contracts/reader/questions.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionsQuery } from './admin-questions.api.ts'
import { QuestionForm } from './question-form.tsx'

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
