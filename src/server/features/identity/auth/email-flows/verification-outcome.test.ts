import { expect, test } from 'vitest'
import { decideVerificationOutcome, type VerificationFacts } from './verification-outcome.ts'

const facts = (given: Partial<VerificationFacts> = {}): VerificationFacts => ({
  isEmailVerified: false,
  createdByAdmin: false,
  isRecovery: false,
  bringsCredentials: false,
  isSamePerson: false,
  choice: null,
  adminAddress: null,
  ...given,
})
const decide = (given?: Partial<VerificationFacts>) => decideVerificationOutcome(facts(given))
const kept = { revokesAccess: false, resetsProfile: false }
const revoked = { revokesAccess: true, resetsProfile: true }

test('someone who can’t be distinguished from a stranger starts without any earlier data', () => {
  expect(decide()).toMatchObject(revoked)
})

test('the person who created the account keeps it, unless they say otherwise', () => {
  expect(decide({ isSamePerson: true })).toMatchObject(kept)
  expect(decide({ choice: 'keep' })).toMatchObject(kept)
  expect(decide({ isSamePerson: true, choice: 'fresh' })).toMatchObject(revoked)
})

test('a sign-up confirms its own password and removes all others', () => {
  expect(decide({ bringsCredentials: true })).toMatchObject({ ...revoked, appliesCredentials: true })
  expect(decide({ bringsCredentials: true, choice: 'fresh' })).toMatchObject({ ...revoked, appliesCredentials: false })
})

test('what an operator set up is kept, and no sign-up replaces it', () => {
  expect(decide({ createdByAdmin: true, bringsCredentials: true })).toMatchObject({
    ...kept,
    appliesCredentials: false,
  })
  expect(decide({ createdByAdmin: true, isRecovery: true })).toMatchObject({
    revokesAccess: true,
    resetsProfile: false,
  })
})

test('recovery revokes earlier access to an unverified account even in the same browser', () => {
  expect(decide({ isRecovery: true })).toMatchObject(revoked)
  expect(decide({ isRecovery: true, isSamePerson: true })).toMatchObject({ revokesAccess: true, resetsProfile: false })
})

test('a verified address loses nothing through an email', () => {
  for (const isRecovery of [true, false]) {
    for (const bringsCredentials of [true, false]) {
      expect(decide({ isEmailVerified: true, isRecovery, bringsCredentials })).toMatchObject({
        ...kept,
        appliesCredentials: false,
      })
    }
  }
})

test('an admin address never keeps or gets a password by email, and a second factor prevents it from becoming admin', () => {
  const adminAddress = { isAdmin: false, hasSecondStep: false }
  for (const choice of ['keep', 'fresh', null] as const) {
    expect(decide({ adminAddress, bringsCredentials: true, isSamePerson: true, choice })).toMatchObject({
      revokesAccess: true,
      appliesCredentials: false,
      makesAdmin: true,
    })
  }
  const guarded = decide({ isEmailVerified: true, adminAddress: { isAdmin: false, hasSecondStep: true } })
  expect(guarded).toMatchObject({ ...kept, makesAdmin: false })
  const admin = decide({ isEmailVerified: true, adminAddress: { isAdmin: true, hasSecondStep: false } })
  expect(admin).toMatchObject({ ...kept, makesAdmin: true })
})
