import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emailPreferences, issueSections } from '#server/db/schema/index.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { addIssue, addMembers } from './sending/support.ts'

let server: TestApp
let admin: TestUser
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.truncate()
  // 8:30 AM in New York.
  server.clock.now = new Date('2026-11-24T13:30:00Z')
  admin = await buildUser(server, { email: 'admin@example.com', admin: true })
  await addIssue(server.database)
  await server.database.db.update(issueSections).set({ body: 'A text without a link.' })
})

const ask = (name: string, body: object) => call(server, name, body, admin.token)
async function must<Answer>(name: string, body: object): Promise<Answer> {
  const answer = await ask(name, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Answer
}
const read = (id: string) => must<Mailing>('admin-mailing', { id })
const createDraft = async () =>
  read((await must<{ id: string }>('admin-create-mailing', { kind: 'issue', issueId: 'issue-1' })).id)
async function save({ id, version, subject, preheader, audience }: Mailing, change: Partial<Mailing>) {
  await must('admin-save-mailing', { id, version, subject, preheader, audience, tracked: false, ...change })
  return read(id)
}
const settings = (change: Partial<SendingSettings> = {}) =>
  must('admin-sending-settings', {
    save: {
      timeZone: 'America/New_York',
      limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
      tracking: true,
      ...change,
    },
  })

test('Drops use readers’ hours once the settings allow it, and each drop can leave them out', async () => {
  await settings()
  expect(await createDraft()).toMatchObject({ readerHours: false, readerHoursAllowed: false })
  await settings({ readerHours: true })
  const mailing = await createDraft()
  expect(mailing).toMatchObject({ readerHours: true, readerHoursAllowed: true, waitingForHour: null })
  // A save that doesn't name it keeps it.
  expect(await save(mailing, { subject: 'New' })).toMatchObject({ readerHours: true })
  expect(await save(await read(mailing.id), { readerHours: false })).toMatchObject({ readerHours: false })
  // Settings of earlier versions of the page don't name it either.
  await settings()
  expect(await createDraft()).toMatchObject({ readerHours: true })
})

test('A subject test and readers’ hours can’t be combined', async () => {
  await settings({ readerHours: true })
  const subjectTest = { otherSubjects: ['Another'], share: 20, hours: 4, measure: 'clicks' as const }
  const mailing = await save(await createDraft(), { tracked: true, subjectTest })
  const send = async () =>
    ask('admin-send-mailing', { id: mailing.id, version: (await read(mailing.id)).version, at: null })
  expect(await send()).toMatchObject({
    status: 400,
    body: { error: 'A subject test and readers’ own hours can’t be combined. Turn one of them off.' },
  })
  await save(await read(mailing.id), { tracked: true, readerHours: false })
  await addMembers(server.database, 1)
  expect(await send()).toMatchObject({ status: 200 })
})

test('While sending and while paused, the mailing says how many emails wait for their hour, and until when', async () => {
  await settings({ readerHours: true })
  await addMembers(server.database, 4)
  const now = server.clock.now
  const hours = ['9', '9', '20']
  for (const [index, dropTime] of hours.entries()) {
    const userId = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
    await server.database.db
      .insert(emailPreferences)
      .values({ userId, dropTime, timeZone: 'America/New_York', updatedAt: now })
  }
  const { id, version } = await createDraft()
  await must('admin-send-mailing', { id, version, at: null })
  await prepareMailing(server.deps, id)
  const waitingForHour = { count: 3, nextAt: '2026-11-24T14:00:00.000Z', lastAt: '2026-11-25T01:00:00.000Z' }
  expect(await read(id)).toMatchObject({ waitingForHour, estimate: { finishesAt: waitingForHour.lastAt } })
  await must('admin-mailing-action', { id, action: 'pause' })
  expect(await read(id)).toMatchObject({ status: 'paused', waitingForHour })
  server.clock.now = new Date('2026-11-24T14:00:00Z')
  expect(await read(id)).toMatchObject({
    waitingForHour: { ...waitingForHour, count: 1, nextAt: waitingForHour.lastAt },
  })
  await must('admin-mailing-action', { id, action: 'stop' })
  expect(await read(id)).toMatchObject({ waitingForHour: null })
})
