import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentItems, users } from '#server/db/schema/index.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { createSession } from '#server/features/identity/auth/sessions/create-session.ts'
import { createSessionResponse } from '#server/features/identity/auth/sessions/session-response.ts'
import { sendAssigned, sendWaiting } from '#server/features/publishing/assignment-emails/send-assigned.ts'
import { sendReminders } from '#server/features/publishing/assignment-emails/send-scheduled.ts'
import { assignedEmailJob } from '#server/features/reader/assignments/notify-assignees.ts'
import type { StayOffer } from '#shared/contracts/billing/billing.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { dayMs, deliver, eventsOf, openBilling, payAtCheckout, travel } from '#tests/integration/billing/support.ts'
import { createSeriesHelpers, draft, email, filter, runMinute, wait } from '#tests/integration/series/support.ts'
import { patientAuth, seat } from '#tests/integration/teams/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

/** A Wednesday, 10 AM in New York. */
const start = new Date('2026-11-25T15:00:00Z')
const wall = { now: start }
const hourMs = 3_600_000

const billing = openForTests(() => openBilling({ now: () => wall.now.getTime() }))

test('a reader signs up, pays, pauses, comes back, cancels and is asked to return, with each email once', async () => {
  const { server, db, deps, api } = billing
  Object.assign(deps.config, { auth: { ...deps.config.auth, ...patientAuth } })
  server.clock.now = start
  const staff = await billing.user({ admin: true })
  const zoe = await billing.user()
  const series = createSeriesHelpers(server, () => staff)
  await db.insert(contentItems).values({
    kind: 'prompt',
    id: 'closing-note',
    title: 'Closing note',
    path: '/portal/prompt-packs#closing-note',
    publishedAt: start,
    changedAt: start,
  })
  await series.turnOn(
    draft({
      steps: [email(1), wait(2, 3), email(3), wait(4, 4), email(5)],
      leavesWhen: filter({ statuses: ['active'] }),
    }),
  )
  await series.turnOn(
    draft({ name: 'Members', trigger: { kind: 'paid_start' }, steps: [email(11), wait(12, 2), email(13)] }),
  )
  await series.turnOn(draft({ name: 'Win back', trigger: { kind: 'plan_ended' }, steps: [wait(21, 7), email(22)] }))

  const address = 'mia@example.test'
  let customer: string | null = null
  let clock: string | null = null
  const told = new Set<string>()
  let known = { series: 0, outbox: 0 }

  /** Runs what is due twice, as two nodes would, and delivers Stripe's new events. */
  async function work() {
    const events = customer ? await eventsOf(api, customer) : []
    for (const event of events.filter(({ id }) => !told.has(id))) {
      told.add(event.id)
      expect(await deliver(billing, event)).toBe(200)
    }
    for (const { name, payload } of server.jobs.splice(0)) {
      if (name === assignedEmailJob.name) await sendAssigned(deps, assignedEmailJob.payload.parse(payload).userId)
    }
    // The row's simulated time comes with a sync.
    if (customer) await syncCustomer(deps, customer)
    for (let node = 0; node < 2; node += 1) {
      await enqueueScheduledNotices(deps)
      await sendWaiting(deps)
      await sendReminders(deps)
      await runMinute(deps)
    }
  }

  async function moveTo(at: Date) {
    wall.now = at
    server.clock.now = at
    if (clock) await travel(api, clock, at)
    await work()
  }

  /** Access, and the subjects that arrived since the last look. */
  async function expectStep(hasAccess: boolean, subjects: unknown[]) {
    const fromSeries = (await series.delivered())[address] ?? []
    const others = server.outbox
      .list(address)
      .map(({ subject }) => subject)
      .toReversed()
    const news = [...fromSeries.slice(known.series), ...others.slice(known.outbox)]
    known = { series: fromSeries.length, outbox: others.length }
    expect([news, (await billing.check(mia)).subscribed]).toEqual([subjects, hasAccess])
  }
  const onDay = (days: number) => moveTo(new Date(start.getTime() + days * dayMs))
  const must = async (name: string, input: object, who = mia) => {
    const { status, body } = await billing.call(name, input, who)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  // Free edition.
  await post('/free', { email: address })
  const [, token = ''] = /\/free\/confirm\?token=([\w-]+)/.exec(server.outbox.list(address)[0]?.text ?? '') ?? []
  await post('/free/confirm', { token })
  let mia = await signIn(address)
  await work()
  await expectStep(false, ['Email 1', expect.stringContaining('Confirm')])
  await onDay(2.9)
  await expectStep(false, [])
  await onDay(3)
  await expectStep(false, ['Email 3'])

  // A plan: the members' series replaces the rest of the welcome series.
  await onDay(5)
  await payAtCheckout(await billing.checkout(mia, 'team_monthly'))
  customer = await billing.customerOf(mia)
  clock = (await api.testHelpers.testClocks.create({ frozen_time: wall.now.getTime() / 1000, customer })).id
  await work()
  await expectStep(true, ['Email 11', 'You’re in. Welcome to Front Counter'])
  await onDay(7)
  await expectStep(true, ['Email 13'])

  // A colleague in the team assigns something, due on a Friday.
  await seat(server, mia, zoe)
  await onDay(20)
  await expectStep(true, [`${zoe.email} joined your team`])
  const item = { kind: 'prompt', id: 'closing-note' }
  const assignment = { assignmentId: randomUUID(), item, to: { userId: mia.id }, dueOn: '2026-12-18', note: '' }
  await must('assign', assignment, zoe)
  await work()
  await expectStep(true, ['Assigned to you: Closing note'])
  for (const [day, subjects] of [
    [16, ['Reminder: Closing note']],
    [17, []],
    [18, ['Reminder: Closing note']],
    [19, []],
  ] as const) {
    await moveTo(new Date(`2026-12-${day}T14:30:00Z`))
    await expectStep(true, [...subjects])
  }

  // Wants to cancel, and takes a pause of one month instead.
  const end = (await billing.row(mia))?.currentPeriodEnd ?? start
  const after = (months: number, ms: number) => moveTo(new Date(addMonths(end, months).getTime() + ms))
  const { offer: pause } = await must('offer-to-stay', { reason: 'unused' })
  expect(pause).toMatchObject({ kind: 'pause' })
  await must('take-stay-offer', { ...(pause as StayOffer), requestId: randomUUID(), months: 1 })
  await work()
  await expectStep(true, [expect.stringContaining('plan is paused until')])
  await after(0, dayMs)
  await expectStep(false, [])
  await after(1, -3 * dayMs)
  await expectStep(false, [expect.stringContaining('plan continues on')])
  await after(1, -hourMs / 2)
  await expectStep(true, [expect.stringContaining('plan is active again')])

  // Renews quietly for a year.
  for (const months of [3, 5, 7, 9, 11]) {
    await after(months, -5 * dayMs)
    await expectStep(true, [])
  }

  // Wants to cancel again, and refuses what is offered. The first session is too old to cancel with.
  await after(13, -5 * dayMs)
  mia = await signIn(address)
  expect(await must('offer-to-stay', { reason: 'low_quality' })).toMatchObject({ offer: { kind: 'discount' } })
  await must('cancel-plan', { requestId: randomUUID() })
  await work()
  await expectStep(true, ['Your Front Counter plan is canceled'])
  await after(13, 2 * hourMs)
  await expectStep(false, ['Your Front Counter plan has ended'])
  await after(13, 2 * hourMs + 6.9 * dayMs)
  await expectStep(false, [])
  await after(13, 2 * hourMs + 7 * dayMs)
  await expectStep(false, ['Email 22'])
  await after(15, 0)
  await expectStep(false, [])

  const invoices = await api.invoices.list({ customer, limit: 100 })
  const statuses = Object.groupBy(invoices.data, ({ status }) => String(status))
  // 2 before and 1 in the pause, then one for each month.
  expect([statuses.paid?.length, statuses.void?.length]).toEqual([13, 1])
})

function post(path: string, fields: Record<string, string>) {
  return billing.server.request(path, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
}

/** Signs in as the account with this address, without a password, which accounts of the free edition don't have. */
async function signIn(address: string): Promise<TestUser> {
  const { deps, db } = billing
  const [user] = await db.select().from(users).where(eq(users.email, address))
  if (!user) throw new Error(`${address} has no account`)
  const client = { ip: '127.0.0.1', userAgent: 'tests' }
  const opened = await db.transaction((tx) =>
    createSession(tx, { userId: user.id, method: 'password', client, now: deps.clock() }),
  )
  const session = await createSessionResponse(deps, opened)
  const { access_token: token, refresh_token: refreshToken } = session
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return { id: user.id, email: address, password: '', token, refreshToken, sessionId: opened.sessionId, headers }
}
