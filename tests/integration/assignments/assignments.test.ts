import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { contentItems, teamAssignment, teamCollectionItem } from '#server/db/schema/index.ts'
import { moveToNewOwner } from '#server/features/reader/assignments/change-assignments.ts'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { maxOpenAssignments } from '#shared/domain/assignments.ts'
import { as, buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTeamApp())
const prompt = { kind: 'prompt', id: 'closing-note' } as const
let owner: TestUser
let mia: TestUser
let zoe: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-22T16:00:00Z')
  await server.database.db.insert(contentItems).values({
    ...prompt,
    title: 'Closing handover note',
    path: '/portal/prompt-packs#closing-note',
    publishedAt: server.clock.now,
    changedAt: server.clock.now,
  })
  owner = await buildOwner(server)
  mia = await buildUser(server, { subscription: 'active' })
  zoe = await buildUser(server, { subscription: 'active' })
  await seat(server, owner, mia)
  await seat(server, owner, zoe)
})

type Target = { userId: string } | { locationId: string }
const read = async (who: TestUser) =>
  ((await as(server, who)('team-assignments')).body as { team: TeamAssignments | null }).team
const listed = async (who: TestUser): Promise<Assignment[]> => (await read(who))?.assignments ?? []
const assign = async (who: TestUser, to: Target, rest: object = {}) => {
  const assignmentId = crypto.randomUUID()
  const input = { assignmentId, item: prompt, to, dueOn: '2026-11-30', note: 'Before Friday', ...rest }
  const { status, body } = await as(server, who)('assign', input)
  return { assignmentId, input, result: [status, body.code] }
}
const checkOff = async (who: TestUser, assignmentId: string, done: boolean, at = server.clock.now.toISOString()) => {
  const { status, body } = await as(server, who)('check-off', { assignmentId, done, at })
  return status === 200 ? body : [status, body.code]
}
const addLocation = async (name: string, shared = false) => {
  const id = crypto.randomUUID()
  await as(server, owner)('save-location', { id, name: { from: '', to: name }, shared })
  return id
}
const tie = async (userId: string, locationIds: string[], who = owner) => {
  const { status, body } = await as(server, who)('tie-seat', { userId, locationIds })
  return [status, body.code]
}
const marked = async (who: TestUser) => {
  const { items, canAssign } = (await as(server, who)('item-marks', { scope: { kind: 'prompts' } })).body as {
    items: { assigned: number }[]
    canAssign: boolean
  }
  return { canAssign, assigned: items.map(({ assigned }) => assigned) }
}

