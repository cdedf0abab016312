import { expect, test } from 'vitest'
import {
  hasUnfinishedOnboarding,
  mayHaveSession,
  readFreshSession,
  readLinkError,
  readLinkMessage,
  readLinkSession,
  renewBeforeMs,
  sessionStorageKey,
} from './stored-session.ts'

const place = (part: Partial<{ hostname: string; search: string }> = {}) => ({
  hostname: 'localhost',
  search: '',
  ...part,
})
const storage = (entries: Record<string, string> = {}) => ({ getItem: (key: string) => entries[key] ?? null })

test('the storage key uses the first label of the host, like supabase-js', () => {
  expect(sessionStorageKey('localhost')).toBe('sb-localhost-auth-token')
  expect(sessionStorageKey('127.0.0.1')).toBe('sb-127-auth-token')
  expect(sessionStorageKey('news.example.com')).toBe('sb-news-auth-token')
})

test('a first-time visitor has no session', () => {
  expect(mayHaveSession(place(), storage())).toBe(false)
})

test('a stored session counts only for its own host', () => {
  const entries = storage({ 'sb-localhost-auth-token': '{}' })
  expect(mayHaveSession(place(), entries)).toBe(true)
  expect(mayHaveSession(place({ hostname: 'example.com' }), entries)).toBe(false)
})

test('a code counts only with its verifier', () => {
  expect(mayHaveSession(place({ search: '?code=x' }), storage())).toBe(false)
  expect(mayHaveSession(place({ search: '?code=x' }), storage({ 'sb-localhost-auth-token-code-verifier': 'v' }))).toBe(
    true,
  )
})

test('a stored session is used without the auth client until its token has to be renewed', () => {
  const session = { access_token: 'a', refresh_token: 'r', expires_at: 1_000, user: { id: 'u' } }
  const stored = JSON.stringify(session)
  expect(readFreshSession(stored, 1_000_000 - renewBeforeMs)).toEqual(session)
  expect(readFreshSession(stored, 1_000_001 - renewBeforeMs)).toBeNull()
})

test.each([null, '', 'null', '{', '[]', '7', '{"access_token":"a","refresh_token":"r","expires_at":9e9}'])(
  'a stored session of another shape is left to the auth client: %s',
  (stored) => expect(readFreshSession(stored, 0)).toBeNull(),
)

test('the error of a link is read from the fragment', () => {
  expect(
    readLinkError('#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'),
  ).toEqual({ error: 'Email link is invalid or has expired', code: 'otp_expired' })
  expect(readLinkError('#pricing')).toBeNull()
})

test('the message of a link is distinguished from a similar anchor', () => {
  expect(readLinkMessage('#message=One+mailbox+has+agreed&sb=')).toBe('One mailbox has agreed')
  expect(readLinkMessage('#message=made+up+by+a+stranger')).toBeNull()
})

test('the session of a link is read with its purpose', () => {
  const tokens = { access_token: 'a', refresh_token: 'b' }
  expect(readLinkSession('#access_token=a&refresh_token=b&type=recovery&sb=')).toEqual({ tokens, purpose: 'recovery' })
  expect(readLinkSession('#access_token=a&refresh_token=b&type=invite&sb=')).toEqual({ tokens, purpose: 'invite' })
  expect(readLinkSession('#access_token=a&refresh_token=b&type=signup&sb=')).toEqual({ tokens, purpose: 'signup' })
  expect(readLinkSession('#access_token=a&refresh_token=b&type=magiclink&sb=')).toEqual({ tokens, purpose: null })
  expect(readLinkSession('#type=recovery')).toBeNull()
})

test('unfinished questions are those of this user, for a day', () => {
  const now = Date.UTC(2026, 10, 28)
  const draft = (email: string, ageMs: number) => JSON.stringify({ email, savedAt: now - ageMs, step: 3, answers: {} })
  const isOpen = (stored: string | null) => hasUnfinishedOnboarding(stored, 'reader@example.com', now)
  expect(isOpen(draft('Reader@example.com', 1_000))).toBe(true)
  for (const stored of [
    draft('other@example.com', 1_000),
    draft('reader@example.com', 90_000_000),
    null,
    '{',
    '{}',
    '3',
  ])
    expect(isOpen(stored)).toBe(false)
  expect(hasUnfinishedOnboarding(null, undefined, now)).toBe(false)
})
