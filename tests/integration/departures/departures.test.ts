import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  auditLogEntries,
  contentItems,
  oauthConsents,
  sessions,
  shareLinks,
  teamAssignment,
} from '#server/db/schema/index.ts'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { as, buildOwner, createTeamApp, seat, seatsOf, subjectsTo } from '#tests/integration/teams/support.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
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
  mia = await buildUser(server)
  zoe = await buildUser(server)
  await seat(server, owner, mia)
  await seat(server, owner, zoe)
})

const assign = async (to: object) => {
  const assignmentId = crypto.randomUUID()
  await as(server, owner)('assign', { assignmentId, item: prompt, to, dueOn: null, note: '' })
  return assignmentId
}
const listed = async (who: TestUser) =>
  ((await as(server, who)('team-assignments')).body as { team: TeamAssignments | null }).team?.assignments ?? []
const letGo = async (userId: string, to: object | null, who = owner) => {
  const { status, body } = await as(server, who)('let-member-go', { userId, to })
  return status === 200 ? body : [status, body.code]
}
const left = (userId: string) => ({
  sessions: server.database.db.$count(sessions, eq(sessions.userId, userId)),
  links: server.database.db.$count(shareLinks, eq(shareLinks.userId, userId)),
  assistants: server.database.db.$count(oauthConsents, eq(oauthConsents.userId, userId)),
})

describe('a member who is let go', () => {
  test('hands over what is open in one step, and loses seat, links, sessions and assistants', async () => {
    const open = await assign({ userId: mia.id })
    const done = await assign({ userId: mia.id })
    await as(server, mia)('check-off', { assignmentId: done, done: true, at: server.clock.now.toISOString() })
    await as(server, mia)('share-item', { ...prompt, showsBusiness: false })
    const link = { assignmentIds: [open], crew: '', language: null, validUntil: '2026-12-31' }
    expect((await as(server, owner)('make-task-links', link)).status).toBe(200)
    const connection = await buildConnection(server, { userId: mia.id, rights: ['library:read'] })

    expect((await as(server, owner)('departure', { userId: mia.id })).body).toEqual({
      email: mia.email,
      shareLinks: 1,
      sessions: 1,
      assistants: 1,
    })
    expect(await letGo(mia.id, { userId: zoe.id })).toEqual({ reassigned: 1, ended: 4 })

    expect(await listed(zoe)).toMatchObject([{ assignmentId: open, isMine: true, hasLeft: false }])
    expect((await listed(owner)).find(({ assignmentId }) => assignmentId === done)).toMatchObject({
      toName: mia.email,
      done: true,
      hasLeft: true,
    })
    const { links: taskLinks } = (await as(server, owner)('task-links')).body as { links: { works: boolean }[] }
    expect(taskLinks).toMatchObject([{ works: false }])
    expect((await seatsOf(server, owner)).map(({ userId }) => userId)).toEqual([zoe.id])
    const { sessions: devices, links, assistants } = left(mia.id)
    expect([await devices, await links, await assistants]).toEqual([0, 0, 0])
    expect((await as(server, mia)('team')).status).toBe(401)
    const { status } = await server.app.request('/mcp', { method: 'POST', headers: connection.headers, body: '{}' })
    expect(status).toBe(401)
  })

  test('and the owner get an email, and the person who takes over, too', async () => {
    await assign({ userId: mia.id })
    await letGo(mia.id, { userId: zoe.id })
    expect(subjectsTo(server, mia)).toContainEqual(expect.stringMatching(/^You were removed from a /))
    expect(subjectsTo(server, owner)).toContain(`${mia.email} left your team`)
    expect(server.outbox.list(owner.email)[0]?.text).toContain(`1 open assignment now for ${zoe.email}.`)
    expect(server.outbox.list(mia.email)[0]?.text).toContain('Signed out on 1 device.')
    expect(server.jobs).toContainEqual({ name: 'email-assigned', payload: { userId: zoe.id } })
  })

  test('leaves a trace in the security log', async () => {
    await buildConnection(server, { userId: mia.id, rights: ['library:read'] })
    await letGo(mia.id, null)
    const entries = await server.database.db
      .select({ payload: auditLogEntries.payload })
      .from(auditLogEntries)
      .orderBy(desc(auditLogEntries.createdAt))
    const actions = entries.map(({ payload }) => (payload as { action: string }).action)
    expect(actions).toEqual(expect.arrayContaining(['team_removed', 'session_ended', 'assistant_disconnected']))
  })

  test('can hand over to a location, and is invited again like anyone', async () => {
    const locationId = crypto.randomUUID()
    await as(server, owner)('save-location', { id: locationId, name: { from: '', to: 'Oak Avenue' } })
    const id = await assign({ userId: mia.id })
    expect(await letGo(mia.id, { locationId })).toMatchObject({ reassigned: 1 })
    expect(await server.database.db.select().from(teamAssignment).where(eq(teamAssignment.id, id))).toMatchObject([
      { assignedTo: 'location', locationId, assigneeId: null },
    ])
  })
})

describe('refused, without any change', () => {
  test('a second click, and someone who left before', async () => {
    expect(await letGo(mia.id, null)).toMatchObject({ reassigned: 0 })
    expect(await letGo(mia.id, null)).toEqual([404, 'not_in_team'])
    await as(server, zoe)('leave-team')
    expect(await letGo(zoe.id, null)).toEqual([404, 'not_in_team'])
    expect((await as(server, owner)('departure', { userId: zoe.id })).status).toBe(404)
  })

  test('the owner, who is told what to do first', async () => {
    const { status, body } = await as(server, owner)('let-member-go', { userId: owner.id, to: null })
    expect([status, body.code]).toEqual([404, 'not_in_team'])
    expect(JSON.stringify(body)).toContain('Make someone else the owner first')
  })

  test('a takeover by the person who leaves, or by a stranger', async () => {
    await assign({ userId: mia.id })
    const stranger = await buildUser(server)
    for (const userId of [mia.id, stranger.id]) {
      expect(await letGo(mia.id, { userId })).toEqual([404, 'not_in_team'])
    }
    expect(await letGo(mia.id, { locationId: crypto.randomUUID() })).toEqual([404, 'location_not_found'])
    expect(await letGo(mia.id, null, zoe)).toEqual([404, 'not_in_team'])
    expect(await seatsOf(server, owner)).toHaveLength(2)
    expect(await left(mia.id).sessions).toBe(1)
  })
})
