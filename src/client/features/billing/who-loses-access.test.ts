import { expect, test } from 'vitest'
import { whoLosesAccess } from './who-loses-access.ts'

test.each([
  [['ana@example.com', 'ben@example.com'], 'team_monthly', null, 'ana@example.com and ben@example.com lose access'],
  [['ana@example.com'], 'team_monthly', 'pro_yearly', 'ana@example.com loses access'],
  [[], 'team_monthly', 'pro_monthly', null],
  [null, 'team_monthly', null, 'Everyone else on your team loses access'],
  [['ana@example.com'], 'pro_monthly', null, null],
  [['ana@example.com'], 'pro_monthly', 'team_monthly', null],
] as const)('of the team %j, leaving %s for %s: %s', (members, from, to, words) => {
  expect(whoLosesAccess(members, from, to)).toBe(words)
})
