import { eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliveries, mailings, newsletter, suppressions, users } from '#server/db/schema/index.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import { claimBatch, firstPosition } from '#server/features/publishing/mailings/sending/claim-batch.ts'
import { createDeliveryComposer } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import { findMailing } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import { addIssue, addMailing, sums } from '#tests/integration/mailings/sending/support.ts'
import { check, run } from '#tests/integration/member-import/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { choicesOf, deliver, pathOf } from '../email-preferences/support.ts'
import { addNewsletter, isSubscribed, subscribe } from './support.ts'

const server = openForTests(() => createTestApp())
let ann: TestUser
let ben: TestUser

beforeEach(async () => {
  await server.database.truncate()
  ann = await buildUser(server, { email: 'ann@example.test', subscription: 'active' })
  ben = await buildUser(server, { email: 'ben@example.test' })
})

const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
const post = (path: string) => server.request(path, { method: 'POST', body: oneClick })
const tokenOf = async (newsletterId: number, of = ann) => {
  const { links, to } = await deliver(server, of, { kind: 'news', newsletterId })
  return new URL(links.unsubscribePage(to)).searchParams.get('token') ?? ''
}
const content = {
  ...{ kind: 'news', subject: 'Bread', preheader: '', title: 'Bread', date: null, intro: 'Bake it.' },
  ...{ sections: [], closing: '', path: null },
}
const mailingTo = (newsletterId: number) =>
  addMailing(server.database, {
    ...{ kind: 'news', issueId: null, subject: 'Bread', content, audience: { ...everyone, newsletterId } },
  })

describe('a mailing to a newsletter', () => {
  test('reaches subscribers only, counts those who unsubscribed, and asks for access if it is for members', async () => {
    const { db } = server.database
    const unconfirmed = await buildUser(server, { confirmed: false })
    const left = await buildUser(server)
    await addNewsletter(db, { id: 1 })
    await addNewsletter(db, { id: 2, membersOnly: true })
    for (const id of [1, 2]) {
      for (const user of [ann, ben, unconfirmed]) await subscribe(db, id, user.id)
      await subscribe(db, id, left.id, false)
    }
    await buildUser(server)
    const free = await mailingTo(1)
    const members = await mailingTo(2)
    await prepareMailing(server.deps, free)
    await prepareMailing(server.deps, members)
    expect((await sums(server.database, free)).rows).toEqual({ pending: 2, 'suppressed unsubscribed': 1 })
    expect((await sums(server.database, members)).rows).toEqual({ pending: 1 })
  })

  test('doesn’t depend on the choices for drops and news, and leaves out who unsubscribes or loses access before it is sent', async () => {
    const { db } = server.database
    const cat = await buildUser(server, { subscription: 'active' })
    await addNewsletter(db, { membersOnly: true })
    for (const user of [ann, ben, cat]) await subscribe(db, 1, user.id)
    await call(server, 'save-email-preferences', { drops: 'off', news: false, allowsTracking: false }, ann.token)
    await addIssue(server.database)
    const id = await addMailing(server.database, { audience: { ...everyone, newsletterId: 1 } })
    await prepareMailing(server.deps, id)
    await post(
      pathOf((await deliver(server, cat, { newsletterId: 1 })).links.oneClick({ deliveryId: '0', userId: cat.id })),
    )
    const { deliveries: claimed } = await db.transaction(async (tx) =>
      claimBatch(
        tx,
        server.deps,
        await findMailing(tx, id),
        { limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }, timeZone: 'UTC' },
        { senderId: crypto.randomUUID(), emails: 10, after: firstPosition, fullDomains: new Set() },
      ),
    )
    expect(claimed.map(({ email }) => email)).toEqual(['ann@example.test'])
    expect((await sums(server.database, id)).rows).toEqual({ sending: 1, 'suppressed unsubscribed': 1 })
  })

  test('has its own sender, list and links', async () => {
    const { db } = server.database
    await addNewsletter(db, { name: 'Recipes', senderName: 'The kitchen', senderAddress: 'kitchen@example.test' })
    const mailing = await findMailing(db, await mailingTo(1))
    const from = await readListSender(server.deps, 1)
    const compose = createDeliveryComposer(server.deps, from, mailing, [])
    const composed = compose({
      ...{
        id: '5',
        userId: ann.id,
        email: ann.email,
        name: null,
        reader: '{"focusAreas":[],"aiLevel":null,"goals":[],"franchiseType":null}',
      },
      ...{
        allowsTracking: false,
        hasAccess: true,
        freeSource: null,
        changes: [],
        fieldValues: null,
        attempts: 1,
        subjectIndex: 0,
        senderId: ann.id,
      },
    })
    const header = (name: string) => composed.headers.find(([each]) => each === name)?.[1]
    expect(header('From')).toContain('<kitchen@example.test>')
    expect(header('From')).toContain('The kitchen')
    expect(header('Reply-To')).toBeUndefined()
    expect(header('List-Id')).toContain('Recipes <newsletter-1.example.test>')
    expect(composed.body.toString()).toContain('Unsubscribe from Recipes')
    await subscribe(db, 1, ann.id)
    expect((await post(pathOf(String(header('List-Unsubscribe')).slice(1, -1)))).status).toBe(200)
    expect(await isSubscribed(db, 1, ann.id)).toBe(false)
  })
})

