import { expect, test } from 'vitest'
import { optionLabel, stepUpOptions } from './step-up-options.ts'

const app = { id: 'a', factor_type: 'totp', friendly_name: 'Phone', status: 'verified' }
const key = { id: 'k', factor_type: 'webauthn', friendly_name: '', status: 'verified' }
const unfinished = { id: 'u', factor_type: 'totp', friendly_name: 'Started', status: 'unverified' }
const kinds = (known: Parameters<typeof stepUpOptions>[0]) => stepUpOptions(known).map(({ kind }) => kind)

test('options keep the order of the server', () => {
  expect(
    kinds({ need: 'fresh', methods: ['password', 'passkey', 'email-code'], factors: [], backupCodesLeft: 0 }),
  ).toEqual(['password', 'passkey', 'email-code'])
})

test('each verified factor is an option', () => {
  const options = stepUpOptions({
    need: 'fresh',
    methods: ['factor', 'passkey'],
    factors: [unfinished, key, app],
    backupCodesLeft: 3,
  })
  expect(options.map(({ kind }) => kind)).toEqual(['totp', 'webauthn', 'passkey', 'backup-code'])
  expect(options.map(optionLabel)).toContain('Use the app “Phone”')
  expect(options.map(optionLabel)).toContain('Use your security key')
})

test('if a second factor is required, no other method is offered', () => {
  expect(kinds({ need: 'second-factor', methods: ['factor', 'passkey'], factors: [app], backupCodesLeft: 0 })).toEqual([
    'totp',
  ])
})

test('backup codes without a second factor are not offered', () => {
  expect(kinds({ need: 'fresh', methods: ['password'], factors: [], backupCodesLeft: 5 })).toEqual(['password'])
})
