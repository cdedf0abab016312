import { expect, test } from 'vitest'
import { linkError, mayHaveSession, sessionStorageKey } from './session-storage.ts'

const place = (part: Partial<{ hostname: string; hash: string; search: string }> = {}) => ({
  hostname: 'localhost',
  hash: '',
  search: '',
  ...part,
})
const storage = (entries: Record<string, string> = {}) => ({ getItem: (key: string) => entries[key] ?? null })

test('the storage key is made of the first label of the host, as the official client makes it', () => {
  expect(sessionStorageKey('localhost')).toBe('sb-localhost-auth-token')
  expect(sessionStorageKey('127.0.0.1')).toBe('sb-127-auth-token')
  expect(sessionStorageKey('letters.example.com')).toBe('sb-letters-auth-token')
})

test('a first-time visitor has no session', () => {
  expect(mayHaveSession(place(), storage())).toBe(false)
  expect(mayHaveSession(place({ hash: '#pricing' }), storage())).toBe(false)
})

test('a stored session counts only for its own host', () => {
  const entries = storage({ 'sb-localhost-auth-token': '{}' })
  expect(mayHaveSession(place(), entries)).toBe(true)
  expect(mayHaveSession(place({ hostname: 'example.com' }), entries)).toBe(false)
})

test('a link from a mail brings a session along', () => {
  expect(mayHaveSession(place({ hash: '#access_token=a&refresh_token=b' }), storage())).toBe(true)
  expect(mayHaveSession(place({ search: '?code=x' }), storage())).toBe(false)
  expect(mayHaveSession(place({ search: '?code=x' }), storage({ 'sb-localhost-auth-token-code-verifier': 'v' }))).toBe(
    true,
  )
})

test('the reason for a failed link is read from the fragment', () => {
  expect(linkError('#error=access_denied&error_description=Email+link+is+invalid+or+has+expired')).toBe(
    'Email link is invalid or has expired',
  )
  expect(linkError('#pricing')).toBeNull()
})
