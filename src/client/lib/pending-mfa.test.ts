import type { User } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { pendingMfaOf, readClaims } from './pending-mfa.ts'

const tokenOf = (claims: object) =>
  `header.${btoa(JSON.stringify(claims)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}.signature`
const person = (...statuses: string[]) => ({ factors: statuses.map((status) => ({ status })) }) as User
const session = (user: User, aal: string, ...methods: string[]) => ({
  user,
  access_token: tokenOf({ aal, amr: methods.map((method) => ({ method, timestamp: 1 })) }),
})

test('without a verified factor no MFA is pending', () => {
  expect(pendingMfaOf(session({} as User, 'aal1', 'password'))).toBe('none')
  expect(pendingMfaOf(session(person('unverified'), 'aal1', 'password'))).toBe('none')
})

test('after a password or an email code alone MFA may be pending', () => {
  expect(pendingMfaOf(session(person('unverified', 'verified'), 'aal1', 'password'))).toBe('maybe')
  expect(pendingMfaOf(session(person('verified'), 'aal1', 'otp'))).toBe('maybe')
})

test('after a second factor or a passkey no MFA is pending', () => {
  expect(pendingMfaOf(session(person('verified'), 'aal2', 'totp', 'password'))).toBe('none')
  expect(pendingMfaOf(session(person('verified'), 'aal1', 'passkey'))).toBe('none')
})

test('an unreadable token has no claims', () => {
  for (const token of ['', 'opaque', 'a.b.c', 'a..c']) expect(readClaims(token)).toEqual({})
  expect(pendingMfaOf({ user: person('verified'), access_token: 'opaque' })).toBe('maybe')
})

test('claims with base64url characters are read', () => {
  expect(readClaims(tokenOf({ aal: 'aal1', note: '>>>???' }))).toMatchObject({ aal: 'aal1', note: '>>>???' })
})
