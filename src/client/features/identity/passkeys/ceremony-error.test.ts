import { expect, test } from 'vitest'
import { ceremonyErrorMessage } from './ceremony-error.ts'

const named = (name: string, message = 'The operation either timed out or was not allowed.') =>
  Object.assign(new Error(message), { name })

test('a canceled ceremony says what to do next', () => {
  expect(ceremonyErrorMessage(named('NotAllowedError'))).toContain('choose another option')
})

test('a ceremony replaced by another one is not an error', () => {
  expect(ceremonyErrorMessage(named('AbortError'))).toBeNull()
  expect(
    ceremonyErrorMessage(Object.assign(new Error('sent an abort signal'), { code: 'ERROR_CEREMONY_ABORTED' })),
  ).toBeNull()
})

test('the server code takes precedence over the error name', () => {
  const error = Object.assign(named('AuthApiError', 'nope'), { code: 'webauthn_verification_failed' })
  expect(ceremonyErrorMessage(error)).toContain('don’t recognize')
})

test('an unknown error keeps its own message', () => {
  expect(ceremonyErrorMessage(named('AuthApiError', 'Request rate limit reached'))).toBe('Request rate limit reached')
  expect(ceremonyErrorMessage('nonsense')).toBe('Something went wrong. Please try again.')
})
