import { beforeEach, expect, test } from 'vitest'
import { contentItems, teamAssignment } from '#server/db/schema/index.ts'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { as, buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTeamApp())
const prompt = { kind: 'prompt', id: 'closing-note' } as const
const names = ['Harbor Street', 'Oak Avenue', 'Elm Square']
let owner: TestUser
let mia: TestUser
let stores: string[]

beforeEach(async () => {
  await server.database.truncate()
  const at = server.clock.now
  await server.database.db
    .insert(contentItems)
    .values({ ...prompt, title: 'Closing handover note', path: '/portal', publishedAt: at, changedAt: at })
  owner = await buildOwner(server)
  mia = await buildUser(server)
  await seat(server, owner, mia)
  const changes = { manager_role: { from: '', to: 'shift lead' } }
  await as(server, owner)('save-business-profile', { changes })
  stores = names.map(() => crypto.randomUUID())
  for (const [index, id] of stores.entries()) {
    const location = { name: { from: '', to: names[index] }, changes: { opening_hours: { from: '', to: '9 to 5' } } }
    await as(server, owner)('save-location', { id, ...location })
  }
  await as(server, owner)('tie-seat', { userId: mia.id, locationIds: [stores[1]] })
})

const listed = async (who: TestUser) =>
  ((await as(server, who)('team-assignments')).body as { team: TeamAssignments }).team.assignments
const input = () => ({
  item: prompt,
  to: stores.map((locationId, index) => ({
    assignmentId: crypto.randomUUID(),
    to: { locationId },
    text: `${names[index]} opens 9 to 5. Ask the shift lead.`,
    facts: { store_name: names[index], opening_hours: '9 to 5', manager_role: 'shift lead' },
  })),
  ...{ dueOn: null, note: '' },
})

test('one prompt is assigned to all stores at once, and a second click changes nothing', async () => {
  const once = input()
  const answers = await Promise.all([1, 2].map(() => as(server, owner)('assign-to-several', once)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const found = await listed(owner)
  expect(found.map(({ toName, text }) => [toName, text]).toSorted()).toEqual(
    once.to.map(({ text }, index) => [names[index], text]).toSorted(),
  )
  expect(found.flatMap(({ changedFacts }) => changedFacts)).toEqual([])
})

test('if one store is gone, nothing is assigned', async () => {
  const once = input()
  await as(server, owner)('delete-location', { id: stores[2] })
  const { status, body } = await as(server, owner)('assign-to-several', once)
  expect([status, body.code]).toEqual([404, 'location_not_found'])
  expect(await server.database.db.$count(teamAssignment)).toBe(0)
})

test('a change of a store marks its text with both values for the owner, and without the new one for the store', async () => {
  await as(server, owner)('assign-to-several', input())
  const changes = { opening_hours: { from: '9 to 5', to: '9 to 6' } }
  await as(server, owner)('save-location', { id: stores[1], changes })
  const marked = (await listed(owner)).filter(({ changedFacts }) => changedFacts.length > 0)
  expect(marked).toMatchObject([
    { toName: 'Oak Avenue', changedFacts: [{ name: 'opening_hours', from: '9 to 5', to: '9 to 6' }] },
  ])
  expect(await listed(mia)).toMatchObject([
    { toName: 'Oak Avenue', changedFacts: [{ name: 'opening_hours', from: '9 to 5', to: null }] },
  ])
})

test('a change of the business marks all that are open, and those that are done no more', async () => {
  const once = input()
  await as(server, owner)('assign-to-several', once)
  const changes = { manager_role: { from: 'shift lead', to: 'manager' } }
  await as(server, owner)('save-business-profile', { changes })
  expect((await listed(owner)).map(({ changedFacts }) => changedFacts.length)).toEqual([1, 1, 1])
  const at = server.clock.now.toISOString()
  await as(server, owner)('check-off', { assignmentId: once.to[0]?.assignmentId, done: true, at })
  expect((await listed(owner)).map(({ changedFacts }) => changedFacts.length).toSorted()).toEqual([0, 1, 1])
})
