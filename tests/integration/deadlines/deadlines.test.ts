import { eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import { accountEmails, deadline, emailPreferences, subscriptionState, suppressions } from '#server/db/schema/index.ts'
import { sendDeadlineReminders } from '#server/features/publishing/assignment-emails/send-deadline-reminders.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { SettingsPage } from '#shared/contracts/publishing/site-settings.ts'
import type { Deadline, Deadlines } from '#shared/contracts/reader/deadlines.ts'
import { as, createTeamApp } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { dyingAfter, Killed } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTeamApp())
/** A Sunday, 11 AM in New York. */
const start = new Date('2026-11-22T16:00:00Z')
let owner: TestUser

const paid = {
  subscription: 'active',
  subscriptionFacts: { currentPeriodEnd: new Date('2028-11-22T00:00:00Z') },
} as const

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  server.jobs.length = 0
  owner = await buildUser(server, paid)
})

const at = (iso: string) => {
  server.clock.now = new Date(iso)
}
const read = async (who: TestUser) => (await as(server, who)('deadlines')).body as Deadlines
const save = async (given: Partial<Deadline> = {}, who = owner) => {
  const input = {
    ...{ id: crypto.randomUUID(), kind: 'insurance-certificate', title: 'Insurance certificate', locationId: null },
    ...{ dueOn: '2027-03-20', leadDays: 60, yearly: true, done: false },
    ...given,
  }
  const { status, body } = await as(server, who)('save-deadline', input)
  return { input, status, body }
}
const addStore = async (name: string, who = owner) => {
  const id = crypto.randomUUID()
  await as(server, who)('save-location', { id, name: { from: '', to: name } })
  return id
}
const remindAt = async (iso: string) => {
  at(iso)
  await sendDeadlineReminders(server.deps)
}
const received = (who = owner) => server.outbox.list(who.email).filter(({ text }) => text.includes('/portal/deadlines'))
const subjects = (who = owner) =>
  received(who)
    .map(({ subject }) => subject)
    .toReversed()
/** Emails whose transaction was committed. */
const committed = () => server.database.db.$count(accountEmails, eq(accountEmails.email, owner.email))

describe('a reader’s dates', () => {
  test('are stored once per id, in the order of their days, for a store or the whole business', async () => {
    const oak = await addStore('Oak Avenue')
    const { input } = await save({ locationId: oak })
    expect((await save(input)).status).toBe(200)
    await save({ kind: 'renewal', title: '  Renewal\u0000 \n of both ', dueOn: '2027-01-05', yearly: false })
    const { deadlines, locations } = await read(owner)
    expect(deadlines.map(({ title, locationId }) => [title, locationId])).toEqual([
      ['Renewal of both', null],
      ['Insurance certificate', oak],
    ])
    expect(locations).toEqual([{ id: oak, name: 'Oak Avenue' }])
  })

  test('are read and changed by nobody else, and refer to no one else’s store', async () => {
    const other = await buildUser(server, paid)
    const { input } = await save()
    expect((await save(input, other)).body).toMatchObject({ code: 'not_found' })
    await as(server, other)('delete-deadline', { id: input.id })
    expect((await read(other)).deadlines).toEqual([])
    expect((await read(owner)).deadlines).toEqual([input])
    expect((await save({ locationId: await addStore('Theirs', other) })).body).toMatchObject({
      code: 'location_not_found',
    })
  })

  test('go with their store, and with the account', async () => {
    const oak = await addStore('Oak Avenue')
    await save({ locationId: oak })
    await save()
    await as(server, owner)('delete-location', { id: oak })
    expect((await read(owner)).deadlines).toHaveLength(1)
    await server.deps.database.db.transaction((tx) => deleteAccountRows(tx, owner.id))
    expect(await server.database.db.$count(deadline)).toBe(0)
  })

  test('have a limit', async () => {
    const { input } = await save()
    const row = { ...input, userId: owner.id, createdAt: start, updatedAt: start }
    await server.database.db
      .insert(deadline)
      .values(Array.from({ length: 299 }, () => ({ ...row, id: crypto.randomUUID() })))
    expect((await save()).body).toMatchObject({ code: 'too_many_deadlines' })
    expect((await save(input)).status).toBe(200)
  })

  test('are on the first page from a month before, in the week after the reminder, and once they passed', async () => {
    const { input } = await save({ leadDays: 180 })
    const next = async (day: string) => {
      at(`${day}T16:00:00Z`)
      const { body } = await as(server, owner)('item-marks', { scope: { kind: 'issues' } })
      return (body as { nextDeadline: { title: string } | null }).nextDeadline?.title ?? null
    }
    // 180 days before March 20 is September 21.
    expect(await next('2026-11-22')).toBeNull()
    await save({ ...input, leadDays: 115 })
    expect(await next('2026-11-25')).toBe('Insurance certificate')
    expect(await next('2026-12-10')).toBeNull()
    expect(await next('2027-02-20')).toBe('Insurance certificate')
    expect(await next('2027-04-20')).toBe('Insurance certificate')
    await save({ ...input, done: true })
    expect(await next('2027-04-20')).toBeNull()
  })
})