describe('assigning', () => {
  test('to a person is seen by that person and the owner only', async () => {
    const { assignmentId, input, result } = await assign(owner, { userId: mia.id })
    expect(result).toEqual([200, undefined])
    expect((await as(server, owner)('assign', input)).status).toBe(200)
    expect(await listed(mia)).toMatchObject([
      {
        assignmentId,
        ...prompt,
        title: 'Closing handover note',
        path: '/portal/prompt-packs#closing-note',
        toName: mia.email,
        dueOn: '2026-11-30',
        note: 'Before Friday',
        createdBy: owner.email,
        isMine: true,
        canCheckOff: true,
        canEdit: false,
      },
    ])
    expect(await listed(owner)).toMatchObject([{ isMine: false, canCheckOff: true, canEdit: true }])
    expect(await listed(zoe)).toEqual([])
    expect(await marked(mia)).toEqual({ canAssign: true, assigned: [1] })
    expect(await marked(zoe)).toEqual({ canAssign: true, assigned: [] })
  })

  test('members assign too, to each other, to the owner and to locations that they can see', async () => {
    const [harbor, hidden] = [await addLocation('Harbor Street', true), await addLocation('Oak Avenue')]
    expect((await assign(mia, { userId: owner.id })).result).toEqual([200, undefined])
    expect((await assign(mia, { locationId: harbor })).result).toEqual([200, undefined])
    expect((await assign(mia, { locationId: hidden })).result).toEqual([404, 'location_not_found'])
    expect((await read(mia))?.locations).toEqual([{ id: harbor, name: 'Harbor Street' }])
    expect(await listed(zoe)).toEqual([])
  })

  test('to a location reaches those whose seat is tied to it, who can then fill in prompts for it', async () => {
    const oak = await addLocation('Oak Avenue')
    await assign(owner, { locationId: oak })
    expect(await listed(zoe)).toEqual([])
    expect(await tie(zoe.id, [oak, oak])).toEqual([200, undefined])
    expect(await listed(zoe)).toMatchObject([{ to: 'location', toName: 'Oak Avenue', isMine: true }])
    expect(await marked(zoe)).toMatchObject({ assigned: [1] })
    const { locations } = (await as(server, zoe)('business-profile')).body as { locations: object[] }
    expect(locations).toMatchObject([{ id: oak, mine: false }])
    expect((await read(zoe))?.people.map(({ locationIds }) => locationIds)).toEqual([[], [], [oak]])
    expect((await read(mia))?.people.map(({ locationIds }) => locationIds)).toEqual([[], [], []])
    await tie(zoe.id, [])
    expect(await listed(zoe)).toEqual([])
  })

  test('is refused for people who left, strangers, unknown content and unknown locations', async () => {
    const stranger = await buildUser(server, { subscription: 'active' })
    await as(server, owner)('remove-member', { userId: mia.id })
    for (const userId of [mia.id, stranger.id, crypto.randomUUID()]) {
      expect((await assign(owner, { userId })).result).toEqual([404, 'not_in_team'])
    }
    expect((await assign(owner, { locationId: crypto.randomUUID() })).result).toEqual([404, 'location_not_found'])
    const unknown = { item: { kind: 'prompt', id: 'never-written' } }
    expect((await assign(owner, { userId: zoe.id }, unknown)).result).toEqual([404, 'not_found'])
    await server.database.db.update(contentItems).set({ removedAt: server.clock.now })
    expect((await assign(owner, { userId: zoe.id })).result).toEqual([404, 'not_found'])
    expect(await listed(owner)).toEqual([])
    for (const [name, body] of [
      ['assign', { assignmentId: crypto.randomUUID(), item: prompt, to: { userId: zoe.id }, dueOn: null, note: '' }],
      ['check-off', { assignmentId: crypto.randomUUID(), done: true, at: server.clock.now.toISOString() }],
      ['team-collect', { ...prompt, member: true, at: server.clock.now.toISOString() }],
    ] as const) {
      const { status, body: answer } = await as(server, stranger)(name, body)
      expect([status, answer.code], name).toEqual([403, 'no_team'])
    }
    expect(await read(stranger)).toBeNull()
    expect(await marked(stranger)).toEqual({ canAssign: false, assigned: [] })
  })

  test('refuses dates and notes that can’t be stored, and has a limit', async () => {
    const to = { userId: mia.id }
    for (const rest of [
      { dueOn: '0000-01-01' },
      { dueOn: '9999-12-31' },
      { dueOn: '2026-02-30' },
      { note: 'x'.repeat(501) },
      { note: 'bell\u0007' },
      { note: 'nul\u0000' },
      { to: {} },
      { to: { userId: 'me' } },
    ]) {
      expect((await assign(owner, to, rest)).result, JSON.stringify(rest)).toEqual([400, 'validation_failed'])
    }
    await server.database.db.execute(sql`
      insert into team_assignment (id, owner_id, kind, item_id, assigned_to, note, created_at)
      select gen_random_uuid(), ${owner.id}::uuid, 'prompt', 'closing-note', 'person', '', now()
        from generate_series(1, ${maxOpenAssignments - 1})`)
    const both = await Promise.all([assign(owner, to), assign(mia, to)])
    expect(both.map(({ result }) => result[1]).toSorted()).toEqual(['too_many_assignments', undefined])
  })
})

describe('checking off', () => {
  test('keeps the newest tap of two devices, whatever the order of arrival, and a repeat changes nothing', async () => {
    const { assignmentId } = await assign(owner, { userId: mia.id })
    const [early, late] = ['2026-11-22T15:10:00.000Z', '2026-11-22T15:20:00.000Z']
    expect(await checkOff(mia, assignmentId, true, late)).toEqual({ done: true, at: late })
    expect(await checkOff(mia, assignmentId, false, early)).toEqual({ done: true, at: late })
    expect(await checkOff(mia, assignmentId, true, late)).toEqual({ done: true, at: late })
    expect(await listed(owner)).toMatchObject([{ done: true, doneBy: mia.email, checkedAt: late }])
    expect(await marked(mia)).toMatchObject({ assigned: [] })
    expect(await checkOff(mia, assignmentId, false, '2031-01-01T00:00:00Z')).toMatchObject({
      done: false,
      at: server.clock.now.toISOString(),
    })
    expect((await as(server, mia)('check-off', { assignmentId, done: true, at: '0000-01-01T00:00:00Z' })).status).toBe(
      200,
    )
    expect(await listed(owner)).toMatchObject([{ done: false, doneBy: '' }])
  })

  test('is for those it is assigned to and for the owner', async () => {
    const { assignmentId } = await assign(mia, { userId: mia.id })
    expect(await checkOff(zoe, assignmentId, true)).toEqual([404, 'not_found'])
    expect(await checkOff(owner, assignmentId, true)).toMatchObject({ done: true })
  })
})

