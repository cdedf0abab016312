import { expect, test } from 'vitest'
import { linkError, linkMessage, linkSession, mayHaveSession, sessionStorageKey } from './session-storage.ts'

const place = (part: Partial<{ hostname: string; search: string }> = {}) => ({
  hostname: 'localhost',
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
})

test('a stored session counts only for its own host', () => {
  const entries = storage({ 'sb-localhost-auth-token': '{}' })
  expect(mayHaveSession(place(), entries)).toBe(true)
  expect(mayHaveSession(place({ hostname: 'example.com' }), entries)).toBe(false)
})

test('a code counts only where it was asked for', () => {
  expect(mayHaveSession(place({ search: '?code=x' }), storage())).toBe(false)
  expect(mayHaveSession(place({ search: '?code=x' }), storage({ 'sb-localhost-auth-token-code-verifier': 'v' }))).toBe(
    true,
  )
})

test('the reason for a failed link is read from the fragment', () => {
  expect(
    linkError('#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'),
  ).toEqual({ problem: 'Email link is invalid or has expired', code: 'otp_expired' })
  expect(linkError('#pricing')).toBeNull()
})

test('what a link has to say is told from an anchor that looks alike', () => {
  expect(linkMessage('#message=One+mailbox+has+agreed&sb=')).toBe('One mailbox has agreed')
  expect(linkMessage('#message=made+up+by+a+stranger')).toBeNull()
})

test('the session that a link brings is told by its tokens, and whether it asks for a password by its type', () => {
  const tokens = { access_token: 'a', refresh_token: 'b' }
  expect(linkSession('#access_token=a&refresh_token=b&type=recovery&sb=')).toEqual({ tokens, purpose: 'recovery' })
  expect(linkSession('#access_token=a&refresh_token=b&type=invite&sb=')).toEqual({ tokens, purpose: 'invite' })
  expect(linkSession('#access_token=a&refresh_token=b&type=signup&sb=')).toEqual({ tokens, purpose: 'signup' })
  expect(linkSession('#access_token=a&refresh_token=b&type=magiclink&sb=')).toEqual({ tokens, purpose: null })
  expect(linkSession('#type=recovery')).toBeNull()
})
