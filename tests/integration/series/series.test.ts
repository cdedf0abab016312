import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import {
  deliveries,
  emailPreferences,
  mailings,
  memberTags,
  seriesEntry,
  seriesEvent,
  seriesStepResult,
  subscriptionState,
  users,
  webhookEndpoints,
  webhookEvents,
} from '#server/db/schema/index.ts'
import { runBatch } from '#server/features/operations/series/run-due-steps.ts'
import { setFreeEdition } from '#server/features/publishing/email-preferences/stored-email-choices.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter, Killed } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { sendingDeps, smtpNewsletterMailer, until } from '../mailings/sending/support.ts'
import { createSeriesHelpers, dayMs, draft, email, filter, hourMs, runMinute, stepId, wait } from './support.ts'

const server = openForTests(() => createTestApp())
/** A Wednesday, 10 AM in New York. */
const start = new Date('2026-11-25T15:00:00Z')
let owner: TestUser
let helpers: ReturnType<typeof createSeriesHelpers>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  owner = await buildUser(server, { admin: true })
  helpers = createSeriesHelpers(server, () => owner)
})

const later = (ms: number) => {
  server.clock.now = new Date(start.getTime() + ms)
}
const minute = (deps = server.deps) => runMinute(deps)

/** Someone who asks for the free edition now. */
async function signUp(options: UserOptions = {}) {
  const user = await buildUser(server, options)
  await server.database.db.transaction(async (tx) => {
    await tx.insert(emailPreferences).values({ userId: user.id, updatedAt: server.clock.now })
    await setFreeEdition(tx, user.id, server.clock.now)
  })
  return user
}

