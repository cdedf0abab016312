import { describe, expect, test } from 'vitest'
import { findProblems, type StatusFacts } from './find-problems.ts'

const now = new Date('2026-11-25T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const fine: StatusFacts = {
  now,
  figures: {
    queues: [{ name: 'send-email', waiting: 2, oldestSeconds: 60 }],
    deliveriesWaiting: 0,
    mailingsStuck: 0,
    seriesDue: 0,
    seriesDueSeconds: 0,
    stripeEventsFailed: 0,
    stripeListedAt: hoursAgo(1),
    isEmailOnHold: false,
    newestBackupAt: hoursAgo(9),
    newestDropAt: hoursAgo(30),
  },
  parts: { database: 'ok', migrations: 'ok', queue: 'ok', mail: 'ok', disk: 'ok' },
  update: { isMigrating: false, versions: [{ version: '0.5.0', servers: 2, since: hoursAgo(40) }], backfills: [] },
  heldSince: null,
  backup: { isScheduled: true, newestAt: hoursAgo(9), problem: null },
  drops: { newest: { day: '2026-11-24' }, nextAt: null },
  stuck: { mailings: 0, documents: 0 },
  sharedFeed: undefined,
}

const kinds = (changes: Partial<StatusFacts>) => findProblems({ ...fine, ...changes }).map(({ kind }) => kind)
const part = (parts: Partial<StatusFacts['parts']>) => kinds({ parts: { ...fine.parts, ...parts } })

test('nothing is wrong while all is well', () => {
  expect(kinds({})).toEqual([])
})

test('each problem is named, with what to do', () => {
  const since = hoursAgo(3)
  const everything = findProblems({
    ...fine,
    figures: {
      ...fine.figures,
      queues: [{ name: 'send-email', waiting: 4, oldestSeconds: 1_000 }],
      stripeEventsFailed: 1,
      stripeListedAt: hoursAgo(4),
    },
    parts: { database: 'ok', migrations: 'newer', queue: 'stalled', mail: 'unreachable', disk: 'full' },
    heldSince: since,
    backup: { isScheduled: true, newestAt: null, problem: null },
    drops: { newest: { day: '2026-11-10' }, nextAt: null },
    stuck: { mailings: 1, documents: 2 },
  })
  expect(everything.map(({ kind, title }) => [kind, title])).toEqual([
    ['migrations', 'This server runs an older version'],
    ['email-hold', 'Emails are on hold'],
    ['mail-server', 'The mail server can’t be reached'],
    ['backup', 'There’s no backup yet'],
    ['disk', 'The disk is full'],
    ['mailings', '1 mailing needs a decision'],
    ['documents', '2 scheduled texts couldn’t be published'],
    ['drop', 'This week’s drop is missing'],
    ['stripe', 'Stripe can’t be reached'],
    ['stripe-events', '1 event from Stripe couldn’t be processed'],
    ['jobs-late', 'Late: account email'],
    ['queue', 'Background work has stopped'],
  ])
  for (const { detail } of everything) expect(detail).toMatch(/\.$/)
  expect(everything.find(({ kind }) => kind === 'email-hold')).toMatchObject({
    since: since.toISOString(),
    path: '/admin/settings/backups',
  })
})

test('steps of series are late after a quarter of an hour, unless email is on hold', () => {
  const late = (seriesDueSeconds: number, heldSince: Date | null = null) =>
    kinds({ figures: { ...fine.figures, seriesDue: 2, seriesDueSeconds }, heldSince })
  expect(late(900)).toEqual([])
  expect(late(901)).toEqual(['series-late'])
  expect(late(901, hoursAgo(1))).toEqual(['email-hold'])
})

describe('backups', () => {
  const backup = (changes: Partial<StatusFacts['backup']>) => kinds({ backup: { ...fine.backup, ...changes } })
  test('a late or missing one is a problem, whether or not daily backups are set up', () => {
    expect(backup({ newestAt: hoursAgo(36) })).toEqual([])
    expect(backup({ newestAt: hoursAgo(37) })).toEqual(['backup'])
    expect(backup({ newestAt: null })).toEqual(['backup'])
    expect(backup({ newestAt: null, isScheduled: false })).toEqual(['backup'])
    expect(backup({ newestAt: hoursAgo(37), isScheduled: false })).toEqual(['backup'])
  })
  test('a failed one is a problem even if an older one is recent', () => {
    expect(backup({ problem: { kind: 'failed', since: hoursAgo(1).toISOString(), error: null } })).toEqual(['backup'])
  })
})

describe('this week’s drop', () => {
  const drops = (day: string | null, nextAt: string | null = null) =>
    kinds({
      drops: {
        newest: day === null ? null : { day },
        nextAt: nextAt === null ? null : new Date(nextAt),
      },
    })
  test('is missing from the day after it was due', () => {
    // The last one was a week ago: the next is due today, on Wednesday.
    expect(drops('2026-11-18')).toEqual([])
    // Half a day more, for time zones west of UTC.
    expect(drops('2026-11-17')).toEqual([])
    expect(drops('2026-11-16')).toEqual(['drop'])
  })
  test('isn’t missing if one is scheduled for this week, but is if only next week’s is', () => {
    expect(drops('2026-11-16', '2026-11-27T13:00:00Z')).toEqual([])
    expect(drops('2026-11-16', '2026-11-30T13:00:00Z')).toEqual(['drop'])
  })
  test('is missing in each further week', () => {
    expect(drops('2026-11-02')).toEqual(['drop'])
    expect(drops('2026-11-02', '2026-11-26T13:00:00Z')).toEqual([])
  })
  test('isn’t expected before the first one', () => {
    expect(drops(null)).toEqual([])
  })
})

test('parts of the server: what couldn’t be checked isn’t a problem', () => {
  expect(part({ mail: 'unreachable' })).toEqual(['mail-server'])
  expect(part({ disk: 'low' })).toEqual(['disk'])
  expect(part({ queue: 'stalled' })).toEqual(['queue'])
  expect(part({ migrations: 'older' })).toEqual(['migrations'])
  expect(part({ migrations: 'unknown', queue: 'unknown', disk: 'unknown' })).toEqual([])
})

describe('an update', () => {
  const update = (changes: Partial<StatusFacts['update']>) =>
    findProblems({ ...fine, update: { ...fine.update, ...changes } })
  const versions = (hours: number) => [
    { version: null, servers: 1, since: hoursAgo(90) },
    { version: '0.5.0 (database 84)', servers: 2, since: hoursAgo(hours) },
  ]
  test('may run beside the earlier version for some minutes; after that, servers were forgotten', () => {
    expect(update({ versions: versions(0.2) })).toEqual([])
    expect(update({ versions: versions(1) })).toMatchObject([
      {
        kind: 'versions',
        detail: '1 server runs an earlier version, 2 servers run 0.5.0 (database 84). Update the others too.',
        since: hoursAgo(1).toISOString(),
      },
    ])
  })
  test('that works in the background is fine, until it stops', () => {
    const backfills = (hours: number) => [{ name: 'facts', rows: 12_000, updatedAt: hoursAgo(hours) }]
    expect(update({ backfills: backfills(0.1), isMigrating: true })).toEqual([])
    expect(update({ backfills: backfills(1) })).toMatchObject([
      { kind: 'backfill', since: hoursAgo(1).toISOString(), detail: expect.stringContaining('12,000 rows') },
    ])
  })
})
