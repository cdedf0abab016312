import { useFormContext, useWatch } from 'react-hook-form'
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
import type { PreferencesInput } from './preferences-form.ts'

/*
 * The four preference questions. The onboarding wizard shows them in three steps, the preferences page all at once; both
 * wrap them in a FormProvider with `usePreferencesForm`.
 */

const focusAreaHints: Record<FocusArea, string> = {
  Operations: 'Opening, closing, shifts, stock',
  Marketing: 'Local posts, offers, reviews',
  Sales: 'Leads, estimates, follow-up',
  Technology: 'Tools, set-up, what to switch on',
  'Customer Service': 'Replies, complaints, regulars',
  Finance: 'Costs, cash, royalty reports',
}

export function FocusAreaFields() {
  const { register, formState } = useFormContext<PreferencesInput>()
  return (
    <ChoiceGroup
      legend="Where should we help first?"
      hint="Choose at least one. Matching content moves to the top; you still get everything."
      error={formState.errors.focusAreas?.message}
      columns
    >
      {focusAreas.map((area) => (
        <Choice
          key={area}
          type="checkbox"
          value={area}
          label={area}
          description={focusAreaHints[area]}
          {...register('focusAreas')}
        />
      ))}
    </ChoiceGroup>
  )
}

export function AiLevelFields() {
  const { register, formState } = useFormContext<PreferencesInput>()
  return (
    <ChoiceGroup legend="How familiar are you with AI tools?" error={formState.errors.aiLevel?.message}>
      {aiLevels.map((level) => (
        <Choice
          key={level}
          type="radio"
          value={level}
          label={aiLevelLabels[level].title}
          description={aiLevelLabels[level].description}
          {...register('aiLevel')}
        />
      ))}
    </ChoiceGroup>
  )
}

export function GoalFields() {
  const { register, formState } = useFormContext<PreferencesInput>()
  return (
    <ChoiceGroup
      legend="What are your goals?"
      hint="Optional. Choose as many as you like."
      error={formState.errors.goals?.message}
      columns
    >
      {goals.map((goal) => (
        <Choice key={goal} type="checkbox" value={goal} label={goal} {...register('goals')} />
      ))}
    </ChoiceGroup>
  )
}

export function FranchiseTypeFields() {
  const { register, setValue, control, formState } = useFormContext<PreferencesInput>()
  const chosen = useWatch({ control, name: 'franchiseType' })
  return (
    <div>
      <ChoiceGroup
        legend="What kind of franchise do you run?"
        hint="Optional."
        error={formState.errors.franchiseType?.message}
        columns
      >
        {franchiseTypes.map((type) => (
          <Choice key={type} type="radio" value={type} label={type} {...register('franchiseType')} />
        ))}
      </ChoiceGroup>
      {/* A radio can’t be cleared by clicking it again. The row keeps its height to avoid a layout shift. */}
      <div className="mt-2 min-h-11">
        {chosen && (
          <Button
            variant="quiet"
            size="sm"
            className="-ml-3"
            onClick={() => setValue('franchiseType', '', { shouldDirty: true })}
          >
            Clear answer
          </Button>
        )}
      </div>
    </div>
  )
}
