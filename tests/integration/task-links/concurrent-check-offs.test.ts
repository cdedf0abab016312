import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { as, buildOwner, createTeamApp } from '#tests/integration/teams/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import '#tests/support/property-seed.ts'
import { addStore, linksOf, makeTasks, visitorOf } from './support.ts'

const server = openForTests(() => createTeamApp())
let owner: TestUser
let store: string
beforeEach(async () => {
  owner = await buildOwner(server)
  store = await addStore(server, owner, 'Harbor Street')
})

test('of any check-offs and reopenings at the same time, each round has one answer, whose name is shown', async () => {
  const visitor = visitorOf(server)
  const tomorrow = new Date(server.clock.now.getTime() + 86_400_000).toISOString().slice(0, 10)
  const rounds = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(rounds, async (crews) => {
      const task = { title: 'Wipe the hood', locationIds: [store], validUntil: tomorrow }
      const [sheet] = await makeTasks(server, owner, task)
      const { url = '', assignmentId = '' } = sheet ?? {}
      for (const [round, crew] of crews.entries()) {
        const names = Array.from({ length: crew }, (_, index) => `Round ${round} person ${index}`)
        const sent = await Promise.all(names.map((name) => visitor.send(url, { action: 'done', name })))
        expect(sent.map(({ status }) => status)).toEqual(names.map(() => 303))
        const link = (await linksOf(server, owner)).find((each) => each.assignmentId === assignmentId)
        expect(link?.answers.length).toBe(round + 1)
        const first = link?.answers.at(-1)?.name ?? ''
        expect(names).toContain(first)
        expect((await visitor.open(url)).text).toContain(`Checked off by ${first}, `)
        server.clock.advance(1_000)
        await as(server, owner)('check-off', { assignmentId, done: false, at: server.clock.now.toISOString() })
      }
    }),
    { numRuns: caseCount(8, 100) },
  )
})
