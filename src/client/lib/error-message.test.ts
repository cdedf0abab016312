import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { CallError, errorMessage, formErrorMessage } from './error-message.ts'
import { StepUpDeclined } from './step-up.ts'

test('a 4xx error keeps the message of the server', () => {
  expect(errorMessage(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'))).toBe(
    'Invalid login credentials',
  )
  expect(errorMessage(new CallError('wrong_backup_code', 'That code is not valid', 400))).toBe('That code is not valid')
})

test('network and server errors get a generic message', () => {
  expect(errorMessage(new AuthRetryableFetchError('Failed to fetch', 0))).toContain('Check your connection')
  expect(errorMessage(new CallError('network', 'Whatever the browser says', 0))).toContain('Check your connection')
  for (const error of [new AuthRetryableFetchError('{}', 503), new TypeError('x is undefined'), null]) {
    expect(errorMessage(error)).toBe('Something went wrong. Please try again.')
  }
})

test('a form has no message without an error or after a declined step-up', () => {
  expect(formErrorMessage(null)).toBeUndefined()
  expect(formErrorMessage(new StepUpDeclined())).toBeUndefined()
  expect(formErrorMessage(new CallError('not_admin', 'No', 403))).toBe('No')
})

test('a product call keeps its message on a server error', () => {
  expect(errorMessage(new CallError('payments_unavailable', 'The payment service does not answer', 502))).toBe(
    'The payment service does not answer',
  )
})