const edit = async (who: TestUser, assignmentId: string, change: object) => {
  const input = { assignmentId, to: null, dueOn: null, note: '', at: server.clock.now.toISOString(), ...change }
  const { status, body } = await as(server, who)('edit-assignment', input)
  return status === 200 ? body : [status, body.code]
}
const remove = async (who: TestUser, assignmentId: string, removed: boolean, at = server.clock.now.toISOString()) => {
  const { status, body } = await as(server, who)('remove-assignment', { assignmentId, removed, at })
  return status === 200 ? body : [status, body.code]
}
const [early, late] = ['2026-11-22T15:10:00.000Z', '2026-11-22T15:20:00.000Z']

describe('editing', () => {
  test('replaces person or location, date and note; the person before no longer sees it', async () => {
    const { assignmentId } = await assign(mia, { userId: owner.id })
    const oak = await addLocation('Oak Avenue', true)
    await tie(zoe.id, [oak])
    expect(
      await edit(mia, assignmentId, { to: { userId: zoe.id }, dueOn: '2026-12-05', note: ' Both stores ' }),
    ).toEqual({
      at: server.clock.now.toISOString(),
    })
    expect(await listed(zoe)).toMatchObject([
      { toId: zoe.id, dueOn: '2026-12-05', note: 'Both stores', createdBy: mia.email, canEdit: false, isMine: true },
    ])
    server.clock.advance(1000)
    await edit(owner, assignmentId, { to: { locationId: oak } })
    expect(await listed(zoe)).toMatchObject([
      { to: 'location', toId: oak, toName: 'Oak Avenue', dueOn: null, note: '', isMine: true },
    ])
    expect(await marked(owner)).toMatchObject({ assigned: [] })
  })

  test('keeps the newest change of two devices, whatever the order of arrival, and a repeat changes nothing', async () => {
    const { assignmentId } = await assign(owner, { userId: mia.id })
    expect(await edit(owner, assignmentId, { to: { userId: zoe.id }, note: 'Late', at: late })).toEqual({ at: late })
    expect(await edit(owner, assignmentId, { to: { userId: mia.id }, note: 'Early', at: early })).toEqual({ at: late })
    expect(await edit(owner, assignmentId, { to: { userId: mia.id }, note: 'Again', at: late })).toEqual({ at: late })
    expect(await listed(owner)).toMatchObject([{ toName: zoe.email, note: 'Late', editedAt: late }])
    expect(await edit(owner, assignmentId, { note: 'Ahead', at: '2031-01-01T00:00:00Z' })).toEqual({
      at: server.clock.now.toISOString(),
    })
    expect(await listed(owner)).toMatchObject([{ toName: zoe.email, note: 'Ahead' }])
  })

  test('is for the person who assigned it and the owner, and keeps to the rules of assigning', async () => {
    const { assignmentId } = await assign(mia, { userId: mia.id })
    expect(await edit(zoe, assignmentId, { note: 'Mine now' })).toEqual([404, 'not_found'])
    expect(await edit(owner, crypto.randomUUID(), { note: 'Guess' })).toEqual([404, 'not_found'])
    const hidden = await addLocation('Oak Avenue')
    expect(await edit(mia, assignmentId, { to: { locationId: hidden } })).toEqual([404, 'location_not_found'])
    expect(await edit(mia, assignmentId, { to: { userId: crypto.randomUUID() } })).toEqual([404, 'not_in_team'])
    for (const change of [
      { dueOn: '2026-02-30' },
      { dueOn: '0000-01-01' },
      { note: 'x'.repeat(501) },
      { note: 'nul\u0000' },
      { note: 'half \ud800' },
      { to: {} },
      { at: 'today' },
      { at: undefined },
    ]) {
      expect(await edit(mia, assignmentId, change), JSON.stringify(change)).toEqual([400, 'validation_failed'])
    }
    expect(await listed(mia)).toMatchObject([{ toName: mia.email, dueOn: '2026-11-30', note: 'Before Friday' }])
  })

  test('the note of what is assigned to a person who left leaves it with them', async () => {
    const { assignmentId } = await assign(owner, { userId: mia.id })
    await as(server, mia)('leave-team')
    await edit(owner, assignmentId, { to: { userId: mia.id }, note: 'Ask Mia' })
    expect(await listed(owner)).toMatchObject([{ toId: mia.id, hasLeft: true, note: 'Ask Mia' }])
    await as(server, mia)('delete-account', { email: mia.email })
    server.clock.advance(1000)
    expect(await edit(owner, assignmentId, { note: 'Ask anyone' })).toMatchObject({})
    expect(await listed(owner)).toMatchObject([{ to: 'person', toId: null, hasLeft: true, note: 'Ask anyone' }])
    server.clock.advance(1000)
    await edit(owner, assignmentId, { to: { userId: zoe.id } })
    expect(await listed(zoe)).toMatchObject([{ assignmentId, hasLeft: false }])
  })
})