describe('reminders', () => {
  const morning = '2027-01-19T13:00:00Z'
  const weekBefore = '2027-03-13T13:00:00Z'

  test('come at eight when the lead time begins and a week before, each once, with what prepares them', async () => {
    await seedContent(server.deps)
    await save({ locationId: await addStore('Oak Avenue') })
    await remindAt('2027-01-19T12:59:00Z')
    expect(subjects()).toEqual([])
    for (const moment of [morning, morning, weekBefore, weekBefore, morning, '2027-03-21T13:00:00Z']) {
      await remindAt(moment)
    }
    expect(subjects()).toEqual(['Insurance certificate, in 60 days', 'Insurance certificate, in 7 days'])
    const [newest] = received()
    expect(newest?.text).toContain('Due Saturday, Mar 20 · For Oak Avenue')
    expect(newest?.html).toContain('/portal/weekly-drops/field-audit-prep#insurance-certificate')
    expect(newest?.headers?.['List-Unsubscribe']).toMatch(/\/unsubscribe\/one-click\//)
  })

  test('are one email for all that is due', async () => {
    await save()
    await save({ title: 'Fire permit', dueOn: '2027-03-21', leadDays: 61 })
    await remindAt(morning)
    expect(subjects()).toEqual(['2 deadlines, the first in 60 days'])
  })

  test('follow a moved date and lead time, and the time zone of the reader', async () => {
    const { input } = await save()
    await remindAt(morning)
    await save({ ...input, dueOn: '2027-06-20' })
    await remindAt('2027-04-21T12:00:00Z')
    expect(subjects()).toHaveLength(2)
    await save({ ...input, dueOn: '2027-06-20', leadDays: 30 })
    await as(server, owner)('save-time-zone', { timeZone: 'Pacific/Honolulu' })
    await remindAt('2027-05-21T17:59:00Z')
    expect(subjects()).toHaveLength(2)
    await remindAt('2027-05-21T18:00:00Z')
    expect(subjects()).toHaveLength(3)
  })

  test('of a date entered within its lead time begin with the one a week before', async () => {
    await save({ dueOn: '2026-12-20' })
    await remindAt('2026-11-22T16:05:00Z')
    expect(subjects()).toEqual([])
    await remindAt('2026-12-13T13:00:00Z')
    expect(subjects()).toHaveLength(1)
  })

  test('stop once it is done, deleted, turned off by the link, suppressed, or the plan ended', async () => {
    const { db } = server.database
    await save({ done: true })
    const deleted = await save()
    await as(server, owner)('delete-deadline', { id: deleted.input.id })
    await remindAt(morning)
    expect(subjects()).toEqual([])
    await save({ leadDays: 50 })
    await remindAt('2027-01-29T13:00:00Z')
    expect(subjects()).toHaveLength(1)
    const link = received()[0]?.headers?.['List-Unsubscribe']?.slice(1, -1) ?? ''
    await server.request(new URL(link).pathname, { method: 'POST' })
    expect((await as(server, owner)('email-preferences')).body).toMatchObject({ assignments: false, drops: 'weekly' })
    await remindAt(weekBefore)
    expect(subjects()).toHaveLength(1)
    await db.update(emailPreferences).set({ assignments: true })
    await save({ dueOn: '2027-04-20', leadDays: 7 })
    await db.insert(suppressions).values({ email: owner.email, stream: 'all', reason: 'hard_bounce', createdAt: start })
    await remindAt('2027-04-13T13:00:00Z')
    await db.delete(suppressions)
    await save({ dueOn: '2027-05-20', leadDays: 7 })
    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, owner.id))
    await remindAt('2027-05-13T13:00:00Z')
    expect(subjects()).toHaveLength(1)
  })

  test('are sent once by several nodes, and after a crash at any moment', async () => {
    const { db } = server.database
    await save()
    at(morning)
    for (let moments = 0; ; moments += 1) {
      const dying = dyingAfter(db, moments)
      const deps = { ...server.deps, database: { ...server.database, db: dying.db } }
      await sendDeadlineReminders(deps).catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
      const [row] = await db.select({ remindOn: deadline.remindOn }).from(deadline)
      if (row?.remindOn !== '2027-01-19') break
      expect(await committed()).toBe(0)
    }
    await sendDeadlineReminders(server.deps)
    expect(await committed()).toBe(1)
    at(weekBefore)
    await Promise.all([1, 2, 3].map(() => sendDeadlineReminders(server.deps)))
    expect(await committed()).toBe(2)
  })
})

