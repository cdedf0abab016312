import type { Factor } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { methodLabel, mfaMethods } from './mfa-methods.ts'

const factor = (id: string, factor_type: string, more: object = {}) =>
  ({ id, factor_type, status: 'verified', ...more }) as Factor

const names = (factors: Factor[], can = { ceremonies: true, backupCodes: true, passkey: true }) =>
  mfaMethods(factors, can).map(methodLabel)

test('the quickest way stands first, backup code and passkey last', () => {
  const factors = [factor('1', 'phone', { phone: '15550142' }), factor('2', 'webauthn'), factor('3', 'totp')]
  expect(names(factors)).toEqual([
    'Authenticator app',
    'Security key',
    'Text message to …42',
    'Backup code',
    'Use a passkey instead',
  ])
})

test('two of a kind are told apart by their names, one alone needs none', () => {
  const factors = [factor('1', 'totp', { friendly_name: 'Phone' }), factor('2', 'totp', { friendly_name: 'Tablet' })]
  expect(names(factors, { ceremonies: true, backupCodes: false, passkey: false })).toEqual([
    'Authenticator app: Phone',
    'Authenticator app: Tablet',
  ])
  expect(names(factors.slice(0, 1), { ceremonies: true, backupCodes: false, passkey: false })).toEqual([
    'Authenticator app',
  ])
})

test('what was never finished, and what this browser cannot do, is not offered', () => {
  const factors = [factor('1', 'totp', { status: 'unverified' }), factor('2', 'webauthn'), factor('3', 'phone')]
  expect(names(factors, { ceremonies: false, backupCodes: true, passkey: true })).toEqual([
    'Text message',
    'Backup code',
  ])
})

test('a passkey is offered to whoever has one', () => {
  const able = { ceremonies: true, backupCodes: false }
  expect(names([factor('1', 'totp')], { ...able, passkey: true })).toContain('Use a passkey instead')
  expect(names([factor('1', 'totp')], { ...able, passkey: false })).toEqual(['Authenticator app'])
})
