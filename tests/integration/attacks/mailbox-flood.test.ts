import { beforeEach, describe, expect, test } from 'vitest'
import { createEmailQuota } from '#server/features/identity/auth/limits/email-limits.ts'
import { createEmailJob } from '#server/jobs/email-job.ts'
import type { Email } from '#server/mail/mailer.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call as callFunction } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call } from '../auth/client.ts'
import { patientAuth } from '../teams/support.ts'

const victim = 'victim@example.test'
const otherAddress = 'nobody@example.test'
const password = 'six or more'
const serviceKey = 'service'.repeat(8)
const hourMs = 3_600_000
const minuteMs = 61_000

const server = openForTests(() => createTestApp({ config: { auth: { ...patientAuth, serviceRoleKey: serviceKey } } }))
beforeEach(async () => {
  await server.database.truncate()
  server.clock.advance(25 * hourMs)
})

const open = (env: Record<string, string>) => createTestApp({ env, database: server.database })
/** Emails received since this function was created. */
function newEmails(app: TestApp, to = victim) {
  const before = app.outbox.list(to).length
  return () => app.outbox.list(to).slice(0, app.outbox.list(to).length - before)
}
/** Repeats an action, just over a minute apart, and returns the statuses. */
async function everyMinute(app: TestApp, times: number, act: (time: number) => Response | Promise<Response>) {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) {
    app.clock.advance(minuteMs)
    statuses.push((await act(time)).status)
  }
  return statuses
}
const putEmail = (app: TestApp, user: TestUser, email: string) =>
  call(app, '/user', { method: 'PUT', token: user.token, body: { email } })

