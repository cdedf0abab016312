import type { Factor } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { methodLabel, mfaMethods } from './mfa-methods.ts'

const factor = (id: string, factor_type: string, more: object = {}) =>
  ({ id, factor_type, status: 'verified', ...more }) as Factor

const names = (factors: Factor[], can = { ceremonies: true, backupCodes: true, passkey: true }) =>
  mfaMethods(factors, can).map(methodLabel)

test('the quickest method comes first, a backup code and a passkey last', () => {
  const factors = [factor('1', 'phone', { phone: '15550142' }), factor('2', 'webauthn'), factor('3', 'totp')]
  expect(names(factors)).toEqual([
    'Authenticator app',
    'Security key',
    'Text message to …42',
    'Backup code',
    'Use a passkey instead',
  ])
})

test('two factors of a kind show their names, a single one does not', () => {
  const factors = [factor('1', 'totp', { friendly_name: 'Phone' }), factor('2', 'totp', { friendly_name: 'Tablet' })]
  expect(names(factors, { ceremonies: true, backupCodes: false, passkey: false })).toEqual([
    'Authenticator app: Phone',
    'Authenticator app: Tablet',
  ])
  expect(names(factors.slice(0, 1), { ceremonies: true, backupCodes: false, passkey: false })).toEqual([
    'Authenticator app',
  ])
})

test('unverified factors, and those the browser does not support, are not offered', () => {
  const factors = [factor('1', 'totp', { status: 'unverified' }), factor('2', 'webauthn'), factor('3', 'phone')]
  expect(names(factors, { ceremonies: false, backupCodes: true, passkey: true })).toEqual([
    'Text message',
    'Backup code',
  ])
})

test('a passkey is offered only to accounts that have one', () => {
  const available = { ceremonies: true, backupCodes: false }
  expect(names([factor('1', 'totp')], { ...available, passkey: true })).toContain('Use a passkey instead')
  expect(names([factor('1', 'totp')], { ...available, passkey: false })).toEqual(['Authenticator app'])
})
