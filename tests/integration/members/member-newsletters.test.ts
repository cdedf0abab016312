import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { emailPreferences, newsletter, suppressions } from '#server/db/schema/index.ts'
import type { MemberNewsletter } from '#shared/contracts/operations/member-newsletters.ts'
import { ageAuthentication, auditEntries, minuteMs } from '#tests/integration/account/support.ts'
import { addNewsletter, isSubscribed, subscribe } from '#tests/integration/newsletters/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const database = () => server.database.db
let admin: TestUser
let mia: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30Z')
  admin = await buildUser(server, { admin: true, email: 'ada@example.test' })
  mia = await buildUser(server, { email: 'mia@example.test' })
})

const ask = (name: string, body: object, who = admin) => call(server, name, body, who.token)
const list = async () =>
  (await ask('admin-member-newsletters', { userId: mia.id })).body.items as readonly MemberNewsletter[]
const find = async (stream: string) => (await list()).find((each) => each.stream === stream)
const turn = (stream: string, subscribed: boolean, who = admin, memberAsked = subscribed) =>
  ask('admin-set-member-newsletter', { userId: mia.id, stream, subscribed, memberAsked }, who)
const choose = (choices: object) =>
  ask('save-email-preferences', { drops: 'weekly', news: true, allowsTracking: false, ...choices }, mia)

test('shows drops, news and the publisher’s newsletters in use', async () => {
  await addNewsletter(database(), { id: 1, membersOnly: true })
  await addNewsletter(database(), { id: 2, retiredAt: new Date() })
  expect(await list()).toEqual([
    { stream: 'drops', name: 'Weekly drops', membersOnly: false, status: 'on', changed: null, suppressed: null },
    { stream: 'news', name: 'Product news', membersOnly: false, status: 'on', changed: null, suppressed: null },
    { stream: 'newsletter:1', name: 'Recipes 1', membersOnly: true, status: 'never', changed: null, suppressed: null },
  ])
})

test('says when the member unsubscribed, and that staff turned it off if they did', async () => {
  await addNewsletter(database())
  await choose({ newsletters: [{ id: 1, subscribed: true }] })
  await choose({ newsletters: [{ id: 1, subscribed: false }] })
  const own = { at: '2026-11-21T10:20:30.000Z', isExact: true, by: null }
  expect(await find('newsletter:1')).toMatchObject({ status: 'off', changed: own })

  server.clock.advance(minuteMs)
  expect(await turn('newsletter:1', true)).toMatchObject({ status: 200 })
  const staff = { at: '2026-11-21T10:21:30.000Z', isExact: true, by: 'ada@example.test' }
  expect(await find('newsletter:1')).toMatchObject({ status: 'on', changed: staff })

  server.clock.advance(minuteMs)
  await choose({ newsletters: [{ id: 1, subscribed: false }] })
  expect(await find('newsletter:1')).toMatchObject({
    status: 'off',
    changed: { ...own, at: '2026-11-21T10:22:30.000Z' },
  })
})

test('drops and news turn off and on, and share the date of unsubscribing', async () => {
  await choose({ news: false })
  expect(await find('news')).toMatchObject({ status: 'off', changed: { isExact: true, by: null } })
  server.clock.advance(minuteMs)
  expect(await turn('drops', false)).toMatchObject({ status: 200 })
  expect(await find('drops')).toMatchObject({ status: 'off', changed: { by: 'ada@example.test', isExact: true } })
  expect(await find('news')).toMatchObject({ changed: { by: null, isExact: false, at: '2026-11-21T10:21:30.000Z' } })
  await turn('drops', true)
  await turn('news', true)
  const [row] = await database().select().from(emailPreferences).where(eq(emailPreferences.userId, mia.id))
  expect(row).toMatchObject({ drops: 'weekly', news: true, unsubscribedAt: null })
})

test('turning on needs the word of staff that the member asked for it', async () => {
  await addNewsletter(database())
  await subscribe(database(), 1, mia.id, false)
  expect(await turn('newsletter:1', true, admin, false)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('asked for it') },
  })
  expect(await isSubscribed(database(), 1, mia.id)).toBe(false)
  await turn('newsletter:1', true)
  expect(await auditEntries(server, 'member_newsletter_changed')).toMatchObject([
    {
      by: 'ada@example.test',
      user_id: mia.id,
      note: 'The member asked for it',
      object: { kind: 'newsletter', id: 'newsletter:1', name: 'Recipes 1' },
      changes: [{ field: 'Recipes 1', before: 'no', after: 'yes' }],
    },
  ])
})

test('suppressions after bounces and complaints stay', async () => {
  await addNewsletter(database())
  const since = new Date('2026-10-01T00:00:00Z')
  await database()
    .insert(suppressions)
    .values([
      { email: mia.email, stream: 'newsletter:1', reason: 'complaint', createdAt: since },
      { email: mia.email, stream: 'all', reason: 'hard_bounce', createdAt: since, liftedAt: since },
    ])
  await turn('newsletter:1', true)
  expect(await find('newsletter:1')).toMatchObject({
    status: 'on',
    suppressed: { reason: 'complaint', since: since.toISOString() },
  })
  expect(await find('news')).toMatchObject({ suppressed: null })
  const active = await database().select().from(suppressions).where(eq(suppressions.reason, 'complaint'))
  expect(active).toMatchObject([{ liftedAt: null }])
})

test('two clicks at once record one change', async () => {
  await addNewsletter(database())
  const answers = await Promise.all([turn('newsletter:1', true), turn('newsletter:1', true)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await auditEntries(server, 'member_newsletter_changed')).toHaveLength(1)
})

test('a retired newsletter, an unknown one and a missing account are refused', async () => {
  await addNewsletter(database())
  await database().update(newsletter).set({ retiredAt: new Date() })
  for (const stream of ['newsletter:1', 'newsletter:9']) {
    expect(await turn(stream, true)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('isn’t sent') },
    })
  }
  expect(await turn('assignments', true)).toMatchObject({ status: 400 })
  const userId = crypto.randomUUID()
  expect(await ask('admin-member-newsletters', { userId })).toMatchObject({ status: 404 })
  expect(await ask('admin-set-member-newsletter', { userId, stream: 'news', subscribed: false })).toMatchObject({
    status: 404,
  })
})

test('support does it for members and not for staff; editors and members can’t', async () => {
  const support = await buildUser(server, { role: 'support' })
  const editor = await buildUser(server, { role: 'editor' })
  expect(await turn('news', false, support)).toMatchObject({ status: 200 })
  expect(await turn('news', true, editor)).toMatchObject({ status: 403 })
  expect(await turn('news', true, mia)).toMatchObject({ status: 403 })
  expect(
    await ask('admin-set-member-newsletter', { userId: admin.id, stream: 'news', subscribed: false }, support),
  ).toMatchObject({ body: { code: 'staff_account' } })
  await ageAuthentication(server, admin)
  expect(await turn('news', true)).toMatchObject({ body: { code: 'step_up_required' } })
})