describe('removing', () => {
  test('takes it from everyone, and can be undone by the owner and the person who assigned it', async () => {
    const { assignmentId } = await assign(mia, { userId: zoe.id })
    expect(await remove(zoe, assignmentId, true)).toEqual([404, 'not_found'])
    expect(await remove(mia, assignmentId, true, early)).toEqual({ removed: true, at: early })
    for (const who of [owner, mia, zoe]) expect(await listed(who)).toEqual([])
    expect(await marked(zoe)).toMatchObject({ assigned: [] })
    expect(await checkOff(zoe, assignmentId, true)).toMatchObject({ done: true })
    expect(await remove(owner, assignmentId, false, late)).toEqual({ removed: false, at: late })
    expect(await remove(mia, assignmentId, true, early)).toEqual({ removed: false, at: late })
    expect(await listed(zoe)).toMatchObject([{ assignmentId, done: true, note: 'Before Friday' }])
  })

  test('is final after a month, and frees a place among the open ones', async () => {
    const first = await assign(owner, { userId: mia.id })
    const second = await assign(owner, { userId: mia.id })
    await remove(owner, first.assignmentId, true, '2026-10-20T12:00:00Z')
    await server.database.db.execute(sql`
      insert into team_assignment (id, owner_id, kind, item_id, assigned_to, note, created_at)
      select gen_random_uuid(), ${owner.id}::uuid, 'prompt', 'closing-note', 'person', '', now()
        from generate_series(1, ${maxOpenAssignments - 1})`)
    expect(await remove(owner, first.assignmentId, false)).toEqual([409, 'too_many_assignments'])
    expect(await remove(owner, second.assignmentId, true, early)).toEqual({ removed: true, at: early })
    expect(await remove(owner, first.assignmentId, false)).toEqual([404, 'not_found'])
    expect(await remove(owner, second.assignmentId, false)).toMatchObject({ removed: false })
  })
})

describe('people who leave', () => {
  test('no longer see what was assigned to them, which stays with the owner, marked', async () => {
    const { assignmentId } = await assign(owner, { userId: mia.id })
    await as(server, mia)('leave-team')
    expect(await read(mia)).toBeNull()
    expect(await marked(mia)).toEqual({ canAssign: false, assigned: [] })
    expect(await checkOff(mia, assignmentId, true)).toEqual([403, 'no_team'])
    expect(await listed(owner)).toMatchObject([{ assignmentId, toName: mia.email, hasLeft: true, done: false }])
    expect(await checkOff(owner, assignmentId, true)).toMatchObject({ done: true })
  })

  test('and delete their account leave the assignment without their name', async () => {
    await assign(owner, { userId: mia.id })
    server.clock.advance(1000)
    await assign(mia, { userId: owner.id })
    expect((await as(server, mia)('delete-account', { email: mia.email })).status).toBe(200)
    expect(await listed(owner)).toMatchObject([
      { toName: '', hasLeft: true },
      { toName: owner.email, hasLeft: false, createdBy: '' },
    ])
  })

  test('while they are assigned to: either it is refused, or it is marked', async () => {
    const [assigned] = await Promise.all([
      assign(owner, { userId: mia.id }),
      as(server, owner)('remove-member', { userId: mia.id }),
    ])
    const left = await listed(owner)
    if (assigned.result[0] === 200) expect(left).toMatchObject([{ hasLeft: true }])
    else expect([assigned.result, left]).toEqual([[404, 'not_in_team'], []])
  })

  test('or hand over the team leave everything with it, under its new owner', async () => {
    await assign(owner, { userId: zoe.id })
    const [early, late] = [new Date('2026-11-20T10:00:00Z'), new Date('2026-11-21T10:00:00Z')]
    await server.database.db.insert(teamCollectionItem).values([
      { ownerId: owner.id, kind: 'prompt', itemId: prompt.id, member: true, at: late },
      { ownerId: mia.id, kind: 'prompt', itemId: prompt.id, member: false, at: early },
    ])
    await server.database.db.transaction((tx) => moveToNewOwner(tx, owner.id, mia.id))
    expect(await server.database.db.select().from(teamAssignment)).toMatchObject([
      { ownerId: mia.id, assigneeId: zoe.id, createdBy: owner.id },
    ])
    expect(await server.database.db.select().from(teamCollectionItem)).toMatchObject([
      { ownerId: mia.id, member: true, at: late },
    ])
  })

  test('lose their locations with the seat, also if they come back', async () => {
    const oak = await addLocation('Oak Avenue')
    await tie(zoe.id, [oak])
    await as(server, owner)('remove-member', { userId: zoe.id })
    server.clock.advance(120_000)
    await seat(server, owner, zoe)
    expect((await read(owner))?.people.map(({ locationIds }) => locationIds)).toEqual([[], [], []])
  })

  test('with the whole team leave nothing behind', async () => {
    await assign(owner, { userId: mia.id })
    await as(server, owner)('team-collect', { ...prompt, member: true, at: server.clock.now.toISOString() })
    expect((await as(server, owner)('delete-account', { email: owner.email })).status).toBe(200)
    for (const table of ['team_assignment', 'team_collection_item', 'team_seat_location', 'business_location']) {
      expect(await queryRows(server.database.db, sql`select * from ${sql.identifier(table)}`), table).toEqual([])
    }
    expect(await read(mia)).toBeNull()
  })
})

