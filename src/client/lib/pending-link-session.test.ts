import { expect, test } from 'vitest'
import { findAccountConflict } from './pending-link-session.ts'

const tokensOf = (claims: object) => ({
  access_token: `e30.${btoa(JSON.stringify(claims))}.x`,
  refresh_token: 'r',
})
const stored = JSON.stringify({ user: { id: 'a', email: 'a@example.com' } })

test('a link of another account is a conflict between both emails', () => {
  expect(findAccountConflict(tokensOf({ sub: 'b', email: 'b@example.com' }), stored)).toEqual({
    currentEmail: 'a@example.com',
    linkEmail: 'b@example.com',
  })
})

test('unreadable tokens are a conflict', () => {
  expect(findAccountConflict({ access_token: 'nonsense', refresh_token: 'r' }, stored)?.linkEmail).toBe(
    'another account',
  )
})

test('without a session, or with the same account, there is no conflict', () => {
  const link = tokensOf({ sub: 'a', email: 'a@example.com' })
  expect(findAccountConflict(link, stored)).toBeNull()
  for (const signedOut of [null, '', '{', '{}', 'null']) expect(findAccountConflict(link, signedOut)).toBeNull()
})
