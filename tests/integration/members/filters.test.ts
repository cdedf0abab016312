import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { queryRows } from '#server/db/database.ts'
import {
  businessLocation,
  complimentaryAccess,
  customFieldValues,
  memberFacts,
  memberNotes,
  memberTags,
  pollVotes,
  subscriptionState,
  suppressions,
  teamSeat,
  userPreferences,
  users,
} from '#server/db/schema/index.ts'
import { planOfProduct, productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { countMembers, listMembers } from '#server/features/operations/members/list-members.ts'
import { memberFilterSql, readFilterContext } from '#server/features/publishing/segments/filter-sql.ts'
import { type MemberOrder, memberOrders } from '#shared/contracts/operations/members.ts'
import { type MemberFilter, memberFilterSchema } from '#shared/domain/member-filter.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { matchesMemberFilter } from '#tests/support/member-filter-model.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { type AddedMember, addMembers, filterArbitrary, now } from './support.ts'

const database = openForTests(() => openTestDatabase())
beforeEach(() => database.truncate())

const config = readConfig({ NODE_ENV: 'test' })
const context = {
  now,
  products: productsOf(config),
  planOf: (productId: string) => planOfProduct(config, productId),
}
const none = memberFilterSchema.parse({})

const inMemory = (members: readonly AddedMember[], filter: MemberFilter) =>
  members
    .filter((member) => matchesMemberFilter(member, filter, context))
    .map(({ id }) => id)
    .toSorted()

/** All pages of the list, in its order. */
async function listed(filter: MemberFilter, order: MemberOrder = 'newest', limit = 7, maxRows?: number) {
  const items: { id: string; joinedAt: string; status: string }[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listMembers>> = await listMembers(
      { config, db: database.db },
      { filter, order, cursor, limit },
      now,
      maxRows,
    )
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  return items
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()

/** By the conditions that the indexes answer as well, as the last attempt of the list does. */
async function selected(filter: MemberFilter) {
  const { db } = database
  const { where, indexed } = memberFilterSql(config, filter, now, await readFilterContext(db, filter, now))
  return idsOf(
    await queryRows<{ id: string }>(
      db,
      sql`select f.user_id::text as id from member_facts f join auth.users u on u.id = f.user_id
        where u.email is not null and ${where} and ${indexed}`,
    ),
  )
}

test('the SQL of a filter and the filter in memory select the same members, and list and count agree', async () => {
  const members = await addMembers(database.db, 150, 17)
  let hits = 0
  await fc.assert(
    fc.asyncProperty(filterArbitrary, async (filter) => {
      const expected = inMemory(members, filter)
      hits += expected.length
      expect(await selected(filter)).toEqual(expected)
    }),
    { numRuns: caseCount(40, 120) },
  )
  expect(hits).toBeGreaterThan(150)
  for (const filter of fc.sample(filterArbitrary, { numRuns: 6, seed: 3 })) {
    const page = (await listed(filter)).filter(({ id }) => members.some((member) => member.id === id))
    expect(idsOf(page)).toEqual(inMemory(members, filter))
    const { count } = await countMembers({ config, db: database.db }, filter, now)
    expect(count).toBe((await listed(filter)).length)
  }
})

test('facts follow every change of the tables they come from', async () => {
  const { db } = database
  const [gone, changed] = [await addMembers(db, 30, 4), await addMembers(db, 30, 5)]
  const sources = [
    subscriptionState,
    teamSeat,
    complimentaryAccess,
    userPreferences,
    businessLocation,
    memberTags,
    memberNotes,
    customFieldValues,
    pollVotes,
  ]
  const goneIds = gone.map(({ id }) => id)
  for (const table of sources) await db.delete(table).where(inArray(table.userId, goneIds))
  await db.update(suppressions).set({ liftedAt: now })
  const bare = gone.map(
    (member): AddedMember => ({
      ...member,
      access: { subscription: null, team: null, complimentaryUntil: null },
      answers: null,
      locations: 0,
      tags: [],
      noted: false,
      pollVotes: [],
      fields: {},
      suppressed: false,
    }),
  )
  const others = changed.map(
    (member): AddedMember => ({
      ...member,
      suppressed: false,
      email: `new-${member.email}`,
      name: 'Carla',
      emailConfirmed: true,
      isFreeReader: member.askedForFree,
      disabledUntil: null,
      access: {
        ...member.access,
        subscription: member.access.subscription && { ...member.access.subscription, status: 'canceled' },
        team: member.access.team && { ...member.access.team, status: 'canceled' },
      },
      answers: member.answers && { ...member.answers, aiLevel: 'advanced', franchiseType: 'Retail' },
    }),
  )
  await db.update(subscriptionState).set({ status: 'canceled' })
  await db.update(userPreferences).set({ aiLevel: 'advanced', franchiseType: 'Retail' })
  await db
    .update(users)
    .set({
      email: sql`'new-' || email`,
      rawUserMetaData: { full_name: ' Carla ' },
      emailConfirmedAt: now,
      bannedUntil: null,
    })
    .where(
      inArray(
        users.id,
        changed.map(({ id }) => id),
      ),
    )
  for (const filter of fc.sample(filterArbitrary, { numRuns: caseCount(20, 60), seed: 9 })) {
    expect(await selected(filter)).toEqual(inMemory([...bare, ...others], filter))
  }
  await db
    .update(users)
    .set({ deletedAt: now })
    .where(eq(users.id, goneIds[0] ?? ''))
  await db.delete(users).where(eq(users.id, goneIds[1] ?? ''))
  expect(await db.$count(memberFacts, inArray(memberFacts.userId, goneIds))).toBe(28)
  await db
    .update(users)
    .set({ deletedAt: null })
    .where(eq(users.id, goneIds[0] ?? ''))
  expect(await db.$count(memberFacts, inArray(memberFacts.userId, goneIds))).toBe(29)
})

test('every order lists each member once', async () => {
  const members = await addMembers(database.db, 40, 6)
  const instants = new Map(members.map((member) => [member.id, member]))
  for (const order of Object.keys(memberOrders) as MemberOrder[]) {
    const items = (await listed(none, order)).filter(({ id }) => instants.has(id))
    expect(idsOf(items)).toEqual(idsOf(members))
  }
  const joined = (await listed(none)).map(({ joinedAt }) => joinedAt)
  expect(joined).toEqual(joined.toSorted().toReversed())
})

test('the list has the same members in the same order, wherever it finds them', async () => {
  await addMembers(database.db, 80, 8)
  const all = 1_000
  for (const filter of [none, ...fc.sample(filterArbitrary, { numRuns: caseCount(4, 12), seed: 5 })]) {
    for (const order of Object.keys(memberOrders) as MemberOrder[]) {
      const expected = await listed(filter, order, 200, all)
      const byJoining = expected.map(({ joinedAt, id }) => `${joinedAt} ${id}`)
      if (order === 'oldest') expect(byJoining).toEqual(byJoining.toSorted())
      if (order === 'newest') expect(byJoining).toEqual(byJoining.toSorted().toReversed())
      for (const maxRows of [1, 25]) expect(await listed(filter, order, 20, maxRows)).toEqual(expected)
    }
  }
})

test.each([
  '["yesterday","%"]',
  '["2026-02-30 00:00:00","%"]',
  '["0000-01-01 00:00:00","%"]',
  '["2026-01-01 24:00:01","%"]',
])('a cursor of another kind is rejected: %s', async (position) => {
  const cursor = Buffer.from(position.replace('%', randomUUID())).toString('base64url')
  await expect(
    listMembers({ config, db: database.db }, { filter: none, order: 'newest', cursor }, now),
  ).rejects.toThrow('cursor')
})

test('a filter by days that no one can mean finds what it says, and at once', async () => {
  const members = await addMembers(database.db, 20, 3)
  const found = async (fields: object) => idsOf(await listed(memberFilterSchema.parse(fields)))
  const all = await found({})
  expect(all).toEqual(expect.arrayContaining(idsOf(members)))
  expect(await found({ joined: { from: '0000-01-01', to: null } })).toEqual(all)
  expect(await found({ joined: { from: '0002-01-01', to: '9999-12-31' } })).toEqual(all)
  expect(await found({ joined: { from: '9999-12-31', to: null } })).toEqual([])
  const renewing = memberFilterSchema.parse({ renews: { from: '0000-01-01', to: '9999-12-31' } })
  expect(await found(renewing)).toEqual(await found({ renews: { from: '1900-01-01', to: null } }))
  expect((await found(renewing)).length).toBeGreaterThan(0)
})
