import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { simpleParser } from 'mailparser'
import { beforeEach, describe, expect, test } from 'vitest'
import { membersCsv } from '#server/features/operations/archive/write-members-csv.ts'
import { findProblems } from '#server/features/publishing/mailings/checks/locate-problem.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import type { ApiMember } from '#shared/contracts/operations/public-api.ts'
import { everyone, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import {
  addMailing,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  until,
} from '#tests/integration/mailings/sending/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { addField, setValue } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
let ann: TestUser
let ben: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true })
  ann = await buildUser(server, { email: 'ann@example.test', subscription: 'active' })
  ben = await buildUser(server, { email: 'ben@example.test', subscription: 'active' })
})

describe('the API', () => {
  async function createKey() {
    const key = { name: 'CRM', scopes: ['read:members', 'write:members'], expiresInDays: null }
    const { body } = await call(server, 'admin-create-api-key', key, owner.token)
    return String(body.key)
  }
  async function request(key: string, path: string, method = 'GET', body?: object) {
    const answer = await server.request(`/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('sets and returns values by the keys of fields and options, and refuses unknown ones', async () => {
    await addField(server.database.db)
    const key = await createKey()
    const api = (...args: [string, string?, object?]) => request(key, ...args)
    const path = `/members/${ann.id}/fields`
    expect(await api(path, 'PUT', { fields: { shop_size: 'large' } })).toMatchObject({
      status: 200,
      body: { id: ann.id, fields: { shop_size: 'large' } },
    })
    expect(await api(path, 'PUT', { fields: { shop: 'large' } })).toMatchObject({ status: 400 })
    expect(await api(path, 'PUT', { fields: { shop_size: '=Large shop' } })).toMatchObject({ status: 400 })
    const { body } = await api('/members')
    const fieldsOf = (member: TestUser) => (body.items as ApiMember[]).find(({ id }) => id === member.id)?.fields
    expect([ann, ben].map(fieldsOf)).toEqual([{ shop_size: 'large' }, {}])
    expect(await api(path, 'PUT', { fields: { shop_size: null } })).toMatchObject({ body: { fields: {} } })
  })
})

test('exports have a column for each field, and spreadsheets don’t run its values', async () => {
  const { db } = server.database
  const size = await addField(db)
  const opened = await addField(db, {
    id: 2,
    key: 'opened',
    label: 'Opened',
    kind: 'date',
    options: [],
    retiredAt: new Date(),
  })
  await setValue(db, ann.id, size, 'large')
  await setValue(db, ann.id, opened, '2024-02-29')
  const { body } = await call(server, 'admin-export-members', { target: { ids: [ann.id, ben.id] } }, owner.token)
  const file = await server.request(new URL(String(body.url)).pathname)
  const lines = (await file.text()).trim().split('\r\n').toSorted()
  expect(lines).toEqual([
    expect.stringMatching(/^"Email",.*,"Shop size","Opened \(retired\)"$/),
    expect.stringMatching(/^"ann@example\.test",.*,"'=Large shop","2024-02-29"$/),
    expect.stringMatching(/^"ben@example\.test",.*,"",""$/),
  ])
  const archived = new PassThrough()
  await db.transaction(async (tx) => {
    for await (const part of membersCsv(tx, server.clock.now)) archived.write(part)
  })
  archived.end()
  const csv = (await text(archived)).split('\r\n')
  expect(csv[0]).toMatch(/,franchise_type,field_shop_size,field_opened$/)
  expect(csv.find((line) => line.startsWith('ann@'))).toMatch(/,'=Large shop,2024-02-29$/)
})

describe('an email', () => {
  const content = (intro: string): MailingContent => ({
    kind: 'news',
    subject: 'News for {{field.shop_size|you}}',
    preheader: 'Some news.',
    title: 'News',
    date: null,
    intro,
    sections: [],
    closing: '',
    path: null,
    worth: '',
    question: '',
  })

  test('has the value of each reader, or the fallback', async () => {
    const { db } = server.database
    await setValue(db, ann.id, await addField(db), 'small')
    const smtp = await startSmtpServer()
    const id = await addMailing(server.database, {
      kind: 'news',
      issueId: null,
      subject: 'News for {{field.shop_size|you}}',
      audience: everyone,
      content: content('Hello {{field.shop_size|friend}} and {{field.city|all}}.'),
    })
    await prepareMailing(server.deps, id)
    const mailer = smtpNewsletterMailer(smtp.url)
    const sender = await startSender(sendingDeps(server.database, mailer), { idleMs: 20 })
    await until(async () => (await statusOf(server.database, id)) === 'sent')
    await sender.stop(1_000)
    await mailer.close()
    await smtp.close()
    const sentTo = async (email: string) => {
      const { subject, text: body } = await simpleParser(smtp.received.find(({ to }) => to === email)?.raw ?? '')
      return [subject, /Hello .*/.exec(body ?? '')?.[0]]
    }
    expect(await sentTo('ann@example.test')).toEqual(['News for Small shop', 'Hello Small shop and all.'])
    expect(await sentTo('ben@example.test')).toEqual(['News for you', 'Hello friend and all.'])
  })

  test('isn’t sent with a field that doesn’t exist, and the check says which there are', async () => {
    await addField(server.database.db)
    const problems = await findProblems(server.deps, content('Hello {{field.shop_size|a}} {{field.shop|b}}.'), {
      withoutNetwork: true,
    })
    const wrong = problems.filter(({ check }) => check === 'merge-field')
    expect(wrong).toMatchObject([
      { severity: 'error', message: expect.stringMatching(/^“{{field\.shop\|b}}” isn’t.*, field\.shop_size$/) },
    ])
  })
})