describe('attack 2: flooding a mailbox with account emails', () => {
  test('an address gets ten confirmations a day, from sign-ups and resends together', async () => {
    const strict = await open({ EMAIL_CONFIRMATION: 'first' })
    const emails = newEmails(strict)
    const ask = (email: string) => (time: number) =>
      time % 2 === 0
        ? call(strict, '/signup', { body: { email, password } })
        : call(strict, '/resend', { body: { type: 'signup', email } })
    expect(await everyMinute(strict, 15, ask(victim))).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
    expect(emails()).toHaveLength(10)
    strict.clock.advance(24 * hourMs)
    expect((await call(strict, '/signup', { body: { email: victim, password } })).status).toBe(200)
  })

  test('the responses are the same for an address with an account', async () => {
    const strict = await open({ EMAIL_CONFIRMATION: 'first' })
    await buildUser(strict, { email: victim })
    const emails = newEmails(strict)
    for (const email of [victim, otherAddress]) {
      const statuses = await everyMinute(strict, 11, () => call(strict, '/signup', { body: { email, password } }))
      expect(statuses).toEqual([...Array(10).fill(200), 429])
    }
    expect(emails()).toEqual([])
  })

  test('repeatedly creating and deleting accounts sends no more emails, and the sessions still start', async () => {
    const emails = newEmails(server)
    const answers = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: [] }
    const statuses = await everyMinute(server, 12, async () => {
      const made = await call(server, '/signup', { body: { email: victim, password } })
      const { access_token: token } = (await made.clone().json()) as { access_token: string }
      expect((await callFunction(server, 'onboarding-welcome', answers, token)).status).toBe(200)
      expect((await callFunction(server, 'delete-account', { email: victim }, token)).status).toBe(200)
      return made
    })
    expect(statuses).toEqual(Array(12).fill(200))
    const bySubject = Map.groupBy(emails(), ({ subject }) => subject)
    expect([...bySubject.values()].map((those) => those.length).toSorted((a, b) => a - b)).toEqual([3, 3, 10])
  })

  test('an anonymous request resends one email change, for the newest of fourteen accounts', async () => {
    const accounts: TestUser[] = []
    for (let count = 0; count < 14; count += 1) accounts.push(await buildUser(server, { confirmed: false }))
    const asked = await everyMinute(server, 14, (time) => putEmail(server, accounts[time] as TestUser, victim))
    expect(asked).toEqual([...Array(10).fill(200), ...Array(4).fill(429)])

    server.clock.advance(24 * hourMs)
    const fresh = [await buildUser(server, { confirmed: false }), await buildUser(server, { confirmed: false })]
    for (const user of fresh) {
      server.clock.advance(minuteMs)
      expect((await putEmail(server, user, victim)).status).toBe(200)
    }
    const newest = server.outbox.list(victim)[0]
    const emails = newEmails(server)
    const resend = () => call(server, '/resend', { body: { type: 'email_change', email: victim } })
    expect(await everyMinute(server, 1, resend)).toEqual([200])
    expect(emails()).toHaveLength(1)
    expect(emails()[0]?.text).toBe(newest?.text)
    expect(await everyMinute(server, 9, resend)).toEqual([...Array(7).fill(200), 429, 429])
    expect(emails()).toHaveLength(8)
  })

  test('an expired email change is not resent', async () => {
    const user = await buildUser(server)
    await putEmail(server, user, victim)
    server.clock.advance(61 * 60_000)
    const emails = newEmails(server)
    for (const email of [victim, user.email]) {
      expect((await call(server, '/resend', { body: { type: 'email_change', email } })).status).toBe(200)
    }
    expect(emails()).toEqual([])
  })

  test('an account with another address doesn’t bypass the mailbox’s limit', async () => {
    const accounts: TestUser[] = []
    for (let count = 0; count < 9; count += 1) accounts.push(await buildUser(server, { confirmed: false }))
    await everyMinute(server, 9, (time) => putEmail(server, accounts[time] as TestUser, victim))
    const emails = newEmails(server)
    for (const { email } of accounts) {
      expect((await call(server, '/resend', { body: { type: 'email_change', email } })).status).toBe(200)
    }
    expect(emails()).toHaveLength(1)
  })

  test('an account can email its current address ten times a day at most, whatever the new addresses', async () => {
    const user = await buildUser(server)
    const emails = newEmails(server, user.email)
    const ask = (time: number) => putEmail(server, user, `new-${time}@example.test`)
    expect(await everyMinute(server, 11, ask)).toEqual([...Array(10).fill(200), 429])
    expect(emails()).toHaveLength(10)
  })

  test('two nodes share the count', async () => {
    const nodes = [server, await open({})] as const
    const statuses: number[] = []
    for (let time = 0; time < 12; time += 1) {
      for (const node of nodes)
        node.clock.now = new Date(nodes[0].clock.now.getTime() + (node === server ? minuteMs : 0))
      statuses.push((await call(nodes[time % 2] ?? server, '/recover', { body: { email: victim } })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  })

  test('reauthentication codes and invitations stop after ten a day', async () => {
    const user = await buildUser(server, { email: victim })
    const nonce = () => call(server, '/reauthenticate', { token: user.token })
    expect(await everyMinute(server, 11, nonce)).toEqual([...Array(10).fill(200), 429])
    const invite = () => call(server, '/invite', { body: { email: otherAddress }, token: serviceKey })
    expect(await everyMinute(server, 11, invite)).toEqual([...Array(10).fill(200), 429])
  })

  test('an address gets ten team invitations a day, from all owners together', async () => {
    const emails = newEmails(server)
    const statuses = await everyMinute(server, 11, async () => {
      const owner = await buildUser(server, { subscription: 'active', plan: 'team_monthly' })
      const { status } = await callFunction(server, 'invite-member', { email: victim }, owner.token)
      return new Response(null, { status })
    })
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    expect(emails()).toHaveLength(10)
  })

  test('whatever was used up, security notices still arrive, and a flood of one kind hides no other', async () => {
    const user = await buildUser(server, { email: victim })
    await everyMinute(server, 12, () => call(server, '/recover', { body: { email: victim } }))
    await everyMinute(server, 12, () => call(server, '/resend', { body: { type: 'email_change', email: victim } }))
    const emails = newEmails(server)
    const count = (words: string) => emails().filter(({ subject }) => subject.includes(words)).length
    const { token } = user
    for (let time = 0; time < 25; time += 1) {
      const body = {
        password: `another password ${time}`,
        current_password: time === 0 ? user.password : `another password ${time - 1}`,
      }
      expect((await call(server, '/user', { method: 'PUT', token, body })).status).toBe(200)
    }
    expect(count('was changed')).toBe(20)
    expect((await callFunction(server, 'export-data', {}, token)).status).toBe(200)
    expect(count('data was downloaded')).toBe(1)
  })
})

describe('attack 2: the limit before the mail server', () => {
  const message: Email = { to: victim, subject: 'Your plan', text: 'text', html: '<p>text</p>' }
  function jobContext(outcome: () => void = () => {}) {
    const sent: Email[] = []
    const mailer = {
      close: async () => {},
      send: async (given: Email) => {
        outcome()
        sent.push(given)
      },
    }
    const readClock = () => server.clock.now
    const job = createEmailJob({ mailer, quota: createEmailQuota(server.database, readClock), clock: readClock })
    return { sent, job }
  }

  test('an address gets at most twenty emails with one subject a day, and others are unaffected', async () => {
    const { sent, job } = jobContext()
    for (let count = 0; count < 25; count += 1) await job.run(message)
    expect(sent).toHaveLength(20)
    await job.run({ ...message, subject: 'Your password was changed' })
    await job.run({ ...message, to: otherAddress })
    expect(sent).toHaveLength(22)
    server.clock.advance(25 * hourMs)
    await job.run(message)
    expect(sent).toHaveLength(23)
  })

  test('an email that is retried counts once', async () => {
    let failures = 30
    const { sent, job } = jobContext(() => {
      failures -= 1
      if (failures >= 0) throw new Error('421 try again')
    })
    for (let count = 0; count < 30; count += 1) await expect(job.run(message)).rejects.toThrow('421')
    await job.run(message)
    expect(sent).toEqual([message])
  })

  test('an email whose link has expired isn’t sent', async () => {
    const { sent, job } = jobContext()
    const inAnHour = new Date(server.clock.now.getTime() + hourMs).toISOString()
    await job.run({ ...message, expiresAt: inAnHour })
    server.clock.advance(hourMs)
    await job.run({ ...message, expiresAt: inAnHour })
    expect(sent).toEqual([message])
  })
})
