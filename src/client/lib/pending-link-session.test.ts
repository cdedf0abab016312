import { expect, test } from 'vitest'
import { findAccountConflict } from './pending-link-session.ts'

const tokensOf = (claims: object) => ({
  access_token: `e30.${btoa(JSON.stringify(claims))}.x`,
  refresh_token: 'r',
})
const stored = JSON.stringify({ user: { id: 'a', email: 'a@example.com' } })

test('a link of another account is asked about, by both addresses', () => {
  expect(findAccountConflict(tokensOf({ sub: 'b', email: 'b@example.com' }), stored)).toEqual({
    here: 'a@example.com',
    there: 'b@example.com',
  })
})

test('tokens that cannot be read are asked about as well', () => {
  expect(findAccountConflict({ access_token: 'nonsense', refresh_token: 'r' }, stored)?.there).toBe('somebody else')
})

test('nothing is asked of nobody, nor of the same person', () => {
  const link = tokensOf({ sub: 'a', email: 'a@example.com' })
  expect(findAccountConflict(link, stored)).toBeNull()
  for (const nobody of [null, '', '{', '{}', 'null']) expect(findAccountConflict(link, nobody)).toBeNull()
})
