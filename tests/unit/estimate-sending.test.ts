import '#tests/support/property-seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  estimateSending,
  type SendingSituation,
  type SentInMinute,
  type WaitingDomain,
} from '#server/features/publishing/mailings/admin/estimate-sending.ts'
import {
  domainLimit,
  nextMidnight,
  type SendingLimits,
  warmUpLimit,
} from '#server/features/publishing/mailings/sending/sending-limits.ts'

const minuteMs = 60_000
const noLimits: SendingLimits = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }

const start = fc
  .integer({ min: 0, max: 60 * 24 * 400 })
  .map((minutes) => new Date(Date.parse('2026-01-01T00:00:00Z') + minutes * minuteMs))
const smallLimit = fc.integer({ min: 1, max: 40 })
const history = (now: Date, max: number) =>
  fc.array(fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 1, max })), { maxLength: 6 }).map((entries) =>
    [...new Map(entries).entries()]
      .sort(([a], [b]) => b - a)
      .map(
        ([ago, sent]): SentInMinute => ({
          minute: new Date(Math.floor(now.getTime() / minuteMs) * minuteMs - ago * minuteMs),
          sent,
        }),
      ),
  )

const situations = start.chain((now) =>
  fc.record({
    now: fc.constant(now),
    timeZone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'UTC'),
    limits: fc.record({
      perSecond: fc.constant(null),
      perHour: fc.option(smallLimit),
      perDomainHour: fc.dictionary(fc.constantFrom('a.test', 'b.test', '*'), smallLimit, { maxKeys: 3 }),
      warmUp: fc.option(
        fc.record({
          startedOn: fc.integer({ min: -3, max: 3 }).map((days) => {
            return new Date(now.getTime() + days * 24 * 60 * minuteMs).toISOString().slice(0, 10)
          }),
          firstDay: fc.integer({ min: 10, max: 60 }),
          growth: fc.constantFrom(1, 1.5, 2),
          end: fc.integer({ min: 10, max: 200 }),
        }),
      ),
    }),
    domains: fc
      .tuple(
        ...['a.test', 'b.test', 'c.test'].map((domain) =>
          fc.record({
            domain: fc.constant(domain),
            ready: fc.integer({ min: 0, max: 60 }),
            deferred: fc.constant(0),
            lastHour: history(now, 9),
          }),
        ),
      )
      .map((domains): WaitingDomain[] => domains),
    elsewhere: fc.integer({ min: 0, max: 50 }),
    sentToday: fc.integer({ min: 0, max: 80 }),
    lastHour: history(now, 15),
    retries: fc.constant(null),
  }),
)

/** Simulates the sender minute by minute: emails of the last 60 minutes and since midnight count toward the limits. */
function sendByTheMinute({ now, timeZone: zone, limits, domains, elsewhere, sentToday, lastHour }: SendingSituation) {
  const first = Math.floor(now.getTime() / minuteMs)
  const sent = new Map<string, Map<number, number>>()
  const record = (name: string, minute: number, emails: number) => {
    const minutes = sent.get(name) ?? new Map<number, number>()
    sent.set(name, minutes.set(minute, (minutes.get(minute) ?? 0) + emails))
  }
  const inHour = (name: string, minute: number) =>
    [...(sent.get(name) ?? [])].reduce((sum, [at, emails]) => (at > minute - 60 ? sum + emails : sum), 0)
  for (const { minute, sent: emails } of lastHour) record('*', minute.getTime() / minuteMs, emails)
  for (const { domain, lastHour: own } of domains) {
    for (const { minute, sent: emails } of own) record(domain, minute.getTime() / minuteMs, emails)
  }
  const left = new Map([...domains.map(({ domain, ready }) => [domain, ready] as const), ['elsewhere', elsewhere]])
  let today = warmUpLimit(limits.warmUp, zone, now)
  let spent = sentToday
  let midnight = nextMidnight(now, zone)
  for (let minute = first; minute < first + 120 * 24 * 60; minute += 1) {
    const at = new Date(Math.max(minute * minuteMs, now.getTime()))
    if (at >= midnight) {
      today = warmUpLimit(limits.warmUp, zone, at)
      spent = 0
      midnight = nextMidnight(at, zone)
    }
    for (const [domain, emails] of left) {
      const room = Math.min(
        emails,
        today ? today.limit - spent : emails,
        limits.perHour === null ? emails : limits.perHour - inHour('*', minute),
        domain === 'elsewhere' ? emails : (domainLimit(limits, domain) ?? emails + 1e9) - inHour(domain, minute),
      )
      if (room <= 0) continue
      left.set(domain, emails - room)
      spent += room
      record('*', minute, room)
      record(domain, minute, room)
    }
    if ([...left.values()].every((emails) => emails === 0)) return at
  }
  return null
}

const floorMinute = (at: Date | null) => at && Math.floor(at.getTime() / minuteMs)

test('limits that all domains share end exactly when sending by the minute ends', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const shared = { ...situation, limits: { ...situation.limits, perDomainHour: {} } }
      expect(floorMinute(estimateSending(shared).finishesAt)).toBe(floorMinute(sendByTheMinute(shared)))
    }),
    { numRuns: 40 },
  )
})

test('limits by receiving domain end exactly when sending by the minute ends', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const { perDomainHour } = situation.limits
      const own = { ...situation, elsewhere: 0, limits: { ...noLimits, perDomainHour } }
      expect(floorMinute(estimateSending(own).finishesAt)).toBe(floorMinute(sendByTheMinute(own)))
    }),
    { numRuns: 100 },
  )
})

test('the estimate is never before now, never before a limit allows, and never earlier for more emails', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const { finishesAt, waitsFor, resumesAt } = estimateSending(situation)
      const more = estimateSending({
        ...situation,
        domains: situation.domains.map((domain) => ({ ...domain, ready: domain.ready + 5 })),
      })
      expect(finishesAt?.getTime()).toBeGreaterThanOrEqual(situation.now.getTime())
      expect(more.finishesAt?.getTime()).toBeGreaterThanOrEqual(finishesAt?.getTime() ?? 0)
      expect(sendByTheMinute(situation)?.getTime()).toBeGreaterThanOrEqual((finishesAt?.getTime() ?? 0) - minuteMs)
      expect(resumesAt === null).toBe(waitsFor === null)
      if (resumesAt) expect(finishesAt?.getTime()).toBeGreaterThanOrEqual(resumesAt.getTime())
    }),
    { numRuns: 40 },
  )
})
