import { beforeEach, expect, test } from 'vitest'
import { emailPreferences } from '#server/db/schema/index.ts'
import { notifySecurityChange } from '#server/features/identity/auth/security/security-event.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { type NoticeEvent, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { auditEntries, firefox } from './support.ts'

const server = openForTests(() => createTestApp())
let user: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  user = await buildUser(server)
})

const change = (event: NoticeEvent, more: object = {}) => ({
  event,
  userId: user.id,
  email: user.email,
  client: { ip: '203.0.113.7', userAgent: firefox },
  now: server.clock.now,
  ...more,
})

test('a security email says what, when, from which device, and what to do if it wasn’t you', async () => {
  await server.database.db.transaction((tx) => notifySecurityChange(tx, server.deps, change('password_changed')))
  const [email] = server.outbox.list(user.email)
  expect(email?.subject).toBe('Your Front Counter password was changed')
  for (const part of [
    'The password for your account was changed',
    'Device:  Firefox on Windows',
    'http://localhost:3000/reset-password',
  ]) {
    expect(email?.text).toContain(part)
  }
  expect(email?.text).toMatch(/When: {4}Saturday, November 21, 2026 at 10:20\sAM UTC/)
  expect(await auditEntries(server, 'password_changed', user.id)).toMatchObject([
    { ip: '203.0.113.7', user_agent: firefox },
  ])
})

test('a security email gives the time in the zone of its reader', async () => {
  const { db } = server.database
  await db
    .insert(emailPreferences)
    .values({ userId: user.id, timeZone: 'America/Chicago', updatedAt: server.clock.now })
  await db.transaction((tx) => notifySecurityChange(tx, server.deps, change('password_changed')))
  expect(server.outbox.list(user.email)[0]?.text).toMatch(/When: {4}Saturday, November 21, 2026 at 4:20\sAM CST/)
})

test('the email about an admin’s action names no device', async () => {
  const done = change('account_enabled', { by: 'admin@example.test' })
  await server.database.db.transaction((tx) => notifySecurityChange(tx, server.deps, done))
  expect(server.outbox.list(user.email)[0]?.text).not.toMatch(/Device|admin@/)
})

test('an account without an email gets a log entry and no email', async () => {
  const sent = server.outbox.list().length
  const done = change('passkey_added', { email: '' })
  await server.database.db.transaction((tx) => notifySecurityChange(tx, server.deps, done))
  expect(server.outbox.list()).toHaveLength(sent)
  expect(await auditEntries(server, 'passkey_added', user.id)).toHaveLength(1)
})

test('a rolled-back change leaves neither log entry nor email', async () => {
  const queue = await openJobQueue(server.database, server.deps.logger)
  const sent: string[] = []
  try {
    await queue.work([{ ...emailJob, retryLimit: 0, run: async ({ subject }) => void sent.push(subject) }])
    const deps = { ...server.deps, enqueue: queue.enqueue }
    const undone = server.database.db.transaction(async (tx) => {
      await notifySecurityChange(tx, deps, change('factor_removed'))
      throw new Error('crash')
    })
    await expect(undone).rejects.toThrow('crash')
    await server.database.db.transaction((tx) => notifySecurityChange(tx, deps, change('passkey_removed')))
    await expect
      .poll(() => sent, { timeout: 15_000 })
      .toEqual(['A passkey was removed from your Front Counter account'])
    expect(await auditEntries(server, 'factor_removed')).toEqual([])
  } finally {
    await queue.stop(1_000)
  }
})

test('the device name is escaped in the email', () => {
  const { html } = securityNoticeEmail({
    to: user.email,
    event: 'passkey_added',
    device: '<b>Laptop</b>',
    when: server.clock.now,
    timeZone: null,
    config: { ...server.deps.config, publicUrl: 'https://example.test' },
  })
  expect(html).not.toContain('<b>')
  expect(html).toContain('https://example.test/account/security')
})
