import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { emailPreferences, mailings, newsletter } from '#server/db/schema/index.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { NewsletterFigures, StoredNewsletter } from '#shared/contracts/publishing/newsletters.ts'
import { addMailing } from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { suppress } from '../email-preferences/support.ts'
import { addNewsletter, isSubscribed, subscribe, toSave } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

const ask = (name: string, body: object) => call(server, name, body, owner.token)
const save = (more: object = {}) => ask('admin-save-newsletter', toSave(more))
const list = async () => (await ask('admin-newsletters', {})).body.items as StoredNewsletter[]
const refusal = async (answer: ReturnType<typeof ask>) => {
  const { status, body } = await answer
  return { status, message: String(body.error) }
}

describe('who gets a new newsletter', () => {
  test('is nobody unless the publisher says so', async () => {
    const { db } = server.database
    expect(await save()).toMatchObject({ status: 200 })
    const ann = await buildUser(server)
    expect([await isSubscribed(db, 1, owner.id), await isSubscribed(db, 1, ann.id)]).toEqual([null, null])
  })

  test('can be everyone who joins from then on, until it is retired', async () => {
    const { db } = server.database
    const before = await buildUser(server)
    await save({ subscribesNewMembers: true })
    const after = await buildUser(server)
    await ask('admin-retire-newsletter', { id: 1, version: 1, retired: true })
    const later = await buildUser(server)
    expect([before, after, later].map(({ id }) => id)).toHaveLength(3)
    expect(await isSubscribed(db, 1, before.id)).toBeNull()
    expect(await isSubscribed(db, 1, after.id)).toBe(true)
    expect(await isSubscribed(db, 1, later.id)).toBeNull()
  })

  test('can be today’s members, except those who turned off drops and news or asked for no email', async () => {
    const { db } = server.database
    const users = {
      ann: await buildUser(server),
      onlyNews: await buildUser(server),
      off: await buildUser(server),
      stopped: await buildUser(server),
      bounced: await buildUser(server),
    }
    const choice = (userId: string, drops: string, news: boolean) => ({ userId, drops, news, updatedAt: new Date() })
    await db
      .insert(emailPreferences)
      .values([choice(users.onlyNews.id, 'off', true), choice(users.off.id, 'off', false)])
    await suppress(server, users.stopped.email, 'all', 'unsubscribed')
    await suppress(server, users.bounced.email, 'all', 'hard_bounce')
    const { body } = await ask('admin-newsletter-figures', {})
    // With the owner.
    expect((body as NewsletterFigures).everyone).toBe(4)
    await save({ subscribesNewMembers: true, subscribesExisting: true })
    const chosen = await Promise.all(
      Object.entries(users).map(async ([name, { id }]) => [name, await isSubscribed(db, 1, id)]),
    )
    expect(Object.fromEntries(chosen)).toEqual({
      ann: true,
      onlyNews: true,
      off: null,
      stopped: null,
      bounced: true,
    })
    // A later save subscribes no one.
    await save({ id: 1, version: 1, subscribesExisting: true })
    expect(await isSubscribed(db, 1, users.off.id)).toBeNull()
  })
})

describe('saving', () => {
  test.each([
    [
      'a name that is taken',
      { name: 'RECIPES' },
      'There’s already a newsletter called “RECIPES”. Choose another name.',
    ],
    [
      'a name of the emails that come with it',
      { name: 'Weekly drops' },
      'Every reader knows “Weekly drops” already. Choose another name.',
    ],
    ['no name', { name: '  ' }, 'Enter a name'],
    [
      'a sender at another domain',
      { name: 'B', senderAddress: 'me@gmail.com' },
      /^Choose a sender address that ends in @/,
    ],
    ['a sender that is no address', { name: 'B', senderAddress: 'me' }, 'Enter a valid email address'],
  ])('refuses %s in one sentence', async (_, change, message) => {
    await save()
    const answer = await refusal(save(change))
    expect(answer).toEqual({ status: 400, message: expect.stringMatching(message) })
    expect(await list()).toHaveLength(1)
  })

  test('an older version doesn’t overwrite a newer one, and an unknown one isn’t made', async () => {
    await save()
    expect(await save({ id: 1, version: 1, name: 'Baking' })).toMatchObject({ status: 200 })
    expect(await save({ id: 1, version: 1, name: 'Cooking' })).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict' },
    })
    expect(await save({ id: 7, version: 1 })).toMatchObject({ status: 404 })
    expect(await list()).toMatchObject([{ name: 'Baking', version: 2, updatedBy: expect.any(String) }])
  })

  test('two owners at once: one saves, the other sees the newer version; one name is taken once', async () => {
    await save()
    const edits = await Promise.all(['A', 'B'].map((name) => save({ id: 1, version: 1, name })))
    expect(edits.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const made = await Promise.all([1, 2].map(() => save({ name: 'Twice' })))
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect((await list()).map(({ id }) => id)).toEqual([1, 2])
  })

  test('the order is stored, and names every newsletter in use', async () => {
    for (const name of ['A', 'B', 'C']) await save({ name })
    expect(await ask('admin-order-newsletters', { ids: [3, 1, 2] })).toMatchObject({ status: 200 })
    expect((await list()).map(({ name }) => name)).toEqual(['C', 'A', 'B'])
    expect(await ask('admin-order-newsletters', { ids: [3, 1] })).toMatchObject({ status: 409 })
  })

  test('editors and support see newsletters, and only owners change them', async () => {
    for (const role of ['editor', 'support'] as const) {
      const one = await buildUser(server, { role })
      expect(await call(server, 'admin-newsletters', {}, one.token)).toMatchObject({ status: 200 })
      expect(await call(server, 'admin-save-newsletter', toSave(), one.token)).toMatchObject({ status: 403 })
    }
  })
})

