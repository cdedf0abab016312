import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import {
  aiLevelLabels,
  aiLevels,
  type FocusArea,
  focusAreas,
  franchiseTypes,
  goals,
} from '#shared/domain/preferences.ts'
import type { PreferenceQuestionProps } from './preferences-form.ts'

/*
 * The four preference questions. The onboarding wizard shows them in three steps, the preferences page all at once; both
 * pass the `questions` of `usePreferencesForm`.
 */

/** Adds or removes an option, in the order of the options. */
const toggled = <Option extends string>(options: readonly Option[], chosen: readonly Option[], option: Option) =>
  options.filter((each) => (each === option) !== chosen.includes(each))

const focusAreaHints: Record<FocusArea, string> = {
  Operations: 'Opening, closing, shifts, stock',
  Marketing: 'Local posts, offers, reviews',
  Sales: 'Leads, estimates, follow-up',
  Technology: 'Tools, setup, what to turn on',
  'Customer Service': 'Replies, complaints, regulars',
  Finance: 'Costs, cash, royalty reports',
}

export function FocusAreaFields({ answers, errors, onChange }: PreferenceQuestionProps) {
  return (
    <ChoiceGroup
      legend="Where should we help first?"
      hint="Choose at least one. Matching content moves to the top; you still get everything."
      error={errors.focusAreas}
      columns
    >
      {focusAreas.map((area) => (
        <Choice
          key={area}
          type="checkbox"
          name="focusAreas"
          label={area}
          description={focusAreaHints[area]}
          checked={answers.focusAreas.includes(area)}
          onChange={() => onChange({ focusAreas: toggled(focusAreas, answers.focusAreas, area) })}
        />
      ))}
    </ChoiceGroup>
  )
}

export function AiLevelFields({ answers, errors, onChange }: PreferenceQuestionProps) {
  return (
    <ChoiceGroup legend="How familiar are you with AI tools?" error={errors.aiLevel}>
      {aiLevels.map((level) => (
        <Choice
          key={level}
          type="radio"
          name="aiLevel"
          label={aiLevelLabels[level].title}
          description={aiLevelLabels[level].description}
          checked={answers.aiLevel === level}
          onChange={() => onChange({ aiLevel: level })}
        />
      ))}
    </ChoiceGroup>
  )
}

export function GoalFields({ answers, errors, onChange }: PreferenceQuestionProps) {
  const chosen = answers.goals ?? []
  return (
    <ChoiceGroup
      legend="What are your goals?"
      hint="Optional. Choose as many as you like."
      error={errors.goals}
      columns
    >
      {goals.map((goal) => (
        <Choice
          key={goal}
          type="checkbox"
          name="goals"
          label={goal}
          checked={chosen.includes(goal)}
          onChange={() => onChange({ goals: toggled(goals, chosen, goal) })}
        />
      ))}
    </ChoiceGroup>
  )
}

export function FranchiseTypeFields({ answers, errors, onChange }: PreferenceQuestionProps) {
  return (
    <div>
      <ChoiceGroup legend="What kind of franchise do you run?" hint="Optional." error={errors.franchiseType} columns>
        {franchiseTypes.map((type) => (
          <Choice
            key={type}
            type="radio"
            name="franchiseType"
            label={type}
            checked={answers.franchiseType === type}
            onChange={() => onChange({ franchiseType: type })}
          />
        ))}
      </ChoiceGroup>
      {/* A radio can’t be cleared by clicking it again. The row keeps its height to avoid a layout shift. */}
      <div className="mt-2 min-h-11">
        {answers.franchiseType && (
          <Button variant="quiet" size="sm" className="-ml-3" onClick={() => onChange({ franchiseType: '' })}>
            Clear answer
          </Button>
        )}
      </div>
    </div>
  )
}
