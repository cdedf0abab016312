import { optionLabel, type Questions } from './preferences.ts'
import { isAsked, offeredOptions } from './questions.ts'

/** Trades that examples are written for, in the order in which they are offered. */
export const verticals = ['food', 'fitness', 'home-services', 'automotive', 'salon', 'retail', 'education'] as const
export type Vertical = (typeof verticals)[number]

export const verticalLabels: Record<Vertical, string> = {
  food: 'Food',
  fitness: 'Fitness',
  'home-services': 'Home services',
  automotive: 'Automotive',
  salon: 'Salon and personal care',
  retail: 'Retail',
  education: 'Education',
}

/** The likeliest first. Other franchise types have none. */
const verticalsOfType: Readonly<Record<string, readonly Vertical[]>> = {
  'Food & Beverage': ['food'],
  'Health & Fitness': ['fitness', 'salon'],
  Retail: ['retail'],
  Services: ['home-services', 'automotive', 'salon'],
  Education: ['education'],
}

/** Trades that fit a franchise type from onboarding; empty for Other and no answer. */
export const verticalsOf = (franchiseType: string | null): readonly Vertical[] =>
  (franchiseType === null ? undefined : verticalsOfType[franchiseType]) ?? []

/** Trades that members can have: none if the question about them is off, or its options are others. */
export const offeredVerticals = (publication: Questions): Vertical[] =>
  isAsked(publication, 'franchiseType')
    ? offeredOptions(publication, 'franchiseType', []).flatMap(({ key }) =>
        optionLabel(publication, 'franchiseType', key) === key ? verticalsOf(key) : [],
      )
    : []
