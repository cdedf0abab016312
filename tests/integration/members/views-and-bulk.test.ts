import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { onAccountDeleted } from '#server/all-features.ts'
import { queryRows } from '#server/db/database.ts'
import {
  complimentaryAccess,
  emailPreferences,
  mailings,
  memberNotes,
  memberTags,
  newsletterSubscription,
  suspendedStaff,
  users,
} from '#server/db/schema/index.ts'
import { bulkActionSteps } from '#server/features/operations/members/bulk-actions.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { takeStep } from '#server/jobs/runs.ts'
import type { BulkAction, StartedBulkAction } from '#shared/contracts/operations/bulk-actions.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { SecurityEvent } from '#shared/domain/security-events.ts'
import { ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { addNewsletter } from '#tests/integration/newsletters/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
let support: TestUser
let readers: TestUser[]

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  admin = await buildUser(server, { admin: true, data: { full_name: 'Ada Quill' } })
  support = await buildUser(server, { role: 'support' })
  readers = []
  for (const franchiseType of ['Retail', 'Retail', 'Retail', 'Education', 'Services']) {
    readers.push(
      await buildUser(server, {
        subscription: 'active',
        preferences: { franchiseType },
        createdAt: new Date(server.clock.now.getTime() - (readers.length + 1) * 1000),
      }),
    )
  }
})

const steps = () => bulkActionSteps({ ...server.deps, onAccountDeleted: onAccountDeleted(server.deps) })
const ask = async <Body = Record<string, unknown>>(name: string, body: object, who = admin) =>
  (await call(server, name, body, who.token)) as { status: number; body: Body }
const must = async <Body = Record<string, unknown>>(name: string, body: object, who = admin) => {
  const answer = await ask<Body>(name, body, who)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body
}
const retail = { franchiseTypes: ['Retail'] }
const emails = (from: number, to: number) => readers.slice(from, to).map(({ email }) => email)
const logged = (event: SecurityEvent) => auditEntries(server, event)

describe('a view', () => {
  test('shows the same members in the list, the count, and a mailing to it', async () => {
    const { id } = await must<{ id: string }>('admin-save-member-view', { name: 'Retail', filter: retail }, support)
    const { items } = await must<{ items: { id: string; filter: object }[] }>('admin-member-views', {})
    const [view] = items
    const list = await must<{ items: { email: string }[] }>('admin-members', { filter: view?.filter })
    expect(list.items.map(({ email }) => email)).toEqual(emails(0, 3))
    expect(await must('admin-count-members', { filter: view?.filter })).toMatchObject({ count: 3, isCapped: false })

    const mailing = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })
    const audience = { ...everyone, viewIds: [id] }
    expect(await must('admin-count-audience', { of: { id: mailing.id }, audience })).toMatchObject({ total: 3 })
    const content = {
      kind: 'news',
      subject: '',
      preheader: '',
      title: 'News',
      date: null,
      intro: '',
      sections: [],
      closing: '',
      path: null,
    }
    await server.database.db.update(mailings).set({ status: 'preparing', audience, content })
    await prepareMailing(server.deps, mailing.id)
    const rows = await queryRows<{ email: string }>(
      server.database.db,
      sql`select email from deliveries order by email`,
    )
    expect(rows.map(({ email }) => email)).toEqual(emails(0, 3).toSorted())
  })

  test('has a unique name, and stays while a mailing goes to it', async () => {
    const { id } = await must<{ id: string }>('admin-save-member-view', { name: 'Retail', filter: retail })
    expect(await ask('admin-save-member-view', { name: 'Retail', filter: {} })).toMatchObject({
      status: 409,
      body: { code: 'view_name_taken' },
    })
    const mailing = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })
    await server.database.db.update(mailings).set({ audience: { ...everyone, viewIds: [id] } })
    expect(await ask('admin-delete-member-view', { id })).toMatchObject({ status: 409, body: { code: 'view_in_use' } })
    await must('admin-delete-mailing', { id: mailing.id })
    await must('admin-delete-member-view', { id })
    expect(await must('admin-member-views', {})).toEqual({ items: [] })
  })
})

