import { expect, test } from 'vitest'
import { breakLinks } from './break-links.ts'

test.each([
  ['Look at https://evil.example/win?now', 'Look at https: //evil. example/win?now'],
  ['WWW.Evil.Example and evil。example', 'WWW. Evil. Example and evil。 example'],
  ['Ana evil@evil.example', 'Ana evil@ evil. example'],
  ['mailto:a@b.test, tel:+15550100', 'mailto: a@ b. test, tel: +15550100'],
  [
    'Happy birthday, Dr. Möller! $3.50 at 12:30, see you @ home.',
    'Happy birthday, Dr. Möller! $3.50 at 12:30, see you @ home.',
  ],
])('%j has no link', (text, broken) => {
  expect(breakLinks(text)).toBe(broken)
  expect(breakLinks(broken)).toBe(broken)
})
