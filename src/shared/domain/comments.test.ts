import { describe, expect, test } from 'vitest'
import { blockedWordFinder, commentProblem, mayReadTalk, mayTalk } from './comments.ts'

describe('blocked words', () => {
  const find = blockedWordFinder(['gruk', 'zorp*', 'ass'])
  test.each([
    ...[
      'gruk',
      'GRUK!',
      'you gruk.',
      'g.r.u.k',
      'g r u k',
      'you a g r u k',
      'grrruuukk',
      'gr\u200buk',
      'gr\u00aduk',
      'grük',
      'g*r*u*k',
    ],
    ...['\u0261r\u03c5k', 'ｇｒｕｋ', '𝐠𝐫𝐮𝐤', 'well-gruk-known', '(gruk)', '9ruk', 'zorping', 'z0rping', '@$$', 'as$'],
  ])('are found in “%s”', (text) => {
    expect(find(text)).not.toBeNull()
  })
  test.each(['grukking', 'as good as it gets', 'the class', '$455', '4 5 5', 'a zor p', ''])(
    'are not found in “%s”',
    (text) => {
      expect(find(text)).toBeNull()
    },
  )
  test('take time in proportion to the text, whatever it contains', () => {
    const hostile = ['g'.repeat(200_000), 'g '.repeat(100_000), 'g.'.repeat(100_000), '\u200b'.repeat(200_000)]
    for (const text of hostile) expect(find(text)).toBeNull()
  })
})

test('who answers is the publisher’s choice', () => {
  const facts = { hasAccess: false, isOpenDrop: true }
  expect(mayTalk({ ...facts, audience: 'readers' })).toBe(true)
  expect(mayTalk({ ...facts, audience: 'readers', isOpenDrop: false })).toBe(false)
  expect(mayTalk({ ...facts, audience: 'members' })).toBe(false)
  expect(mayTalk({ ...facts, audience: 'members', hasAccess: true })).toBe(true)
  expect(mayTalk({ ...facts, audience: 'off', hasAccess: true })).toBe(false)
  expect(mayReadTalk({ ...facts, audience: 'members' }, true)).toBe(true)
  expect(mayReadTalk({ ...facts, audience: 'off' }, true)).toBe(false)
})

test('four links are a link farm', () => {
  expect(commentProblem('https://a.com http://b.com www.c.com')).toBeNull()
  expect(commentProblem('https://a.com http://b.com www.c.com [x](https://d.com)')).toContain('links')
})
