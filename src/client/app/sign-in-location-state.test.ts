import { expect, test } from 'vitest'
import { confirmedSignUp, skipsQuestions } from './sign-in-location-state.ts'

test('staff, and people who sign up to join it, aren’t asked the reader’s questions', () => {
  expect(skipsQuestions({ from: '/staff/join#invitation=t0ken' }, null)).toBe(true)
  expect(skipsQuestions(confirmedSignUp, 'editor')).toBe(true)
  expect(skipsQuestions(confirmedSignUp, null)).toBe(false)
  expect(skipsQuestions({ from: '/checkout/pro_monthly' }, null)).toBe(false)
  expect(skipsQuestions(null, null)).toBe(false)
})