describe('A series', () => {
  test('sends each step once, in order, each after its wait', async () => {
    const steps = [email(1), wait(2, 3), email(3), wait(4, 4), email(5)]
    await helpers.turnOn(draft({ steps }))
    const mia = await signUp()
    const expected: [days: number, subjects: string[]][] = [
      [0, ['Email 1']],
      [2.9, ['Email 1']],
      [3, ['Email 1', 'Email 3']],
      [6.9, ['Email 1', 'Email 3']],
      [7, ['Email 1', 'Email 3', 'Email 5']],
      [100, ['Email 1', 'Email 3', 'Email 5']],
      // The clock is set back.
      [1, ['Email 1', 'Email 3', 'Email 5']],
    ]
    for (const [days, subjects] of expected) {
      later(days * dayMs)
      await minute()
      await minute()
      expect(await helpers.delivered()).toEqual({ [mia.email]: subjects })
    }
    expect(await helpers.entries()).toMatchObject([{ userId: mia.id, dueAt: null, endReason: 'finished' }])
  })

  test('is off at first: no one enters, also later, by what happened before', async () => {
    const saved = await helpers.save(draft({ steps: [email(1)] }))
    await signUp()
    expect((await helpers.setStatus(saved, 'on')).status).toBe(200)
    await minute()
    expect(await helpers.delivered()).toEqual({})
  })

  test('delivers through the newsletter’s sender, with one-click unsubscribe from product news', async () => {
    const smtp = await startSmtpServer()
    const mailer = smtpNewsletterMailer(smtp.url)
    const sender = await startSender(
      { ...sendingDeps(server.database, mailer, server.deps.clock), secrets: server.deps.secrets },
      { idleMs: 20 },
    )
    try {
      await helpers.turnOn(draft({ steps: [email(1, 'Hello {{first_name|there}}.'), wait(2, 1), email(1 + 2)] }))
      const mia = await signUp({ data: { full_name: 'Mia Low' } })
      await minute()
      await until(() => smtp.received.length === 1)
      expect(smtp.received[0]?.to).toBe(mia.email)
      const text = smtp.received[0]?.raw.toString() ?? ''
      expect(text).toMatch(/Hello=20=\r\nMia/)
      expect(text).toMatch(/List-Unsubscribe: <http.*one-click/)
      // A later member gets the same mailing.
      const zoe = await signUp()
      await minute()
      await until(() => smtp.received.length === 2)
      expect(smtp.received[1]?.to).toBe(zoe.email)
      expect(await server.database.db.$count(mailings)).toBe(1)
    } finally {
      await sender.stop(1_000)
      await smtp.close()
    }
  })

  test('sends nothing to members who turned product news off, whose address isn’t confirmed or bounces', async () => {
    await helpers.turnOn(draft({ trigger: { kind: 'tried' }, steps: [email(1)] }))
    const off = await signUp()
    const unconfirmed = await buildUser(server, { confirmed: false })
    const fine = await signUp()
    await server.database.db.update(emailPreferences).set({ news: false }).where(eq(emailPreferences.userId, off.id))
    const happened = [off, unconfirmed, fine].map(({ id }) => ({ kind: 'tried', userId: id, at: start }))
    await server.database.db.insert(seriesEvent).values(happened)
    await minute()
    expect(await helpers.delivered()).toEqual({
      [off.email]: ['Email 1: unsubscribed'],
      [unconfirmed.email]: ['Email 1: unconfirmed'],
      [fine.email]: ['Email 1'],
    })
  })

  test('is entered once by one person, or again after the days that the publisher allows', async () => {
    await helpers.turnOn(draft({ trigger: { kind: 'tried' }, steps: [email(1)] }))
    await helpers.turnOn(draft({ name: 'Again', trigger: { kind: 'tried' }, steps: [email(2)], reentryDays: 30 }))
    const mia = await signUp()
    for (const days of [0, 1, 29, 30, 31]) {
      later(days * dayMs)
      await server.database.db.insert(seriesEvent).values({ kind: 'tried', userId: mia.id, at: server.clock.now })
      await minute()
    }
    const subjects = (await helpers.delivered())[mia.email]
    expect(subjects?.toSorted()).toEqual(['Email 1', 'Email 2', 'Email 2'])
  })

  test('ends early for those who match its end, before their next step', async () => {
    const leavesWhen = filter({ statuses: ['active'] })
    await helpers.turnOn(draft({ steps: [email(1), wait(2, 3), email(3)], leavesWhen }))
    const mia = await signUp()
    await minute()
    const ids = server.deps.config.stripe.ids.pro_monthly
    const until = new Date(start.getTime() + 30 * dayMs)
    await server.database.db.insert(subscriptionState).values({
      userId: mia.id,
      status: 'active',
      productId: ids.productId,
      priceId: ids.priceId,
      currentPeriodEnd: until,
      entitledUntil: until,
      syncSeq: 1,
      syncedAt: start,
    })
    later(3 * dayMs)
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'] })
    expect(await helpers.entries()).toMatchObject([{ stepId: stepId(2), dueAt: null, endReason: 'left' }])
  })

  test('branches on conditions, changes tags and tells webhooks', async () => {
    await server.database.db.insert(webhookEndpoints).values({
      id: crypto.randomUUID(),
      url: 'https://example.com/hook',
      events: ['series.step_reached'],
      sealedSecret: server.deps.secrets.seal('webhook secret', 'secret'),
      createdAt: start,
    })
    await helpers.turnOn(
      draft({
        steps: [
          { kind: 'condition', id: stepId(1), filter: filter({ focusAreas: ['Marketing'] }), otherwise: 'skip' },
          email(2),
          { kind: 'tag', id: stepId(3), tag: 'welcomed', change: 'add' },
          { kind: 'condition', id: stepId(4), filter: filter({ tags: ['welcomed'] }), otherwise: 'end' },
          { kind: 'webhook', id: stepId(5) },
          { kind: 'tag', id: stepId(6), tag: 'welcomed', change: 'remove' },
          { kind: 'condition', id: stepId(7), filter: filter({ tags: ['welcomed'] }), otherwise: 'end' },
          email(8),
        ],
      }),
    )
    const mia = await signUp({ preferences: { focusAreas: ['Marketing'] } })
    await signUp({ preferences: { focusAreas: ['Operations'] } })
    for (let runs = 0; runs < 4; runs += 1) await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 2'] })
    expect(await server.database.db.$count(memberTags)).toBe(0)
    const events = await server.database.db.select({ type: webhookEvents.type }).from(webhookEvents)
    expect(events).toEqual(Array(2).fill({ type: 'series.step_reached' }))
    const ended = (await helpers.entries()).map(({ endReason, stepId: step }) => [endReason, step])
    expect(ended).toEqual(Array(2).fill(['condition', stepId(7)]))
    const { body } = await helpers.invoke('admin-series', { id: (await helpers.entries())[0]?.seriesId })
    expect(body).toMatchObject({
      totals: { entered: 2, inside: 0, finished: 0, left: 0, condition: 2 },
      stepNumbers: [
        { numbers: { matched: 1, otherwise: 1 } },
        { numbers: { pending: 1 } },
        { numbers: { done: 2 } },
        { numbers: { matched: 2 } },
        { numbers: { done: 2 } },
        { numbers: { done: 2 } },
        { numbers: { otherwise: 2, left: 2 } },
        { numbers: {} },
      ],
    })
  })

  test('waits for a weekday and hour in the member’s time zone', async () => {
    await helpers.turnOn(draft({ steps: [{ kind: 'until', id: stepId(1), weekday: 1, hour: 8 }, email(2)] }))
    const mia = await signUp()
    await server.database.db
      .update(emailPreferences)
      .set({ timeZone: 'America/Los_Angeles' })
      .where(eq(emailPreferences.userId, mia.id))
    await minute()
    expect(await helpers.entries()).toMatchObject([{ dueAt: new Date('2026-11-30T16:00:00Z') }])
  })
})

