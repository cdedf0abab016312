import { expect, test } from 'vitest'
import { ceremonyErrorMessage } from './ceremony-error.ts'

const named = (name: string, message = 'The operation either timed out or was not allowed.') =>
  Object.assign(new Error(message), { name })

test('a cancelled ceremony is told in words that lead on', () => {
  expect(ceremonyErrorMessage(named('NotAllowedError'))).toContain('choose another way')
})

test('a ceremony that gave way to another one is no problem', () => {
  expect(ceremonyErrorMessage(named('AbortError'))).toBeNull()
  expect(
    ceremonyErrorMessage(Object.assign(new Error('sent an abort signal'), { code: 'ERROR_CEREMONY_ABORTED' })),
  ).toBeNull()
})

test('the code of the server goes before the name of the error', () => {
  const error = Object.assign(named('AuthApiError', 'nope'), { code: 'webauthn_verification_failed' })
  expect(ceremonyErrorMessage(error)).toContain('not known here')
})

test('what has no words of ours keeps those it came with', () => {
  expect(ceremonyErrorMessage(named('AuthApiError', 'Request rate limit reached'))).toBe('Request rate limit reached')
  expect(ceremonyErrorMessage('nonsense')).toBe('Something went wrong. Please try again.')
})
