import { describe, expect, test } from 'vitest'
import type { SendingLimits } from '../sending/sending-limits.ts'
import { estimateSending, type SendingSituation, type WaitingDomain } from './estimate-sending.ts'

const timeZone = 'America/New_York'
const noLimits: SendingLimits = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }
const waiting = (domain: string, ready: number, more: Partial<WaitingDomain> = {}): WaitingDomain => ({
  domain,
  ready,
  deferred: 0,
  lastHour: [],
  ...more,
})

const estimate = (change: Partial<SendingSituation>) =>
  estimateSending({
    now: new Date('2026-11-10T15:00:00Z'),
    timeZone,
    limits: noLimits,
    domains: [waiting('a.test', 100)],
    elsewhere: 0,
    sentToday: 0,
    lastHour: [],
    retries: null,
    ...change,
  })

describe('a waiting mailing says why and until when', () => {
  const warmUp = { startedOn: '2026-11-10', firstDay: 40, growth: 1.5, end: 10_000 }

  test('when today’s warm-up limit is used up', () => {
    expect(estimate({ limits: { ...noLimits, warmUp }, sentToday: 40 })).toEqual({
      waitsFor: 'warmUp',
      limit: 40,
      fullDomains: [],
      resumesAt: new Date('2026-11-11T05:00:00Z'),
      // 60 tomorrow, the last 40 of 90 the day after.
      finishesAt: new Date('2026-11-12T05:00:00Z'),
    })
  })

  test('and not before the first day of the warm-up', () => {
    const later = { ...warmUp, startedOn: '2026-12-01' }
    expect(estimate({ limits: { ...noLimits, warmUp: later }, sentToday: 5_000 })).toMatchObject({
      waitsFor: null,
      finishesAt: new Date('2026-11-10T15:00:00Z'),
    })
  })

  test('when the hourly limit is reached, until the oldest emails are an hour old', () => {
    const lastHour = [
      { minute: new Date('2026-11-10T14:20:00Z'), sent: 10 },
      { minute: new Date('2026-11-10T14:50:00Z'), sent: 20 },
    ]
    expect(estimate({ limits: { ...noLimits, perHour: 30 }, lastHour })).toEqual({
      waitsFor: 'hour',
      limit: 30,
      fullDomains: [],
      resumesAt: new Date('2026-11-10T15:20:00Z'),
      // 30 an hour at :20 and :50, three times, and the last ten at 18:20.
      finishesAt: new Date('2026-11-10T18:20:00Z'),
    })
  })

  test('when every receiving domain with emails left is full', () => {
    const full = [{ minute: new Date('2026-11-10T14:30:00Z'), sent: 5 }]
    const limits = { ...noLimits, perDomainHour: { 'a.test': 5, '*': 5 } }
    const domains = [waiting('a.test', 7, { lastHour: full }), waiting('b.test', 1, { lastHour: full })]
    expect(estimate({ limits, domains })).toMatchObject({
      waitsFor: 'domains',
      fullDomains: ['a.test', 'b.test'],
      resumesAt: new Date('2026-11-10T15:30:00Z'),
      finishesAt: new Date('2026-11-10T16:30:00Z'),
    })
    expect(estimate({ limits, domains: [...domains, waiting('c.test', 1)] })).toMatchObject({ waitsFor: null })
  })

  test('when mail servers asked to be tried again later', () => {
    const retries = { first: new Date('2026-11-10T15:05:00Z'), last: new Date('2026-11-10T15:25:00Z') }
    expect(estimate({ domains: [waiting('a.test', 0, { deferred: 3 })], retries })).toMatchObject({
      waitsFor: 'retry',
      resumesAt: retries.first,
      finishesAt: retries.last,
    })
  })

  test('but names no day when the limits would take more than a year', () => {
    const creeping = { startedOn: '2026-11-10', firstDay: 1, growth: 1, end: 10 }
    expect(estimate({ limits: { ...noLimits, warmUp: creeping }, domains: [waiting('a.test', 500)] }).finishesAt).toBe(
      null,
    )
  })
})

test('other mailings use the same limits', () => {
  const alone = estimate({ limits: { ...noLimits, perHour: 100 } })
  const shared = estimate({ limits: { ...noLimits, perHour: 100 }, elsewhere: 250 })
  expect(alone.finishesAt).toEqual(new Date('2026-11-10T15:00:00Z'))
  expect(shared.finishesAt).toEqual(new Date('2026-11-10T18:00:00Z'))
})