describe('unsubscribing', () => {
  test('turns off the newsletter of the email alone, once for a double click, and is in its report', async () => {
    const { db } = server.database
    for (const id of [1, 2]) {
      await addNewsletter(db, { id })
      await subscribe(db, id, ann.id)
    }
    const { links, to, deliveryId } = await deliver(server, ann, { kind: 'news', newsletterId: 1 })
    const path = pathOf(links.oneClick(to))
    // A mail scanner looks first.
    expect((await server.request(path)).status).toBe(303)
    expect(await isSubscribed(db, 1, ann.id)).toBe(true)
    const answers = await Promise.all([post(path), post(path)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([await isSubscribed(db, 1, ann.id), await isSubscribed(db, 2, ann.id)]).toEqual([false, true])
    expect(await choicesOf(server, ann.id)).toMatchObject({ drops: 'weekly', news: true, followUps: true })
    const [row] = await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.id, Number(deliveryId)))
    expect(row?.unsubscribedAt).not.toBeNull()
  })

  test('a forged link is refused; one of a retired or unknown newsletter says that nothing more comes', async () => {
    const { db } = server.database
    await addNewsletter(db, { name: 'Old' })
    await subscribe(db, 1, ann.id)
    const token = await tokenOf(1)
    const forged = `${Buffer.from([255, ...Buffer.alloc(28)]).toString('base64url')}.${token.split('.')[1]}`
    expect((await post(`/unsubscribe/one-click/${forged}`)).status).toBe(404)
    expect(await isSubscribed(db, 1, ann.id)).toBe(true)
    await db.update(newsletter).set({ retiredAt: server.clock.now })
    expect((await call(server, 'unsubscribe-page', { token })).body).toMatchObject({
      stream: 'newsletter:1',
      newsletter: { name: 'Old', isRetired: true },
      newsletters: [],
    })
    expect((await post(`/unsubscribe/one-click/${token}`)).status).toBe(200)
    expect(await isSubscribed(db, 1, ann.id)).toBe(false)
    const unknown = await tokenOf(77)
    expect((await call(server, 'unsubscribe-page', { token: unknown })).body).toMatchObject({
      newsletter: { name: 'A newsletter', isRetired: true },
    })
    expect((await post(`/unsubscribe/one-click/${unknown}`)).status).toBe(200)
  })

  test('by link, newsletters are turned off and back on, but none that the reader never got', async () => {
    const { db } = server.database
    for (const id of [1, 2]) await addNewsletter(db, { id })
    await subscribe(db, 1, ann.id)
    const token = await tokenOf(1)
    const save = (...newsletters: { id: number; subscribed: boolean }[]) =>
      call(server, 'save-email-choices-by-link', { token, drops: 'weekly', news: true, newsletters })
    expect((await save({ id: 1, subscribed: false })).body).toMatchObject({
      newsletters: [{ id: 1, subscribed: false }],
    })
    expect((await save({ id: 1, subscribed: true })).body).toMatchObject({ newsletters: [{ id: 1, subscribed: true }] })
    const refused = await save({ id: 1, subscribed: false }, { id: 2, subscribed: true })
    expect(refused).toMatchObject({ status: 400, body: { error: 'Sign in to subscribe to “Recipes 2”.' } })
    expect([await isSubscribed(db, 1, ann.id), await isSubscribed(db, 2, ann.id)]).toEqual([true, null])
  })

  test('a spam complaint stops that newsletter alone, until the reader subscribes again', async () => {
    const { db } = server.database
    for (const id of [1, 2]) {
      await addNewsletter(db, { id })
      await subscribe(db, id, ann.id)
    }
    const { deliveryId } = await deliver(server, ann, { kind: 'news', newsletterId: 1 })
    const report = { source: 'generic', externalId: 'a', type: 'complaint', deliveryId } as const
    await recordReports(server.deps, [{ ...report, email: null, subject: null, detail: null, occurredAt: null }])
    const live = () =>
      db.select({ stream: suppressions.stream }).from(suppressions).where(isNull(suppressions.liftedAt))
    expect(await live()).toEqual([{ stream: 'newsletter:1' }])
    expect([await isSubscribed(db, 1, ann.id), await isSubscribed(db, 2, ann.id)]).toEqual([false, true])
    expect(await choicesOf(server, ann.id)).toMatchObject({ drops: 'weekly', news: true })
    const saved = { drops: 'weekly', news: true, allowsTracking: false, newsletters: [{ id: 1, subscribed: true }] }
    const { body } = await call(server, 'save-email-preferences', saved, ann.token)
    expect(body).toMatchObject({ blocked: [], newsletters: [{ id: 1, subscribed: true }, { id: 2 }] })
    expect(await live()).toEqual([])
  })
})

