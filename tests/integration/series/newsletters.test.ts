import { beforeEach, describe, expect, test } from 'vitest'
import { contentItems, emailPreferences, newsletter, seriesEvent, tries } from '#server/db/schema/index.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { sendingDeps, smtpNewsletterMailer, until } from '../mailings/sending/support.ts'
import { addNewsletter, isSubscribed, subscribe } from '../newsletters/support.ts'
import { createSeriesHelpers, dayMs, draft, email, filter, runMinute, stepId } from './support.ts'

const server = openForTests(() => createTestApp())
const start = new Date('2026-11-25T15:00:00Z')
let owner: TestUser
let helpers: ReturnType<typeof createSeriesHelpers>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  owner = await buildUser(server, { admin: true })
  helpers = createSeriesHelpers(server, () => owner)
})

const enter = async (...users: TestUser[]) => {
  await server.database.db
    .insert(seriesEvent)
    .values(users.map(({ id }) => ({ kind: 'tried', userId: id, at: server.clock.now })))
  await runMinute(server.deps)
}
const onTry = { kind: 'tried' } as const
const recipes = (n: number) => ({ ...email(n), newsletterId: 1 })

describe('An email of a series that belongs to a newsletter', () => {
  test('goes to its subscribers from its sender, and its link unsubscribes from it alone', async () => {
    const { db } = server.database
    await addNewsletter(db, { senderName: 'Recipes of Ann', senderAddress: 'recipes@frontcounter.test' })
    const [mia, zoe, bob] = [await buildUser(server), await buildUser(server), await buildUser(server)]
    await subscribe(db, 1, mia.id)
    await subscribe(db, 1, zoe.id, false)
    await helpers.turnOn(draft({ trigger: onTry, steps: [recipes(1), email(2)] }))
    const smtp = await startSmtpServer()
    const sender = await startSender(
      {
        ...sendingDeps(server.database, smtpNewsletterMailer(smtp.url), server.deps.clock),
        secrets: server.deps.secrets,
      },
      { idleMs: 20 },
    )
    try {
      await enter(mia, zoe, bob)
      await until(() => smtp.received.length === 4)
    } finally {
      await sender.stop(1_000)
      await smtp.close()
    }
    const delivered = await helpers.delivered()
    expect(delivered[mia.email]).toEqual(['Email 1: submitted', 'Email 2: submitted'])
    for (const { email: address } of [zoe, bob]) {
      expect(delivered[address]).toEqual(['Email 1: unsubscribed', 'Email 2: submitted'])
    }
    const texts = smtp.received.map(({ raw }) => raw.toString())
    const ofRecipes = texts.filter((text) => text.includes('Subject: Email 1'))
    expect(ofRecipes).toHaveLength(1)
    expect(ofRecipes[0]).toMatch(/From: "?Recipes of Ann"? <recipes@frontcounter.test>/)
    const link = /List-Unsubscribe: <(?<link>[^>]+)>/.exec((ofRecipes[0] ?? '').replaceAll('\r\n ', ''))?.groups?.link
    const { pathname, search } = new URL(link ?? '')
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await server.request(pathname + search, { method: 'POST', body })).status).toBe(200)
    expect(await isSubscribed(db, 1, mia.id)).toBe(false)
    expect(await db.select({ news: emailPreferences.news }).from(emailPreferences)).not.toContainEqual({ news: false })
  })

  test('can’t be of a retired newsletter, and none is retired while a series sends it', async () => {
    await addNewsletter(server.database.db)
    const off = await helpers.save(draft({ trigger: onTry, steps: [recipes(1)], name: 'Off' }))
    const saved = await helpers.turnOn(draft({ trigger: onTry, steps: [recipes(1)] }))
    const retire = () => helpers.invoke('admin-retire-newsletter', { id: 1, version: 1, retired: true })
    expect((await retire()).body).toMatchObject({ error: expect.stringContaining('Welcome') })
    const changed = await helpers.invoke('admin-save-series', draft({ ...saved, trigger: onTry, steps: [email(1)] }))
    expect(changed.status).toBe(200)
    expect((await retire()).status).toBe(200)
    const refused = { code: 'validation_failed', error: expect.stringContaining('no longer used') }
    expect((await helpers.setStatus(off, 'on')).body).toMatchObject(refused)
    const again = draft({ ...changed.body, trigger: onTry, steps: [recipes(1)] })
    expect((await helpers.invoke('admin-save-series', again)).body).toMatchObject(refused)
    expect(await server.database.db.$count(newsletter)).toBe(1)
  })

  test('that moves to a newsletter later isn’t sent again', async () => {
    await addNewsletter(server.database.db)
    const saved = await helpers.turnOn(draft({ trigger: onTry, steps: [email(1)] }))
    const [mia, zoe] = [await buildUser(server), await buildUser(server)]
    for (const { id } of [mia, zoe]) await subscribe(server.database.db, 1, id)
    await enter(mia)
    await helpers.invoke('admin-save-series', draft({ ...saved, trigger: onTry, steps: [recipes(1)] }))
    await enter(mia, zoe)
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'], [zoe.email]: ['Email 1'] })
  })
})

test('A condition tells who tried something lately, and not what they took back', async () => {
  const { db } = server.database
  const item = { kind: 'prompt', id: 'p', title: 'P', path: '/', publishedAt: start, changedAt: start } as const
  await db.insert(contentItems).values(item)
  const [mia, zoe, bob] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const before = (days: number) => new Date(start.getTime() - days * dayMs)
  const tried = { kind: 'prompt', itemId: 'p' } as const
  await db.insert(tries).values([
    { ...tried, userId: mia.id, startedAt: before(20), answeredAt: before(3) },
    { ...tried, userId: zoe.id, startedAt: before(10) },
    { ...tried, userId: bob.id, startedAt: before(2), removedAt: before(1) },
  ])
  const engagement = { kind: 'tried', within: true, days: 7 }
  const only = { kind: 'condition', id: stepId(1), filter: filter({ engagement }), otherwise: 'end' } as const
  await helpers.turnOn(draft({ trigger: onTry, steps: [only, email(2)] }))
  await enter(mia, zoe, bob)
  expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 2'] })
})