describe('a change of many members', () => {
  const tag: BulkAction = { kind: 'add-tag', tag: 'kitchen' }
  const start = (action: BulkAction, target: object, id: string = crypto.randomUUID(), who = admin) =>
    must('admin-start-bulk-action', { id, action, target }, who).then(() => id)
  const run = () => continueRuns(server.deps, steps())
  const latest = async () =>
    (await must<{ items: StartedBulkAction[] }>('admin-bulk-actions', {})).items[0] as StartedBulkAction
  const tagged = async () =>
    (await server.database.db.select({ userId: memberTags.userId }).from(memberTags))
      .map(({ userId }) => userId)
      .toSorted()
  const idsOf = (users: readonly TestUser[]) => users.map(({ id }) => id).toSorted()

  test('says before what it would do, changes each member once, and is logged once', async () => {
    await must('admin-set-member-tags', { userId: readers[0]?.id, tags: ['kitchen'] })
    const wanted = { action: tag, target: { filter: retail } }
    expect(await must('admin-preview-bulk-action', wanted, support)).toEqual({
      changing: 2,
      unchanged: 1,
      reason: 'already have the tag',
      examples: emails(1, 3),
    })
    const id = crypto.randomUUID()
    const clicks = [start(tag, { filter: retail }, id, support), start(tag, { filter: retail }, id, support)]
    await Promise.all(clicks)
    await Promise.all([run(), run()])
    expect(await latest()).toMatchObject({
      status: 'finished',
      total: 3,
      done: 3,
      changed: 2,
      selection: 'Franchise: Retail',
      by: support.email,
    })
    expect(await tagged()).toEqual(idsOf(readers.slice(0, 3)))
    expect(await logged('members_changed')).toMatchObject([
      { by: support.email, note: 'Add the tag “kitchen”; Franchise: Retail; 3 members' },
    ])
  })

  test('continues after a crash in the middle, and restores only what it changed', async () => {
    const many = await queryRows<{ id: string }>(
      server.database.db,
      sql`insert into auth.users (id, email, created_at, updated_at)
        select gen_random_uuid(), 'm' || n || '@example.test', now(), now() from generate_series(1, 450) n returning id::text`,
    )
    const { db } = server.database
    await db
      .insert(memberTags)
      .values({ userId: many[7]?.id ?? '', tag: 'kitchen', joinedMicros: 1, addedAt: new Date(0) })
    const id = await start(tag, { filter: { search: 'example.test' } })
    await takeStep(server.deps, steps(), id)
    // A crash before the commit: nothing of the step remains, and the next run repeats it.
    await db.execute(
      sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$`,
    )
    await db.execute(sql`create trigger die before update on bulk_actions for each row execute function die()`)
    await expect(run()).rejects.toThrow()
    await db.execute(sql`drop trigger die on bulk_actions`)
    await db.execute(sql`drop function die`)
    expect(await latest()).toMatchObject({ status: 'running', total: 457, done: 200 })
    await run()
    expect(await latest()).toMatchObject({ status: 'finished', done: 457, changed: 456 })
    expect((await tagged()).length).toBe(457)
    await must('admin-undo-bulk-action', { id }, support)
    await must('admin-undo-bulk-action', { id }, support)
    await run()
    expect(await latest()).toMatchObject({ status: 'undone', done: 457, changed: 0 })
    expect(await tagged()).toEqual([many[7]?.id])
    expect(await logged('members_change_undone')).toHaveLength(1)
  })

  test('stops when the person running it loses the role, and someone else can undo what it changed', async () => {
    const { db } = server.database
    await db.execute(sql`insert into auth.users (id, email, created_at, updated_at)
      select gen_random_uuid(), 'm' || n || '@bulk.test', now(), now() from generate_series(1, 450) n`)
    const id = await start(tag, { filter: { search: 'bulk.test' } }, crypto.randomUUID(), support)
    await takeStep(server.deps, steps(), id)
    await must('admin-change-staff-role', { userId: support.id, from: 'support', to: 'viewer' })
    await run()
    expect(await latest()).toMatchObject({ status: 'stopped', total: 450, done: 200, changed: 200, by: support.email })
    expect(await tagged()).toHaveLength(200)
    expect(await logged('members_change_stopped')).toMatchObject([
      { by: 'automatic', note: 'Add the tag “kitchen”; “bulk.test”; 200 of 450 members' },
    ])
    await must('admin-change-staff-role', { userId: support.id, from: 'viewer', to: 'support' })
    await run()
    expect(await tagged()).toHaveLength(200)

    // An undo stops in the same way, and someone else can start it again.
    await db.execute(sql`update bulk_action_members set outcome = 'changed' where action_id = ${id}::uuid`)
    await db.execute(sql`update bulk_actions set done = 450, changed = 450, status = 'finished' where id = ${id}::uuid`)
    await must('admin-undo-bulk-action', { id }, support)
    await takeStep(server.deps, steps(), id)
    await must('admin-suspend-staff', { userId: support.id, suspended: true })
    await run()
    const left = (await latest()).changed
    expect(await latest()).toMatchObject({ status: 'stopped', done: 200 })
    await must('admin-undo-bulk-action', { id })
    await run()
    expect(await latest()).toMatchObject({ status: 'undone', done: 450 })
    expect(left).toBeGreaterThanOrEqual(250)
    expect(await tagged()).toEqual([])
  })

  test('stops when the person running it was disabled', async () => {
    const { db } = server.database
    const id = await start(tag, { ids: idsOf(readers) }, crypto.randomUUID(), support)
    await db
      .update(users)
      .set({ bannedUntil: new Date('2099-01-01') })
      .where(eq(users.id, support.id))
    await run()
    expect(await latest()).toMatchObject({ id, status: 'stopped', done: 0 })
    expect(await tagged()).toEqual([])
  })

  test('skips accounts that were deleted or joined the staff meanwhile, and doesn’t hold up other changes', async () => {
    const { db } = server.database
    const action: BulkAction = { kind: 'access', until: '2027-01-01T23:59:59.000Z', reason: '' }
    const id = await start(action, { ids: idsOf(readers) }, crypto.randomUUID(), support)
    const [deleted, joined] = readers
    await db
      .update(users)
      .set({ deletedAt: server.clock.now })
      .where(eq(users.id, deleted?.id ?? ''))
    await db.insert(suspendedStaff).values({ userId: joined?.id ?? '', role: 'editor', suspendedAt: server.clock.now })
    await run()
    expect(await latest()).toMatchObject({ id, status: 'finished', total: 5, changed: 3 })
    expect(await db.$count(complimentaryAccess)).toBe(3)
  })

  test('an undo of access is logged with who undid it, and only after they confirmed who they are', async () => {
    const action: BulkAction = { kind: 'access', until: '2027-01-01T23:59:59.000Z', reason: '' }
    const id = await start(action, { filter: retail }, crypto.randomUUID(), support)
    await run()
    const again = await buildUser(server, { admin: true })
    await ageAuthentication(server, admin)
    const needsStepUp = { status: 403, body: { code: 'step_up_required' } }
    expect(await ask('admin-undo-bulk-action', { id })).toMatchObject(needsStepUp)
    expect(await ask('admin-export-members', { target: { filter: {} } })).toMatchObject(needsStepUp)
    await must('admin-undo-bulk-action', { id }, again)
    await run()
    expect((await logged('access_granted')).map(({ by }) => by)).toEqual(Array(3).fill(support.email))
    expect((await logged('access_revoked')).map(({ by }) => by)).toEqual(Array(3).fill(again.email))
    const forever = { id: crypto.randomUUID(), action: { ...action, until: '9999-01-01T00:00:00.000Z' } }
    const target = { filter: retail }
    expect(await ask('admin-start-bulk-action', { ...forever, target }, again)).toMatchObject({ status: 400 })
  })

  test('can be stopped by undoing it while it runs', async () => {
    const id = await start(tag, { ids: readers.map((reader) => reader.id) })
    await must('admin-undo-bulk-action', { id })
    await run()
    expect(await latest()).toMatchObject({ status: 'undone', changed: 0 })
    expect(await tagged()).toEqual([])
  })

  test('adds a note, and keeps notes that were edited when it is undone', async () => {
    const id = await start({ kind: 'note', text: 'Met in Reno' }, { filter: retail })
    await run()
    const { db } = server.database
    expect(await db.$count(memberNotes)).toBe(3)
    await db
      .update(memberNotes)
      .set({ updatedAt: new Date(server.clock.now.getTime() + 1000) })
      .where(sql`user_id = ${readers[0]?.id ?? ''}::uuid`)
    await must('admin-undo-bulk-action', { id })
    await run()
    expect(await db.select({ userId: memberNotes.userId }).from(memberNotes)).toEqual([{ userId: readers[0]?.id }])
    expect(await latest()).toMatchObject({ status: 'undone', changed: 1 })
  })

  test('gives complimentary access with an email, never shortens it, and takes only its own back', async () => {
    const { db } = server.database
    const inDays = (days: number) => new Date(server.clock.now.getTime() + days * 86_400_000).toISOString()
    await must('admin-grant-access', { userId: readers[0]?.id, until: inDays(100) })
    const action: BulkAction = { kind: 'access', until: inDays(30), reason: 'Outage' }
    expect(await must('admin-preview-bulk-action', { action, target: { filter: retail } })).toMatchObject({
      changing: 2,
      unchanged: 1,
      reason: 'already have complimentary access',
    })
    const id = await start(action, { filter: retail })
    await run()
    expect(await db.$count(complimentaryAccess)).toBe(3)
    expect(server.outbox.list(readers[1]?.email ?? '').map(({ subject }) => subject)).toEqual([
      'You have complimentary access to Front Counter',
    ])
    await must('admin-grant-access', { userId: readers[1]?.id, until: inDays(60) })
    await must('admin-undo-bulk-action', { id })
    await run()
    const left = await db.select({ userId: complimentaryAccess.userId }).from(complimentaryAccess)
    expect(left.map(({ userId }) => userId).toSorted()).toEqual(idsOf(readers.slice(0, 2)))
    const late = { id: crypto.randomUUID(), action: { ...action, until: inDays(-1) }, target: { filter: retail } }
    expect(await ask('admin-start-bulk-action', late)).toMatchObject({ status: 400 })
  })

  test('unsubscribes members from everything that the publication sends', async () => {
    const { db } = server.database
    await addNewsletter(db)
    const [first, second] = readers
    await db
      .insert(newsletterSubscription)
      .values({ newsletterId: 1, userId: first?.id ?? '', subscribed: true, changedAt: new Date(0) })
    const off = { drops: 'off', news: false, followUps: false, updatedAt: new Date(0) }
    await db.insert(emailPreferences).values([first, second].map((reader) => ({ userId: reader?.id ?? '', ...off })))
    const target = { filter: retail }
    expect(await must('admin-preview-bulk-action', { action: { kind: 'unsubscribe' }, target }, support)).toMatchObject(
      {
        changing: 2,
        unchanged: 1,
        reason: 'are already unsubscribed from everything',
      },
    )
    const id = await start({ kind: 'unsubscribe' }, target, crypto.randomUUID(), support)
    await run()
    expect(await latest()).toMatchObject({ status: 'finished', total: 3, changed: 2 })
    expect(await db.select({ subscribed: newsletterSubscription.subscribed }).from(newsletterSubscription)).toEqual([
      { subscribed: false },
    ])
    const stored = await db.select().from(emailPreferences)
    expect(stored.map(({ userId }) => userId).toSorted()).toEqual(idsOf(readers.slice(0, 3)))
    expect(stored).toMatchObject(Array(3).fill({ drops: 'off', news: false, followUps: false, assignments: true }))
    expect(await ask('admin-undo-bulk-action', { id })).toMatchObject({ status: 404 })
    expect(await logged('members_changed')).toMatchObject([
      { note: 'Unsubscribe from all newsletters; Franchise: Retail; 3 members' },
    ])
  })

  test('deletes accounts, leaves the staff out, and says so', async () => {
    const { db } = server.database
    await db.insert(suspendedStaff).values({ userId: readers[2]?.id ?? '', role: 'editor', suspendedAt: new Date(0) })
    const target = { ids: idsOf([admin, support, ...readers.slice(0, 3)]) }
    const action: BulkAction = { kind: 'delete' }
    expect(await must('admin-preview-bulk-action', { action, target })).toMatchObject({
      changing: 2,
      unchanged: 3,
      reason: 'belong to the staff',
      examples: emails(0, 2),
    })
    await start(action, target)
    await run()
    expect(await latest()).toMatchObject({ status: 'finished', total: 5, done: 5, changed: 2 })
    const left = await db.select({ id: users.id }).from(users)
    expect(left.map(({ id }) => id).toSorted()).toEqual(idsOf([admin, support, ...readers.slice(2)]))
    expect(server.outbox.list(readers[0]?.email ?? '').map(({ subject }) => subject)).toEqual([
      'Your Front Counter account is deleted',
    ])
    expect(await logged('account_deleted')).toMatchObject(Array(2).fill({ by: admin.email, actor_id: admin.id }))
    expect(await logged('members_changed')).toMatchObject([
      { note: 'Delete accounts; 5 selected; 5 members, of whom 3 left out: they belong to the staff' },
    ])
  })

  test('only owners delete, after they confirmed who they are, and can stop it', async () => {
    const { db } = server.database
    const deletion = { action: { kind: 'delete' }, target: { filter: retail } }
    const refused = { status: 403, body: { code: 'role_not_allowed' } }
    expect(await ask('admin-preview-bulk-action', deletion, support)).toMatchObject(refused)
    expect(await ask('admin-start-bulk-action', { id: crypto.randomUUID(), ...deletion }, support)).toMatchObject(
      refused,
    )
    const other = await buildUser(server, { admin: true })
    await ageAuthentication(server, other)
    expect(await ask('admin-start-bulk-action', { id: crypto.randomUUID(), ...deletion }, other)).toMatchObject({
      body: { code: 'step_up_required' },
    })
    const id = await start({ kind: 'delete' }, { filter: retail })
    await must('admin-undo-bulk-action', { id })
    await run()
    expect(await latest()).toMatchObject({ status: 'stopped', done: 0, changed: 0 })
    expect(await db.$count(users)).toBe(8)
  })

  test('support can’t give staff access, and editors can’t change members', async () => {
    const action: BulkAction = { kind: 'access', until: '2027-01-01T00:00:00.000Z', reason: '' }
    const target = { ids: [admin.id, support.id, readers[0]?.id] }
    await start(action, target, crypto.randomUUID(), support)
    expect(await latest()).toMatchObject({ total: 1 })
    const editor = await buildUser(server, { role: 'editor' })
    expect(await ask('admin-start-bulk-action', { id: crypto.randomUUID(), action, target }, editor)).toMatchObject({
      status: 403,
    })
    expect(await ask('admin-members', { filter: {} }, editor)).toMatchObject({ status: 403 })
    expect(await ask('admin-member-views', {}, editor)).toMatchObject({ status: 200 })
  })
})

describe('the export', () => {
  const fetchCsv = async (url: string) => {
    const answer = await server.request(new URL(url).pathname)
    return { status: answer.status, text: await answer.text() }
  }

  test('has one line per member, runs no formula, and contains no secret', async () => {
    await must('admin-set-member-tags', { userId: readers[0]?.id, tags: ['=1+1', 'vip'] })
    const { url } = await must<{ url: string }>('admin-export-members', { target: { filter: retail } })
    const { status, text } = await fetchCsv(url)
    expect(status).toBe(200)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain('"Email","Name","Joined"')
    expect(text).toContain(`"'=1+1, vip"`)
    expect(text).not.toMatch(/argon2|sub_/)
  })

  test('is for owners, and its link ends with their session and after five minutes', async () => {
    expect(await ask('admin-export-members', { target: { filter: {} } }, support)).toMatchObject({ status: 403 })
    const { url } = await must<{ url: string }>('admin-export-members', { target: { ids: [readers[0]?.id] } })
    expect((await fetchCsv(`${url}x`)).status).toBe(404)
    server.clock.advance(5 * 60_000)
    expect((await fetchCsv(url)).status).toBeGreaterThanOrEqual(400)
  })
})