describe('the team’s locations and collection', () => {
  test('only the owner ties seats, of members only, to own locations only', async () => {
    const oak = await addLocation('Oak Avenue', true)
    expect(await tie(zoe.id, [oak], mia)).toEqual([403, 'no_team_plan'])
    expect(await tie(owner.id, [oak])).toEqual([404, 'not_in_team'])
    expect(await tie(crypto.randomUUID(), [oak])).toEqual([404, 'not_in_team'])
    expect(await tie(zoe.id, [crypto.randomUUID()])).toEqual([404, 'location_not_found'])
    await tie(zoe.id, [oak])
    const { assignmentId } = await assign(owner, { locationId: oak })
    await as(server, owner)('delete-location', { id: oak })
    expect(await listed(owner)).toMatchObject([{ assignmentId, to: 'location', toName: '', hasLeft: false }])
    expect(await listed(zoe)).toEqual([])
  })

  test('a collection is shared by all; the newest change of two devices counts', async () => {
    const collect = async (who: TestUser, member: boolean, at: string) =>
      (await as(server, who)('team-collect', { ...prompt, member, at })).body
    await collect(mia, true, '2026-11-22T15:20:00.000Z')
    expect(await collect(zoe, false, '2026-11-22T15:10:00.000Z')).toEqual({
      member: true,
      at: '2026-11-22T15:20:00.000Z',
    })
    expect((await read(owner))?.collection).toMatchObject([{ ...prompt, title: 'Closing handover note' }])
    await collect(zoe, false, '2026-11-22T15:30:00.000Z')
    expect((await read(mia))?.collection).toEqual([])
    expect(
      (await as(server, mia)('team-collect', { kind: 'tool', id: 'none', member: true, at: '2026-11-22T15:30:00Z' }))
        .status,
    ).toBe(404)
  })

  test('the owner sees assignments, and nothing about what others read or saved', async () => {
    await assign(owner, { userId: mia.id })
    await as(server, mia)('save-item', { ...prompt, saved: true, at: server.clock.now.toISOString() })
    await as(server, mia)('save-business-profile', { changes: { brand: { from: '', to: 'Ember secret' } } })
    const before = JSON.stringify(await read(owner))
    expect(before).not.toMatch(/saved|readAt|position|tried|Ember/)
  })

  test('all of it is in the data export, without other people', async () => {
    await assign(owner, { userId: mia.id })
    await tie(mia.id, [await addLocation('Oak Avenue')])
    const { data } = (await as(server, mia)('export-data')).body as { data: Record<string, unknown> }
    expect(data.assignments).toMatchObject({ assignments: [{ title: 'Closing handover note', note: 'Before Friday' }] })
    expect(data.team).toMatchObject({ ownLocations: [{ name: 'Oak Avenue' }] })
    expect(JSON.stringify([data.assignments, data.team])).not.toContain(owner.email)
    expect(await server.database.db.select().from(teamAssignment)).toHaveLength(1)
  })
})
