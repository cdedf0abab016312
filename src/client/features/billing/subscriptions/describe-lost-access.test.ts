import { expect, test } from 'vitest'
import { describeLostAccess } from './describe-lost-access.ts'

test.each([
  [['ana@example.com', 'ben@example.com'], 'team_monthly', null, 'ana@example.com and ben@example.com lose access'],
  [['ana@example.com'], 'team_monthly', 'pro_yearly', 'ana@example.com loses access'],
  [[], 'team_monthly', 'pro_monthly', null],
  [null, 'team_monthly', null, 'Everyone else on your team loses access'],
  [['ana@example.com'], 'pro_monthly', null, null],
  [['ana@example.com'], 'pro_monthly', 'team_monthly', null],
] as const)('for the team %j, a change from %s to %s is described as: %s', (members, from, to, text) => {
  expect(describeLostAccess(members, from, to)).toBe(text)
})
