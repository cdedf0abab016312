import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { sqlState } from '#server/db/database.ts'
import { teamInvitation, teamSeat } from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'
import { as, buildOwner, createTeamApp, invite, seat, seatsOf } from './support.ts'

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

/** A second server that shares only the database, like another process. */
const nodes = () => [{ app: server.app }, { app: createApp({ ...server.deps, database: { ...server.deps.database } }) }]

const people = (count: number) => Promise.all(Array.from({ length: count }, () => buildUser(server)))

test('B29: a third person joins, a fourth is refused', async () => {
  const [mia, noah, zoe] = await people(3)
  const last = await invite(server, owner, zoe?.email ?? '')
  for (const member of [mia, noah]) if (member) await seat(server, owner, member)
  expect(zoe && (await as(server, zoe)('join-team', last))).toMatchObject({
    status: 409,
    body: { code: 'team_full', error: 'All seats on this team are taken. Remove a member to free one.' },
  })
  expect((await seatsOf(server, owner)).map((row) => row.seat).sort()).toEqual([2, 3])
  // The refused attempt did not use up the invitation.
  await as(server, owner)('remove-member', { userId: mia?.id })
  expect(zoe && (await as(server, zoe)('join-team', last)).status).toBe(200)
})

test('B29: of ten concurrent joins for one seat on two nodes, exactly one succeeds', async () => {
  const [mia, ...guests] = await people(11)
  if (mia) await seat(server, owner, mia)
  const tokens = await Promise.all(guests.map(({ email }) => invite(server, owner, email)))
  const apps = nodes()
  const answers = await Promise.all(
    guests.map((guest, index) => as(apps[index % 2] ?? server, guest)('join-team', { token: tokens[index]?.token })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  expect(answers.filter(({ body }) => body.code === 'team_full')).toHaveLength(9)
  expect(await seatsOf(server, owner)).toHaveLength(2)
  const used = (await server.database.db.select().from(teamInvitation)).filter(({ acceptedAt }) => acceptedAt)
  expect(used).toHaveLength(2)
})

test('B29: ten concurrent joins fill an empty team', async () => {
  const guests = await people(10)
  const tokens = await Promise.all(guests.map(({ email }) => invite(server, owner, email)))
  const apps = nodes()
  const answers = await Promise.all(
    guests.map((guest, index) => as(apps[index % 2] ?? server, guest)('join-team', { token: tokens[index]?.token })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await seatsOf(server, owner)).map((row) => row.seat).sort()).toEqual([2, 3])
})

test('a user who joins two teams at once, in many tabs, gets one seat', async () => {
  const [mia] = await people(1)
  if (!mia) throw new Error('no user')
  const other = await buildOwner(server)
  const links = [await invite(server, owner, mia.email), await invite(server, other, mia.email)]
  const apps = nodes()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      as(apps[index % 2] ?? server, mia)('join-team', { token: links[index % 4 < 2 ? 0 : 1]?.token }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect(answers.filter(({ status }) => status === 409).every(({ body }) => body.code === 'already_in_team')).toBe(true)
  expect(await server.database.db.select().from(teamSeat)).toHaveLength(1)
})

test('two owners who join each other’s team at once do not end up in both', async () => {
  const other = await buildOwner(server)
  const [mine, theirs] = [await invite(server, other, owner.email), await invite(server, owner, other.email)]
  const [first, second] = nodes()
  const answers = await Promise.all([
    as(first ?? server, owner)('join-team', { token: mine.token }),
    as(second ?? server, other)('join-team', { token: theirs.token }),
  ])
  expect(answers.map(({ body }) => body.code)).toEqual(['already_in_team', 'already_in_team'])
  expect(await server.database.db.select().from(teamSeat)).toEqual([])
})

test('concurrent removing, joining and leaving never exceeds the seats', async () => {
  const [mia, noah, zoe] = await people(3)
  if (!mia || !noah || !zoe) throw new Error('no user')
  await seat(server, owner, mia)
  const links = [await invite(server, owner, noah.email), await invite(server, owner, zoe.email)]
  const answers = await Promise.all([
    as(server, owner)('remove-member', { userId: mia.id }),
    as(server, noah)('join-team', { token: links[0]?.token }),
    as(server, mia)('leave-team'),
    as(server, zoe)('join-team', { token: links[1]?.token }),
    as(server, owner)('remove-member', { userId: mia.id }),
  ])
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answers.filter(({ body }) => body.removed === true || body.left === true)).toHaveLength(1)
  const rows = await server.database.db.select().from(teamSeat).orderBy(asc(teamSeat.seat))
  expect(rows.length).toBeLessThanOrEqual(2)
  expect(rows.map(({ userId }) => userId)).not.toContain(mia.id)
})

test('the database itself refuses more seats than any plan has, a second seat for one person and the owner’s own', async () => {
  const [mia, noah] = await people(2)
  const { db } = server.database
  const joinedAt = server.clock.now
  await db.insert(teamSeat).values({ ownerId: owner.id, seat: 2, userId: mia?.id ?? '', joinedAt })
  const other = await buildOwner(server)
  const bad = [
    { ownerId: owner.id, seat: 10_001, userId: noah?.id ?? '' },
    { ownerId: owner.id, seat: 1, userId: noah?.id ?? '' },
    { ownerId: owner.id, seat: 2, userId: noah?.id ?? '' },
    { ownerId: owner.id, seat: 3, userId: owner.id },
    { ownerId: other.id, seat: 2, userId: mia?.id ?? '' },
  ]
  const states = []
  for (const row of bad) {
    states.push(
      await db
        .insert(teamSeat)
        .values({ ...row, joinedAt })
        .then(() => 'taken', sqlState),
    )
  }
  expect(states).toEqual(['23514', '23514', '23505', '23514', '23505'])
})
