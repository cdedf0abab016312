import { expect, test } from 'vitest'
import { firstMessage } from './first-message.ts'

const order = ['focusAreas', 'aiLevel'] as const

test('the first question with an error is reported, whatever the order of the errors', () => {
  const errors = { aiLevel: { message: 'Please select' }, focusAreas: { message: 'Select at least one' } }
  expect(firstMessage(errors, order)).toEqual({ field: 'focusAreas', message: 'Select at least one' })
})

test('without errors there is no message', () => {
  expect(firstMessage({}, order)).toBeNull()
})
