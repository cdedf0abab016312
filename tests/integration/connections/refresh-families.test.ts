import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { oauthClient } from '#tests/support/oauth-client.ts'

let nodes: [TestApp, TestApp]
beforeAll(async () => {
  const first = await createTestApp()
  nodes = [first, await createTestApp({ database: first.database })]
})
afterAll(() => nodes[0].close())

/** In each round, which of the tokens known so far are presented at the same time, and on which node. */
const rounds = fc.array(
  fc.array(fc.record({ back: fc.constantFrom(0, 0, 0, 1, 2), node: fc.constantFrom(0, 1) }), {
    minLength: 1,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 5 },
)

test('a refresh token works once, on whatever node and however many ask at once, and reusing one ends the family', async () => {
  const { id: userId } = await buildUser(nodes[0])
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const { clientId, token, refreshToken } = await buildConnection(nodes[0], { userId, rights: ['library:read'] })
      const known = [refreshToken]
      const access = [token]
      let isOver = false
      for (const round of plan) {
        const presented = round.map(({ back, node }) => ({ given: known.at(-1 - back) ?? refreshToken, node }))
        const answers = await Promise.all(
          presented.map(({ given, node }) => oauthClient(nodes[node as 0 | 1]).refresh(clientId, given)),
        )
        const renewed = answers.filter(({ status }) => status === 200)
        for (const { status, body } of answers) {
          if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant'])
        }
        const current = known.at(-1)
        const isClean = presented.length === 1 && presented[0]?.given === current
        expect(renewed.length).toBeLessThanOrEqual(isOver ? 0 : 1)
        if (isClean && !isOver) expect(renewed).toHaveLength(1)
        // Either the current token came twice, or an earlier one did.
        if (!isClean) isOver = true
        known.push(...renewed.map(({ body }) => body.refresh_token ?? ''))
        access.push(...renewed.map(({ body }) => body.access_token ?? ''))
        const open = await Promise.all(access.map((given) => readConnection(nodes[1].deps, given)))
        expect(open.every((found) => Boolean(found) === !isOver)).toBe(true)
      }
    }),
    { numRuns: caseCount(15, 100) },
  )
})
