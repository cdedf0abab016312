import { expect, test } from 'vitest'
import { isLeakedPassword } from '#server/features/identity/auth/passwords/leaked-passwords.ts'
import { readLeakedPasswords } from '../../scripts/leaked-password-lists.ts'

test('the filter that ships has the passwords of the lists, more than a million of six characters or more', () => {
  const passwords = [...readLeakedPasswords()]
  expect(passwords.filter(({ length }) => length >= 6).length).toBeGreaterThan(1_100_000)
  // One of fifty, since each takes a hash.
  const some = passwords.filter((_, index) => index % 50 === 0)
  expect(some.filter((each) => !isLeakedPassword(each))).toEqual([])
})

test('a leaked password is found whether it is common or rare', () => {
  const ofRank = ['123456', 'dragon', 'freepass', 'blue11', '07012006', 'lozowski', '05102010', 'vjht008']
  const ofTheSecondList = ['homeslice7', 'sun39shine', 'mustang04']
  expect([...ofRank, ...ofTheSecondList].filter((each) => !isLeakedPassword(each))).toEqual([])
})

test('capitals don’t hide a leaked password', () => {
  expect(['123456', 'PassWord1', 'qwertyuiop'].map(isLeakedPassword)).toEqual([true, true, true])
})

test('it takes fewer than one of a thousand other passwords for a leaked one', () => {
  const others = Array.from({ length: 20_000 }, (_, index) => `harbor ${index} violet canoe`)
  expect(others.filter(isLeakedPassword).length).toBeLessThan(20)
})
