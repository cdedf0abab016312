import type { MailingEstimate } from '#shared/contracts/publishing/mailings.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import { domainLimit, nextMidnight, type SendingLimits, warmUpLimit } from '../sending/sending-limits.ts'

/** Emails sent within one minute. */
export type SentInMinute = { minute: Date; sent: number }

export type WaitingDomain = {
  domain: string
  /** Deliveries that can be sent once the limits allow. */
  ready: number
  /** Deliveries that a mail server deferred or that wait for their reader's hour. */
  deferred: number
  /** The last 60 minutes, oldest first; empty for a domain without a limit. */
  lastHour: readonly SentInMinute[]
}

export type SendingSituation = {
  now: Date
  /** IANA name of the publication's time zone. */
  timeZone: string
  limits: SendingLimits
  /** Unsent deliveries of the mailing. */
  domains: readonly WaitingDomain[]
  /** Unsent deliveries of other running mailings, which share the limits. */
  elsewhere: number
  sentToday: number
  /** Oldest first. */
  lastHour: readonly SentInMinute[]
  /** When the first and the last deferred delivery are due, and whether the first waits for its reader's hour. */
  retries: { first: Date; last: Date; isReaderHour?: boolean } | null
}

/** The mail server may take longer than the limits allow. */
export type SendingEstimate = Omit<MailingEstimate, 'resumesAt' | 'finishesAt'> & {
  resumesAt: Date | null
  finishesAt: Date | null
}

const horizonMs = 366 * 24 * hourMs

/** Quota of an hourly limit: free now, or once a minute is more than an hour ago. */
type FreeQuota = { at: number; emails: number }

/** Estimates why a mailing waits and when it will finish, from the limits and the remaining deliveries. */
export function estimateSending(situation: SendingSituation): SendingEstimate {
  const { now, domains, retries } = situation
  const left = domains.reduce((sum, { ready, deferred }) => sum + ready + deferred, 0)
  const finishes = [
    finishOfAll(situation, left + situation.elsewhere),
    ...domains.map((domain) => finishOfDomain(situation, domain)),
    retries && left > 0 ? retries.last.getTime() : now.getTime(),
  ]
  const last = Math.max(...finishes.map((at) => at ?? Number.POSITIVE_INFINITY))
  const isNear = last <= now.getTime() + horizonMs
  return { ...reasonToWait(situation, left), finishesAt: isNear ? new Date(Math.max(last, now.getTime())) : null }
}

type Reason = Omit<SendingEstimate, 'finishesAt'>

function reasonToWait(situation: SendingSituation, left: number): Reason {
  const { now, timeZone, limits, domains, sentToday, lastHour, retries } = situation
  const full = domains.flatMap((domain) => {
    const limit = domainLimit(limits, domain.domain)
    if (limit === undefined || domain.ready === 0) return []
    const [room] = freeQuotas(limit, domain.lastHour, now)
    return room && room.at > now.getTime() ? [{ domain: domain.domain, at: room.at }] : []
  })
  const reason = { waitsFor: null, limit: null, fullDomains: full.map(({ domain }) => domain), resumesAt: null }
  if (left === 0) return reason
  const today = warmUpLimit(limits.warmUp, timeZone, now)
  if (today && sentToday >= today.limit) {
    return { ...reason, waitsFor: 'warmUp', limit: today.limit, resumesAt: today.until }
  }
  const [room] = limits.perHour === null ? [] : freeQuotas(limits.perHour, lastHour, now)
  if (room && room.at > now.getTime()) {
    return { ...reason, waitsFor: 'hour', limit: limits.perHour, resumesAt: new Date(room.at) }
  }
  const isFull = new Set(reason.fullDomains)
  if (domains.some(({ domain, ready }) => ready > 0 && !isFull.has(domain))) return reason
  const resumesAt = Math.min(...full.map(({ at }) => at), retries?.first.getTime() ?? Number.POSITIVE_INFINITY)
  if (!Number.isFinite(resumesAt)) return reason
  const later = retries?.isReaderHour ? 'readerHours' : 'retry'
  return { ...reason, waitsFor: full.length > 0 ? 'domains' : later, resumesAt: new Date(resumesAt) }
}

/** The free quotas of an hourly limit over the next hour, in order of time. */
function freeQuotas(limit: number, lastHour: readonly SentInMinute[], now: Date): FreeQuota[] {
  const used = lastHour.reduce((sum, { sent }) => sum + sent, 0)
  const quotas: FreeQuota[] = used < limit ? [{ at: now.getTime(), emails: limit - used }] : []
  // After the limit was lowered, the oldest emails expire without freeing quota.
  let surplus = Math.max(0, used - limit)
  for (const { minute, sent } of lastHour) {
    const emails = sent - Math.min(sent, surplus)
    surplus -= sent - emails
    if (emails > 0) quotas.push({ at: minute.getTime() + hourMs, emails })
  }
  return quotas
}

/** Each hour of an hourly limit repeats the previous one. */
function finishOfDomain({ limits, now }: SendingSituation, { domain, ready, deferred, lastHour }: WaitingDomain) {
  const limit = domainLimit(limits, domain)
  const left = ready + deferred
  if (limit === undefined || left === 0) return now.getTime()
  const turns = Math.floor((left - 1) / limit)
  let rest = left - turns * limit
  for (const { at, emails } of freeQuotas(limit, lastHour, now)) {
    rest -= emails
    if (rest <= 0) return at + turns * hourMs
  }
  return null
}

/** Advances from quota to quota through the limits that all receiving domains share. Null beyond the horizon. */
function finishOfAll(situation: SendingSituation, toSend: number): number | null {
  const { now, timeZone, limits, sentToday, lastHour } = situation
  const rooms = limits.perHour === null ? null : freeQuotas(limits.perHour, lastHour, now)
  const eachMs = limits.perSecond === null ? 0 : 1000 / limits.perSecond
  const end = now.getTime() + horizonMs
  let at = now.getTime()
  let left = toSend
  let turn = 0
  let day = dayAt(limits, timeZone, at, sentToday)
  while (left > 0 && at <= end) {
    if (at >= day.until) day = dayAt(limits, timeZone, at, 0)
    if (day.emails <= 0) {
      at = day.until
      continue
    }
    const room = rooms?.[turn]
    if (room && room.at > at) {
      at = room.at
      continue
    }
    const beforeMidnight = eachMs > 0 ? Math.max(1, Math.floor((day.until - at) / eachMs)) : Number.POSITIVE_INFINITY
    const emails = Math.min(left, day.emails, room?.emails ?? Number.POSITIVE_INFINITY, beforeMidnight)
    left -= emails
    day.emails -= emails
    if (rooms && room) {
      room.emails -= emails
      if (room.emails <= 0) turn += 1
      rooms.push({ at: Math.floor(at / minuteMs) * minuteMs + hourMs, emails })
    }
    at += emails * eachMs
  }
  return left > 0 ? null : at
}

function dayAt({ warmUp }: SendingLimits, timeZone: string, at: number, sent: number) {
  const now = new Date(at)
  const limited = warmUpLimit(warmUp, timeZone, now)
  if (limited) return { emails: limited.limit - sent, until: limited.until.getTime() }
  // Without a warm-up ahead midnight doesn't matter, which saves a time zone lookup per day.
  const until = warmUp ? nextMidnight(now, timeZone).getTime() : Number.POSITIVE_INFINITY
  return { emails: Number.POSITIVE_INFINITY, until }
}
