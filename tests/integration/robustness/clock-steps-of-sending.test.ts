import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Tx } from '#server/db/database.ts'
import type { SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { availableQuota, recordPerSecondUsage } from '#server/features/publishing/mailings/sending/throttle.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  mailerOver,
  sendingDeps,
  startDraft,
  statusOf,
  until,
} from '#tests/integration/mailings/sending/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'

const database = openForTests(() => openTestDatabase())
const start = new Date('2026-11-22T12:00:00Z')
let now = start
let sentTo: string[] = []

beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
  await addMembers(database, 3)
  now = start
  sentTo = []
})

const at = (ms: number) => new Date(start.getTime() + ms)

function deps(): SendingDeps {
  const mailer = mailerOver({
    slots: 2,
    async send({ to }) {
      sentTo.push(to)
      return { kind: 'accepted', response: '250 taken' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  })
  return sendingDeps(database, mailer, () => now, [])
}

async function scheduleFor(time: Date, issueId = 'issue-1') {
  const id = await addMailing(database, { status: 'draft', issueId })
  await startDraft(deps(), id, { at: time })
  return id
}

async function startNode() {
  const sender = await startSender(deps(), { idleMs: 10, findProblems: async () => [] })
  onTestFinished(() => sender.stop(1_000))
}

test.each([
  ['set back after a mailing was sent', [hourMs, 0, hourMs, 2 * hourMs]],
  ['set back before its time', [30 * minuteMs, -30 * minuteMs, hourMs]],
  ['set forward over its time, and back', [hourMs + 30 * minuteMs, 30 * minuteMs, hourMs + minuteMs]],
])('each reader gets one email when the clock is %s', async (_, times) => {
  const mailing = await scheduleFor(at(hourMs))
  await startNode()
  for (const time of times) {
    now = at(time)
    if (time >= hourMs) await until(async () => (await statusOf(database, mailing)) === 'sent')
  }
  // Another drop, sent after all of that by the same sender.
  await addIssue(database, 'issue-2')
  const next = await scheduleFor(now, 'issue-2')
  await until(async () => (await statusOf(database, next)) === 'sent')
  const counts = Object.values(Object.groupBy(sentTo, (to) => to)).map((emails) => emails?.length)
  expect(counts).toEqual([2, 2, 2])
})

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.db.transaction(work)
const limits = { perSecond: 10, perHour: null, perDomainHour: {}, warmUp: null }
const quota = () => inTransaction((tx) => availableQuota(tx, { limits, timeZone: 'UTC' }, now))
const use = (emails: number) => inTransaction((tx) => recordPerSecondUsage(tx, limits, emails, now))

test('a limit of emails per second goes on when the clock is set back', async () => {
  await use(10)
  expect(await quota()).toMatchObject({ emails: 0, waitMs: 850 })
  now = at(-hourMs)
  expect((await quota()).emails).toBe(2)
  await use(10)
  expect(await quota()).toMatchObject({ emails: 0, waitMs: 850 })
})

test('a node whose clock is a minute behind waits for the emails per second that another has used', async () => {
  await use(10)
  now = at(-minuteMs)
  expect((await quota()).emails).toBe(0)
})