describe('the account page', () => {
  test('offers what the reader may get, in the publisher’s order', async () => {
    const { db } = server.database
    await addNewsletter(db, { id: 1, position: 2 })
    await addNewsletter(db, { id: 2, position: 1, membersOnly: true })
    await addNewsletter(db, { id: 3, retiredAt: server.clock.now })
    const ids = async (user: TestUser) => {
      const { body } = await call(server, 'email-preferences', {}, user.token)
      return (body.newsletters as { id: number }[]).map(({ id }) => id)
    }
    expect([await ids(ann), await ids(ben)]).toEqual([[2, 1], [1]])
  })

  test('saves all choices or, with a newsletter that is retired or unknown, none', async () => {
    const { db } = server.database
    await addNewsletter(db)
    await addNewsletter(db, { id: 2, name: 'Old', retiredAt: server.clock.now })
    const save = (id: number) =>
      call(
        server,
        'save-email-preferences',
        { drops: 'off', news: true, allowsTracking: false, newsletters: [{ id, subscribed: true }] },
        ann.token,
      )
    expect(await save(2)).toMatchObject({ status: 400, body: { error: '“Old” isn’t sent anymore.' } })
    expect(await save(9)).toMatchObject({ status: 400, body: { error: expect.stringContaining('no longer exists') } })
    expect(await choicesOf(server, ann.id)).toBeNull()
    expect(await save(1)).toMatchObject({ status: 200 })
    expect(await isSubscribed(db, 1, ann.id)).toBe(true)
    // Earlier clients don’t send newsletters, which then stay.
    await call(server, 'save-email-preferences', { drops: 'weekly', news: true, allowsTracking: false }, ann.token)
    expect(await isSubscribed(db, 1, ann.id)).toBe(true)
  })
})

describe('lists and files', () => {
  test('members are found by what they get and what they left, and exported with it', async () => {
    const { db } = server.database
    const owner = await buildUser(server, { admin: true })
    await addNewsletter(db, { name: 'Recipes' })
    await subscribe(db, 1, ann.id)
    await subscribe(db, 1, ben.id, false)
    const found = async (filter: object) => {
      const { body } = await call(server, 'admin-members', { filter }, owner.token)
      return (body.items as { email: string }[]).map(({ email }) => email)
    }
    expect(await found({ newsletters: ['newsletter:1'] })).toEqual([ann.email])
    expect(await found({ unsubscribedFrom: ['newsletter:1'] })).toEqual([ben.email])
    expect(await found({ unsubscribedFrom: ['drops'] })).toEqual([])
    const { body } = await call(server, 'admin-export-members', { target: { ids: [ann.id, ben.id] } }, owner.token)
    const csv = await (await server.request(pathOf(String(body.url)))).text()
    const line = (email: string) => csv.split('\r\n').find((each) => each.includes(email))
    expect(line(ann.email)).toContain('Recipes')
    expect(line(ben.email)).not.toContain('Recipes')
  })

  test('an import subscribes new members to the newsletters that the file names, and existing members to none', async () => {
    const { db } = server.database
    const owner = await buildUser(server, { admin: true })
    await addNewsletter(db, { name: 'Recipes', subscribesNewMembers: true })
    await addNewsletter(db, { id: 2, name: 'Tools' })
    await subscribe(db, 1, ben.id)
    const file = [
      'Email,Newsletters,Status',
      'cat@example.test,Tools; recipes,active',
      'dan@example.test,,active',
      'eve@example.test,Recipes,unsubscribed',
      'fay@example.test,Bread,active',
      'ann@example.test,Recipes,active',
      'ben@example.test,Tools,unsubscribed',
    ].join('\n')
    const checked = await check(server, owner, file, { unsubscribeExisting: true })
    expect(checked.examples.filter(({ outcome }) => outcome === 'refused').map(({ detail }) => detail)).toEqual([
      '“Bread” isn’t one of your newsletters.',
    ])
    await run(server, owner, checked)
    const people = await db.select({ id: users.id, email: users.email }).from(users)
    const of = async (email: string) => {
      const id = people.find((each) => each.email === email)?.id ?? ''
      return [await isSubscribed(db, 1, id), await isSubscribed(db, 2, id)]
    }
    expect({
      cat: await of('cat@example.test'),
      dan: await of('dan@example.test'),
      eve: await of('eve@example.test'),
      ann: await of('ann@example.test'),
      ben: await of('ben@example.test'),
    }).toEqual({ cat: [true, true], dan: [false, null], eve: [false, null], ann: [null, null], ben: [false, null] })
  })

  test('mailings are listed by newsletter', async () => {
    const owner = await buildUser(server, { admin: true })
    await addNewsletter(server.database.db)
    const to = await mailingTo(1)
    await addMailing(server.database, { kind: 'news', issueId: null })
    const { body } = await call(server, 'admin-mailings', { newsletterId: 1 }, owner.token)
    expect(body.items).toMatchObject([{ id: to, newsletterId: 1 }])
    expect(await server.database.db.$count(mailings)).toBe(2)
  })
})