describe('A series that is edited', () => {
  test('moves those who wait in a deleted step on to the next one, and sends nothing again', async () => {
    const steps = [email(1), wait(2, 30), email(3), wait(4, 1), email(5)]
    const saved = await helpers.turnOn(draft({ steps }))
    const mia = await signUp()
    await minute()
    const edited = draft({ ...saved, steps: [email(1, 'A new text.'), email(3), wait(4, 1), email(5)] })
    const { body } = await helpers.invoke('admin-save-series', edited)
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1', 'Email 3'] })
    // Moved to the end, the first email isn't sent again.
    const moved = draft({ ...body, steps: [wait(4, 1), email(5), email(1, 'Another text.')] })
    expect((await helpers.invoke('admin-save-series', moved)).status).toBe(200)
    later(2 * dayMs)
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1', 'Email 3', 'Email 5'] })
    expect(await helpers.entries()).toMatchObject([{ endReason: 'finished' }])
  })

  test('refuses a version that someone else has changed, and errors of the checks while it is on', async () => {
    const saved = await helpers.turnOn(draft({ steps: [email(1)] }))
    const stale = await helpers.invoke('admin-save-series', draft({ ...saved, version: 0, steps: [email(1)] }))
    expect(stale).toMatchObject({ status: 409, body: { code: 'series_changed' } })
    const unknown = email(1, 'Hello {{nickname}}.')
    const invalid = await helpers.invoke('admin-save-series', draft({ ...saved, steps: [unknown] }))
    expect(invalid.body).toMatchObject({ code: 'mailing_has_errors' })
    const taken = await helpers.invoke('admin-save-series', draft({ steps: [unknown] }))
    expect(taken.body).toMatchObject({ code: 'name_taken' })
    const off = await helpers.save(draft({ name: 'Off', steps: [unknown] }))
    expect((await helpers.setStatus(off, 'on')).body).toMatchObject({ code: 'mailing_has_errors' })
  })

  test('paused, holds everyone and every email in the queue until it is on again', async () => {
    const saved = await helpers.turnOn(draft({ steps: [email(1), wait(2, 1), email(3)] }))
    const mia = await signUp()
    await minute()
    expect((await helpers.setStatus(saved, 'paused')).status).toBe(200)
    expect(await server.database.db.select({ status: mailings.status }).from(mailings)).toEqual([{ status: 'paused' }])
    later(2 * dayMs)
    const zoe = await signUp()
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'] })
    // Turning on asks for a recent sign-in.
    owner = await buildUser(server, { admin: true })
    expect((await helpers.setStatus(saved, 'on')).status).toBe(200)
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1', 'Email 3'], [zoe.email]: ['Email 1'] })
    const statuses = await server.database.db.select({ status: mailings.status }).from(mailings)
    expect(statuses).toEqual([{ status: 'sending' }, { status: 'sending' }])
  })

  test('can be deleted unless it is on, which stops its emails in the queue', async () => {
    const saved = await helpers.turnOn(draft({ steps: [email(1)] }))
    await signUp()
    await minute()
    expect((await helpers.invoke('admin-delete-series', { id: saved.id })).body).toMatchObject({ code: 'series_is_on' })
    await helpers.setStatus(saved, 'paused')
    expect((await helpers.invoke('admin-delete-series', { id: saved.id })).status).toBe(200)
    expect(await server.database.db.select({ status: mailings.status }).from(mailings)).toEqual([{ status: 'stopped' }])
    expect(await helpers.entries()).toEqual([])
  })
})

