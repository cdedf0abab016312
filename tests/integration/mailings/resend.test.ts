import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deliveries, emailPreferences, mailings } from '#server/db/schema/index.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())

test('a mailing is resent once to those who received it, allow tracking and didn’t open it', async () => {
  const { db } = server.database
  const admin = await buildUser(server, { admin: true })
  const ask = async (name: string, body: object) => {
    const answer = await call(server, name, body, admin.token)
    return { status: answer.status, id: String(answer.body.id) }
  }
  const readers = await Promise.all(
    ['unopened', 'opened', 'clicked', 'untracked', 'bounced', 'later'].map(async (name) => ({
      name,
      ...(await buildUser(server, { email: `${name}@example.test` })),
    })),
  )
  const at = new Date('2026-11-01T00:00:00Z')
  await db
    .insert(emailPreferences)
    .values(readers.map(({ id, name }) => ({ userId: id, allowsTracking: name !== 'untracked', updatedAt: at })))
  const first = (await ask('admin-create-mailing', { kind: 'news' })).id
  const [draft] = await db.select().from(mailings).where(eq(mailings.id, first))
  const content = { ...(draft?.content as object), title: 'News', intro: 'Hello' }
  expect((await ask('admin-create-mailing', { kind: 'resend', mailingId: first })).status).toBe(400)
  await db
    .update(mailings)
    .set({ status: 'sent', subject: 'First', content, tracked: true, preparedAt: at, startedAt: at })
  await db.insert(deliveries).values(
    readers.slice(0, 5).map(({ id, email, name }) => ({
      mailingId: first,
      userId: id,
      email,
      domain: 'example.test',
      reader: '{}',
      status: name === 'bounced' ? 'failed' : 'submitted',
      openedAt: name === 'opened' ? at : null,
      clickedAt: name === 'clicked' ? at : null,
      changedAt: at,
    })),
  )
  const [second, third] = [
    (await ask('admin-create-mailing', { kind: 'resend', mailingId: first })).id,
    (await ask('admin-create-mailing', { kind: 'resend', mailingId: first })).id,
  ]
  // The audience can't be widened to those who opened it.
  const change = { version: 1, subject: 'In case you missed it', preheader: '', audience: everyone }
  expect((await ask('admin-save-mailing', { id: second, ...change })).status).toBe(200)
  for (const id of [second, third]) {
    await db.update(mailings).set({ status: 'preparing' }).where(eq(mailings.id, id))
    await prepareMailing(server.deps, id)
  }
  const sent = (id: string) =>
    db
      .select({ email: deliveries.email, status: deliveries.status, cause: deliveries.cause })
      .from(deliveries)
      .where(eq(deliveries.mailingId, id))
  expect(await sent(second)).toEqual([{ email: 'unopened@example.test', status: 'pending', cause: null }])
  // Nobody was left to get the other one.
  expect(await sent(third)).toEqual([])
  await db.update(mailings).set({ status: 'sent' }).where(eq(mailings.id, second))
  expect((await ask('admin-create-mailing', { kind: 'resend', mailingId: second })).status).toBe(400)
})