describe('the calendar', () => {
  const address = async (replace = false, who = owner) =>
    ((await as(server, who)('member-feed', { replace })).body as { url: string }).url.replace(/\.xml$/, '.ics')
  const open = (url: string, headers: Record<string, string> = {}) => server.request(new URL(url).pathname, { headers })
  const eventsOf = async (url: string) =>
    new ICAL.Component(ICAL.parse(await (await open(url)).text()))
      .getAllSubcomponents('vevent')
      .map((each) => new ICAL.Event(each))

  test('has the open dates, each with its store and what prepares it, and follows changes', async () => {
    await seedContent(server.deps)
    const { input } = await save({ locationId: await addStore('Oak Avenue') })
    const other = await buildUser(server, paid)
    await save({}, other)
    const url = await address()
    const [event, ...more] = await eventsOf(url)
    expect(more).toEqual([])
    expect(event?.summary).toBe('Insurance certificate, Oak Avenue')
    expect(event?.description).toContain('/portal/weekly-drops/field-audit-prep#insurance-certificate')
    await save({ ...input, dueOn: '2027-03-21' })
    const [moved] = await eventsOf(url)
    expect(moved?.uid).toBe(event?.uid)
    expect(moved?.sequence).toBeGreaterThan(event?.sequence ?? 0)
    expect(moved?.startDate.toString()).toBe('2027-03-21')
    await save({ ...input, dueOn: '2027-03-21', done: true })
    expect(await eventsOf(url)).toEqual([])
  })

  test('is read again only if it changed, and not too often', async () => {
    await save()
    const url = await address()
    const first = await open(url)
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const tag = first.headers.get('etag') ?? ''
    expect((await open(url, { 'If-None-Match': tag })).status).toBe(304)
    await save()
    expect((await open(url, { 'If-None-Match': tag })).status).toBe(200)
    for (let reads = 3; reads < 120; reads += 1) await open(url)
    expect((await open(url)).status).toBe(429)
    server.clock.advance(60 * 60_000)
    expect((await open(url)).status).toBe(200)
  })

  test('opens by its newest address alone', async () => {
    const first = await address()
    expect((await open(first)).status).toBe(200)
    const second = await address(true)
    expect(second).not.toBe(first)
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200])
    const [, name = ''] = /feed\/(.+)\.ics$/.exec(second) ?? []
    const [userId, version, signature] = name.split('.')
    const guessed = [`${userId}.3.${signature}`, `${userId}.2`, `${crypto.randomUUID()}.${version}.${signature}`, 'x']
    for (const token of guessed) {
      expect((await open(second.replace(name, token))).status).toBe(404)
    }
  })

  test('is empty and says why once the plan ended, has the dates again with a new one, and ends with the account', async () => {
    const { db } = server.database
    await save()
    const url = await address()
    await db.update(subscriptionState).set({ status: 'canceled' })
    const answer = await open(url)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text.replaceAll('\r\n ', '')).toContain('Your plan has ended')
    expect(text).not.toContain('Insurance')
    await db.update(subscriptionState).set({ status: 'active' })
    expect(await eventsOf(url)).toHaveLength(1)
    await server.deps.database.db.transaction((tx) => deleteAccountRows(tx, owner.id))
    expect((await open(url)).status).toBe(404)
  })
})

describe('the kinds of dates', () => {
  test('come from content, until the publisher writes their own', async () => {
    await seedContent(server.deps)
    const shipped = (await read(owner)).kinds
    expect(shipped.find(({ id }) => id === 'insurance-certificate')).toMatchObject({ leadDays: 60, yearly: true })
    const admin = await buildUser(server, { role: 'owner' })
    const saved = async (text: string) => {
      const { body } = await as(server, admin)('admin-page-settings')
      const { version, values } = body as SettingsPage
      return as(server, admin)('admin-page-settings', {
        save: { version, values: { ...values, 'deadline-kinds': text } },
      })
    }
    const own =
      '## Oven inspection {#oven}\n\nLead time: 21 days\n\nEvery year\n\n[Read how](/portal/safety)\n\n## Rent\n\nLead time: 7 days'
    expect(await saved('## Oven inspection\n\nSoon')).toMatchObject({
      body: { problems: { 'deadline-kinds': 'Write a line “Lead time: 60 days” below “Oven inspection”.' } },
    })
    expect(await saved(own.replace('/portal/safety', '/portal/nowhere'))).toMatchObject({ status: 400 })
    expect((await saved(own)).status).toBe(200)
    expect((await read(owner)).kinds).toEqual([
      {
        id: 'oven',
        label: 'Oven inspection',
        leadDays: 21,
        yearly: true,
        prepare: { label: 'Read how', path: '/portal/safety' },
      },
      { id: 'rent', label: 'Rent', leadDays: 7, yearly: false, prepare: null },
    ])
  })
})