describe('The trigger', () => {
  test('of inactivity lets members enter on the day, once, and no one who was away before', async () => {
    const active = (id: string, at: Date) =>
      server.database.db.update(users).set({ lastSignInAt: at }).where(eq(users.id, id))
    await active(owner.id, start)
    const away = await buildUser(server)
    await active(away.id, new Date(start.getTime() - 40 * dayMs))
    const mia = await buildUser(server)
    await active(mia.id, new Date(start.getTime() - 29 * dayMs))
    await helpers.turnOn(draft({ trigger: { kind: 'inactive', days: 30 }, steps: [email(1)] }))
    await minute()
    expect(await helpers.delivered()).toEqual({})
    for (const days of [1.1, 1.2, 5]) {
      later(days * dayMs)
      await minute()
      expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'] })
    }
  })

  test('before a renewal lets members enter that many days before it', async () => {
    const mia = await buildUser(server, { subscription: 'active' })
    await helpers.turnOn(draft({ trigger: { kind: 'before_renewal', days: 14 }, steps: [email(1)] }))
    for (const [days, subjects] of [
      [0, {}],
      [5.9, {}],
      [6.1, { [mia.email]: ['Email 1'] }],
      [7, { [mia.email]: ['Email 1'] }],
    ] as const) {
      later(days * dayMs)
      await minute()
      expect(await helpers.delivered()).toEqual(subjects)
    }
  })

  test('of a free sign-up is recorded once, and only while a series waits for it', async () => {
    const mia = await signUp()
    expect(await server.database.db.$count(seriesEvent)).toBe(0)
    await helpers.turnOn(draft({ steps: [email(1)] }))
    const zoe = await signUp()
    await server.database.db.transaction((tx) => setFreeEdition(tx, zoe.id, server.clock.now))
    await server.database.db.transaction((tx) => setFreeEdition(tx, mia.id, server.clock.now))
    expect(await server.database.db.$count(seriesEvent)).toBe(1)
  })
})

describe('With crashes and several nodes', () => {
  test('a kill between any two statements loses and repeats nothing', async () => {
    const steps = [
      email(1),
      { kind: 'tag', id: stepId(2), tag: 'a', change: 'add' } as const,
      email(3),
      wait(4, 1),
      email(5),
    ]
    await helpers.turnOn(draft({ steps }))
    const people = [await signUp(), await signUp()]
    for (const day of [0, 1]) {
      later(day * dayMs)
      for (let moments = 0; ; moments += 1) {
        const dying = dyingAfter(server.database.db, moments)
        const deps = { ...server.deps, database: { ...server.database, db: dying.db } }
        const ended = await minute(deps).then(
          ({ moved }) => moved === 0 && dying.used() < moments,
          (error: unknown) => {
            expect(error).toBeInstanceOf(Killed)
            return false
          },
        )
        if (ended) break
        expect(moments).toBeLessThan(300)
      }
    }
    const subjects = ['Email 1', 'Email 3', 'Email 5']
    expect(await helpers.delivered()).toEqual(Object.fromEntries(people.map((each) => [each.email, subjects])))
    expect((await helpers.entries()).map(({ endReason }) => endReason)).toEqual(['finished', 'finished'])
  })

  test('workers at the same time send each step once', async () => {
    const { id } = await helpers.turnOn(draft({ steps: [email(1), wait(2, 1), email(3)] }))
    const people = await Promise.all(Array.from({ length: 6 }, () => signUp()))
    for (const day of [0, 1]) {
      later(day * dayMs)
      await Promise.all([minute(), minute(), minute()])
      await Promise.all([runBatch(server.deps, id), runBatch(server.deps, id)])
      await minute()
    }
    const subjects = ['Email 1', 'Email 3']
    expect(await helpers.delivered()).toEqual(Object.fromEntries(people.map((each) => [each.email, subjects])))
  })

  const crowd = caseCount(1_500, 10_000)
  test(`${crowd} people who enter in a minute are moved in batches`, { timeout: 180_000 }, async () => {
    await helpers.turnOn(draft({ steps: [wait(1, 1), email(2)] }))
    await server.database.db.execute(sql`
      insert into auth.users (id, email, email_confirmed_at, created_at, updated_at)
      select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'r' || n || '@example.test', now(), now(), now()
      from generate_series(1, ${crowd}::int) as n`)
    await server.database.db.execute(sql`insert into series_event (kind, user_id, at)
      select 'free_sign_up', id, now() from auth.users where email ~ '^r[0-9]+@'`)
    const { moved } = await minute()
    expect(moved).toBe(crowd)
    const waiting = await server.database.db.$count(seriesEntry, eq(seriesEntry.stepId, stepId(1)))
    expect(waiting).toBe(crowd)
    later(dayMs + hourMs)
    await minute()
    expect(await server.database.db.$count(deliveries)).toBe(crowd)
    expect(await server.database.db.$count(seriesStepResult)).toBe(2 * crowd)
  })

  test('an account that is deleted is out of the series', async () => {
    await helpers.turnOn(draft({ steps: [email(1), wait(2, 1), email(3)] }))
    const mia = await signUp()
    await minute()
    await server.database.db.transaction(async (tx) => deleteAccountRows(tx, mia.id))
    expect(await helpers.entries()).toEqual([])
    expect(await helpers.results()).toEqual([])
  })
})

