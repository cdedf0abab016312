import { expect, test } from 'vitest'
import { type Preferences, preferencesSchema } from '#shared/contracts/reader/preferences.ts'
import { findErrors, toAnswers } from './preferences-form.ts'

const saved: Preferences = { focusAreas: ['Sales'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseType: null }

test('saved answers pass through the form unchanged', () => {
  expect(preferencesSchema.parse(toAnswers(saved))).toEqual(saved)
  expect(preferencesSchema.parse(toAnswers({ ...saved, franchiseType: 'Retail' })).franchiseType).toBe('Retail')
})

test('an empty form has two errors, in the order of the questions', () => {
  expect(findErrors(toAnswers(null))).toEqual([
    { question: 'focusAreas', message: 'Select at least one focus area' },
    { question: 'aiLevel', message: 'Please select your AI familiarity level' },
  ])
})
