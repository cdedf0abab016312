import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { inOptionOrder } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { isAsked, offeredOptions, questionOf } from '#shared/domain/questions.ts'
import type { PreferenceQuestionProps } from './preferences-form.ts'

/*
 * The four preference questions. The onboarding wizard shows them in three steps, the preferences page all at once; both
 * pass the `questions` of `usePreferencesForm`.
 */

type OptionsProps = PreferenceQuestionProps & { question: QuestionName; columns?: boolean }

/** A question in the publisher's words. Chosen options stay in view after they were retired. */
function OptionFields({ question, answers, errors, onChange, columns = false }: OptionsProps) {
  if (!isAsked(publication, question)) return null
  const { wording, hint } = questionOf(publication, question)
  const value = answers[question]
  const chosen = typeof value === 'string' ? [value] : (value ?? [])
  const isMany = question === 'focusAreas' || question === 'goals'
  const choose = (key: string) => {
    if (!isMany) return onChange({ [question]: key })
    const others = chosen.filter((other) => other !== key)
    onChange({
      [question]: inOptionOrder(publication, question, others.length < chosen.length ? others : [...chosen, key]),
    })
  }
  return (
    <ChoiceGroup legend={wording} hint={hint || undefined} error={errors[question]} columns={columns}>
      {offeredOptions(publication, question, chosen).map(({ key, label, description }) => (
        <Choice
          key={key}
          type={isMany ? 'checkbox' : 'radio'}
          name={question}
          label={label}
          description={description || undefined}
          checked={chosen.includes(key)}
          onChange={() => choose(key)}
        />
      ))}
    </ChoiceGroup>
  )
}

export const FocusAreaFields = (props: PreferenceQuestionProps) => (
  <OptionFields question="focusAreas" columns {...props} />
)

export const AiLevelFields = (props: PreferenceQuestionProps) => <OptionFields question="aiLevel" {...props} />

export const GoalFields = (props: PreferenceQuestionProps) => <OptionFields question="goals" columns {...props} />

export function FranchiseTypeFields(props: PreferenceQuestionProps) {
  if (!isAsked(publication, 'franchiseType')) return null
  return (
    <div>
      <OptionFields question="franchiseType" columns {...props} />
      {/* A radio can’t be cleared by clicking it again. The row keeps its height to avoid a layout shift. */}
      <div className="mt-2 min-h-11">
        {props.answers.franchiseType && (
          <Button variant="quiet" size="sm" className="-ml-3" onClick={() => props.onChange({ franchiseType: '' })}>
            Clear answer
          </Button>
        )}
      </div>
    </div>
  )
}
