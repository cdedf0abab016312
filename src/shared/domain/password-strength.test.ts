import { expect, test } from 'vitest'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { contextWords } from './password-context-words.ts'
import { passwordStrength } from './password-strength.ts'

const scoreOf = (password: string, personal?: string[]) => passwordStrength(password, personal).score

test('common passwords are weak, even with substitutions', () => {
  for (const password of [
    '',
    'a',
    '123456',
    'aaaaaaaaaaaa',
    'abcdefgh',
    'qwertyuiop',
    'P@ssw0rd',
    'password123',
    'letmein1',
  ])
    expect([password, scoreOf(password)]).toEqual([password, expect.toBeOneOf([0, 1])])
})

test('a few unrelated words, or many different characters, are strong', () => {
  for (const password of ['stapler violin harbour', 'x9$Kq2!vLr8z', 'kettle-orbit-fern-42', '🌻 teapot gravel lantern'])
    expect([password, scoreOf(password)]).toEqual([password, expect.toBeOneOf([3, 4])])
})

test('emoji count like other characters, and repeated ones like repeats', () => {
  expect(scoreOf('🌻🚲🎻🧂🪁🦜🍋🎲')).toBeGreaterThanOrEqual(3)
  expect(scoreOf('🌻'.repeat(8))).toBeLessThan(2)
})

test('a longer password is never weaker than its prefix followed by unrelated characters', () => {
  let last = 0
  for (const length of [1, 3, 5, 8, 12, 16, 24]) {
    const score = scoreOf('w4Zm$tQ9vK!x2Hn#p7Rb&s5L'.slice(0, length))
    expect(score).toBeGreaterThanOrEqual(last)
    last = score
  }
  expect(last).toBe(4)
})

test('words of the publication make a weak password', () => {
  for (const password of ['frontcounter2026', 'WeeklyDrops!', 'marketing team 1', 'Fr@nchiseOwners7']) {
    expect([password, scoreOf(password, contextWords(publicationDefaults))]).toEqual([
      password,
      expect.toBeOneOf([0, 1]),
    ])
  }
  expect(passwordStrength('weeklydrops7', contextWords(publicationDefaults)).advice).toContain('words from our site')
})

test('a password based on the email address is weak, and the advice says so', () => {
  const personal = ['ana.kowalski@bakery.example', 'Front Counter']
  expect(scoreOf('kowalski bakery!', personal)).toBeLessThan(2)
  expect(scoreOf('frontcounter', personal)).toBeLessThan(2)
  expect(passwordStrength('kowalski7', personal).advice).toContain('your email address')
  expect(scoreOf('kowalski bakery!')).toBeGreaterThan(scoreOf('kowalski bakery!', personal))
})

test('advice is given until a password is strong', () => {
  expect(passwordStrength('violin').advice).toContain('longer')
  expect(passwordStrength('1234567890').advice).toContain('keyboard patterns')
  expect(passwordStrength('hello world').advice).toContain('very common')
  expect(passwordStrength('stapler violin harbour moss').advice).toBeNull()
})

test('very long input is fast', () => {
  const startedAt = performance.now()
  expect(scoreOf('a'.repeat(1_000_000))).toBeLessThanOrEqual(4)
  expect(scoreOf('\n\n\n\n')).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