describe('The publisher', () => {
  test('sees the members behind each number', async () => {
    const { id } = await helpers.turnOn(draft({ steps: [email(1), wait(2, 1), email(3)] }))
    const mia = await signUp()
    await minute()
    const { body } = await helpers.invoke('admin-series', { id })
    expect(body).toMatchObject({
      status: 'on',
      totals: { entered: 1, inside: 1 },
      stepNumbers: [{ numbers: { pending: 1 } }, { numbers: { waiting: 1 } }, { numbers: {} }],
    })
    const groups = [
      { stepId: stepId(1), group: 'pending' },
      { stepId: stepId(2), group: 'waiting' },
      { group: 'inside' },
    ]
    for (const of of groups) {
      const list = await helpers.invoke('admin-series-members', { id, of })
      expect(list.body).toMatchObject({ items: [{ userId: mia.id, email: mia.email }], nextCursor: null })
    }
    const none = await helpers.invoke('admin-series-members', { id, of: { stepId: stepId(3), group: 'clicked' } })
    expect(none.body).toEqual({ items: [], nextCursor: null })
    expect((await helpers.invoke('admin-series-list', {})).body).toMatchObject({ items: [{ id, emails: 2 }] })
  })

  test('isn’t turned on, or saved once it was, with a condition that everyone passes', async () => {
    const only = (chosen: object) =>
      ({ kind: 'condition', id: stepId(2), filter: filter(chosen), otherwise: 'end' }) as const
    const steps = (chosen: object) => ({ steps: [email(1), only(chosen), email(3)] })
    const refused = { status: 400, body: { error: expect.stringContaining('A condition has no filter') } }
    const off = await helpers.save(draft(steps({})))
    expect(await helpers.invoke('admin-set-series-status', { ...off, status: 'on' })).toMatchObject(refused)
    const on = await helpers.turnOn(draft({ name: 'Only', ...steps({ tags: ['seen'] }) }))
    const edited = { ...draft({ name: 'Only', ...steps({}) }), id: on.id, version: on.version }
    expect(await helpers.invoke('admin-save-series', edited)).toMatchObject(refused)
  })

  test('previews a member’s way and the email that they would get, which changes nothing', async () => {
    const only = {
      kind: 'condition',
      id: stepId(4),
      filter: filter({ focusAreas: ['Marketing'] }),
      otherwise: 'skip',
    } as const
    const saved = await helpers.save(
      draft({ steps: [email(1, 'Hello {{first_name|there}}.'), wait(2, 3), only, email(5), email(6)] }),
    )
    const mia = await buildUser(server, { data: { full_name: 'Mia Low' } })
    const { body } = await helpers.invoke('admin-preview-series', { id: saved.id, userId: mia.id })
    expect(body).toEqual({
      leaves: false,
      steps: [
        [1, 'sent', 0],
        [2, 'waited', 3],
        [4, 'otherwise', 3],
        [5, 'skipped', 3],
        [6, 'sent', 3],
      ].map(([n, outcome, days]) => ({
        stepId: stepId(Number(n)),
        outcome,
        at: new Date(start.getTime() + Number(days) * dayMs).toISOString(),
      })),
    })
    const email1 = { id: saved.id, stepId: stepId(1) }
    const preview = await helpers.invoke('admin-preview-series-email', { ...email1, as: { userId: mia.id } })
    expect(preview.body).toMatchObject({ subject: 'Email 1', text: expect.stringContaining('Hello Mia.') })
    expect(await helpers.entries()).toEqual([])
  })
})

test('a running series is saved only by someone who has just confirmed it’s them', async () => {
  const saved = await helpers.turnOn(draft({ name: 'Sensitive', steps: [email(1)] }))
  server.clock.advance(hourMs / 3)
  const edited = draft({ ...saved, name: 'Sensitive', steps: [email(1, 'Another text.')] })
  expect((await helpers.invoke('admin-save-series', edited)).body).toMatchObject({ code: 'step_up_required' })
  const off = await helpers.save(draft({ name: 'Not running', steps: [email(1)] }))
  expect(
    await helpers.invoke('admin-save-series', draft({ ...off, name: 'Not running', steps: [email(2)] })),
  ).toMatchObject({
    status: 200,
  })
})