describe('retiring', () => {
  const mailingTo = (newsletterId: number, values: object = {}) =>
    addMailing(server.database, { kind: 'news', issueId: null, audience: { ...everyone, newsletterId }, ...values })
  const retire = (retired = true, version = 1) => ask('admin-retire-newsletter', { id: 1, version, retired })

  test.each([
    ['scheduled', 'is scheduled for Recipes. Unschedule it first, or wait until it’s sent.'],
    ['sending', 'is being sent to Recipes. Stop it first, or wait until it’s sent.'],
    ['paused', 'is being sent to Recipes. Stop it first, or wait until it’s sent.'],
  ])('is refused while a mailing is %s', async (status, words) => {
    await save()
    await mailingTo(1, { status, subject: 'Bread' })
    expect(await refusal(retire())).toEqual({ status: 400, message: `“Bread” ${words}` })
    expect(await list()).toMatchObject([{ retiredAt: null }])
  })

  test('keeps subscribers and mailings, frees the name, and can be undone if the name is free', async () => {
    const { db } = server.database
    await save()
    await subscribe(db, 1, owner.id)
    await mailingTo(1, { status: 'sent', startedAt: new Date('2026-11-01T00:00:00Z') })
    expect(await retire()).toMatchObject({ status: 200 })
    expect(await isSubscribed(db, 1, owner.id)).toBe(true)
    expect((await ask('admin-newsletter-figures', {})).body).toMatchObject({
      items: [{ id: 1, subscribed: 1, unsubscribed: 0, sent: 1, lastSentAt: '2026-11-01T00:00:00.000Z' }],
    })
    expect(await save()).toMatchObject({ status: 200 })
    expect(await refusal(retire(false, 2))).toMatchObject({ message: expect.stringContaining('already a newsletter') })
    await ask('admin-retire-newsletter', { id: 2, version: 1, retired: true })
    expect(await retire(false, 2)).toMatchObject({ status: 200 })
  })

  test('a draft to a retired newsletter keeps its text but can’t be sent, and no draft can choose it', async () => {
    await addNewsletter(server.database.db, { name: 'Old', retiredAt: new Date() })
    const content = {
      kind: 'news',
      subject: 'Bread',
      preheader: '',
      title: 'Bread',
      date: null,
      intro: 'Hi',
      sections: [],
      closing: '',
      path: null,
    }
    const id = await mailingTo(1, { status: 'draft', subject: 'Bread', content })
    const change = {
      id,
      version: 1,
      subject: 'Rolls',
      preheader: '',
      tracked: false,
      news: { title: 'Rolls', body: 'Hi' },
    }
    expect(await ask('admin-save-mailing', { ...change, audience: { ...everyone, newsletterId: 1 } })).toMatchObject({
      status: 200,
    })
    await subscribe(server.database.db, 1, owner.id)
    const acceptedErrors: string[] = []
    const checked = (await ask('admin-check-mailing', { id })).body as {
      problems: { message: string; place: string | null }[]
    }
    acceptedErrors.push(...checked.problems.map(({ message, place }) => (place ? `${place}: ${message}` : message)))
    expect(await refusal(ask('admin-send-mailing', { id, version: 2, at: null, acceptedErrors }))).toEqual({
      status: 400,
      message: '“Old” is retired. Choose another newsletter, or put it back in use first.',
    })
    expect(await server.database.db.select({ status: mailings.status }).from(mailings)).toEqual([{ status: 'draft' }])
    const other = await mailingTo(0, { status: 'draft', audience: everyone, content })
    const choose = (newsletterId: number) =>
      refusal(ask('admin-save-mailing', { ...change, id: other, audience: { ...everyone, newsletterId } }))
    expect(await choose(1)).toMatchObject({ status: 400, message: expect.stringContaining('“Old” is retired') })
    expect(await choose(99)).toEqual({ status: 400, message: 'This newsletter doesn’t exist. Choose another one.' })
  })

  test('at the same moment as a mailing is sent to it: one of the two happens', async () => {
    await save()
    await subscribe(server.database.db, 1, owner.id)
    const content = {
      kind: 'news',
      subject: 'Bread',
      preheader: '',
      title: 'Bread',
      date: null,
      intro: 'Hi',
      sections: [],
      closing: '',
      path: null,
    }
    const id = await mailingTo(1, { status: 'draft', subject: 'Bread', content })
    const { problems } = (await ask('admin-check-mailing', { id })).body as {
      problems: { message: string; place: string | null }[]
    }
    const acceptedErrors = problems.map(({ message, place }) => (place ? `${place}: ${message}` : message))
    const at = new Date(server.clock.now.getTime() + 86_400_000).toISOString()
    const [sent, retired] = await Promise.all([
      ask('admin-send-mailing', { id, version: 1, at, acceptedErrors }),
      retire(),
    ])
    expect([sent.status, retired.status].toSorted()).toEqual([200, 400])
    const [row] = await server.database.db.select().from(newsletter).where(eq(newsletter.id, 1))
    const [mailing] = await server.database.db.select().from(mailings)
    expect(mailing?.status).toBe(row?.retiredAt ? 'draft' : 'scheduled')
  })
})
