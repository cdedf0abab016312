import { expect, test } from 'vitest'
import { type Preferences, preferencesSchema } from '#shared/contracts/preferences.ts'
import { toInput } from './preferences-form.ts'

const saved: Preferences = { focusAreas: ['Sales'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseType: null }

test('saved answers pass through the form unchanged', () => {
  expect(preferencesSchema.parse(toInput(saved))).toEqual(saved)
  expect(preferencesSchema.parse(toInput({ ...saved, franchiseType: 'Retail' })).franchiseType).toBe('Retail')
})

test('an empty form returns the two messages that users see', () => {
  const messages = preferencesSchema.safeParse({ focusAreas: [], aiLevel: null, goals: [], franchiseType: '' }).error
    ?.issues
  expect(messages?.map((issue) => issue.message)).toEqual([
    'Select at least one focus area',
    'Please select your AI familiarity level',
  ])
})
