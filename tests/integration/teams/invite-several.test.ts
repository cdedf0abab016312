import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { teamInvitation } from '#server/db/schema/index.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'
import { ageAuthentication } from '../account/support.ts'
import { as, buildOwner, createTeamApp, dayMs, invite, seat } from './support.ts'

let server: TestApp
let owner: TestUser
beforeAll(async () => {
  server = await createTeamApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.truncate()
  owner = await buildOwner(server)
})
afterEach(() => server.deps.config.settings.replace({ publication: publicationDefaults }))

const setSeats = (seats: number) => {
  const { settings } = server.deps.config
  const plans = settings.publication.plans.map((plan) => (plan.key === 'team_monthly' ? { ...plan, seats } : plan))
  settings.replace({ publication: { ...settings.publication, plans } })
}
const inviteAll = (emails: string[], who = owner) => as(server, who)('invite-members', { emails })
const rows = () => server.database.db.select().from(teamInvitation)

test('each address of a pasted list has its own result', async () => {
  setSeats(5)
  const member = await buildUser(server)
  await seat(server, owner, member)
  await invite(server, owner, 'waiting@example.test')
  const { status, body } = await inviteAll([
    member.email,
    owner.email,
    'Waiting@example.test',
    'nobody',
    'mia@mailbox.invalid',
    'ana@example.test',
    ' Ben@Example.test ',
    'too-late@example.test',
  ])
  expect([status, body]).toEqual([
    200,
    {
      results: [
        { email: member.email, result: 'already_member' },
        { email: owner.email, result: 'already_member' },
        { email: 'Waiting@example.test', result: 'already_invited' },
        { email: 'nobody', result: 'invalid' },
        { email: 'mia@mailbox.invalid', result: 'invalid' },
        { email: 'ana@example.test', result: 'invited' },
        { email: 'Ben@Example.test', result: 'invited' },
        { email: 'too-late@example.test', result: 'no_seat' },
      ],
    },
  ])
  expect(server.outbox.list('ana@example.test')).toHaveLength(1)
  expect(server.outbox.list('waiting@example.test')).toHaveLength(1)
})

test('a team of 40 is invited at once, and a second click emails no one again', async () => {
  setSeats(40)
  const people = Array.from({ length: 39 }, (_, n) => `person-${n}@example.test`)
  const first = await inviteAll(people)
  const second = await inviteAll(people)
  const resultsOf = ({ body }: typeof first) =>
    new Set((body.results as { result: string }[]).map(({ result }) => result))
  expect([resultsOf(first), resultsOf(second)]).toEqual([new Set(['invited']), new Set(['already_invited'])])
  expect(await rows()).toHaveLength(39)
  for (const email of people) expect(server.outbox.list(email)).toHaveLength(1)
})

test('needs a Team plan and step-up, and at most 100 addresses', async () => {
  const pro = await buildUser(server, { subscription: 'active' })
  expect((await inviteAll(['a@example.test'], pro)).body.code).toBe('no_team_plan')
  expect((await inviteAll(Array.from({ length: 101 }, (_, n) => `p${n}@example.test`))).status).toBe(400)
  await ageAuthentication(server, owner, 61 * dayMs)
  expect((await inviteAll(['a@example.test'])).body.code).toBe('step_up_required')
  expect(await rows()).toEqual([])
})
