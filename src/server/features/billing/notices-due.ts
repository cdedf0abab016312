import type { subscriptionState } from '#server/db/schema/index.ts'

type Row = typeof subscriptionState.$inferSelect
export type NoticeFacts = Pick<
  Row,
  | 'stripeSubscriptionId'
  | 'status'
  | 'currentPeriodEnd'
  | 'cancelAt'
  | 'endedAt'
  | 'unpaidSince'
  | 'entitledUntil'
  | 'testNow'
  | 'cardExpiresAt'
>

/** `reason` names what happened to which subscription when, and is the same whoever notices it, and however often. */
export type Notice = { reason: string } & (
  | { kind: 'payment-failed'; accessUntil: Date }
  | { kind: 'ending-soon' | 'trial-ending'; endsAt: Date }
  | { kind: 'card-expiring'; cardExpiresAt: Date }
  | { kind: 'ended' | 'back-again' }
)

const dayMs = 24 * 60 * 60 * 1000
export const endingSoonMs = 7 * dayMs
/** As long before as Stripe's own `trial_will_end`; a shorter trial is told of at once. */
export const trialEndingMs = 3 * dayMs

const runs: ReadonlySet<string> = new Set(['active', 'trialing'])
const wasOpen: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
const isOver: ReadonlySet<string> = new Set(['canceled', 'unpaid', 'none'])
const cameBackFrom: ReadonlySet<string> = new Set(['past_due', 'unpaid', 'canceled'])

/**
 * What a subscriber has to be told, by how the row stands and what it said before. What is true of the row alone is due
 * whenever somebody looks; "ended" and "back again" are about a change, so that an old customer whose row is read for the
 * first time is not told of last year. Nothing here remembers what was sent: the reason does (`send-notices.ts`).
 */
export function noticesDue(before: NoticeFacts | null, after: NoticeFacts, realNow: Date): Notice[] {
  const now = after.testNow ?? realNow
  return [...ofChange(before, after), ...ofState(after, now)]
}

function ofChange(before: NoticeFacts | null, after: NoticeFacts): Notice[] {
  if (!before?.stripeSubscriptionId) return []
  if (wasOpen.has(before.status) && isOver.has(after.status)) {
    return [{ kind: 'ended', reason: `ended:${before.stripeSubscriptionId}` }]
  }
  if (cameBackFrom.has(before.status) && runs.has(after.status)) {
    const since = before.unpaidSince ?? before.endedAt
    return [{ kind: 'back-again', reason: `back:${after.stripeSubscriptionId}:${since?.toISOString() ?? 'pause'}` }]
  }
  return []
}

function ofState(row: NoticeFacts, now: Date): Notice[] {
  const id = row.stripeSubscriptionId
  if (!id) return []
  if (row.status === 'past_due') {
    const accessUntil = row.entitledUntil
    if (!accessUntil) return []
    const since = row.unpaidSince?.toISOString() ?? 'now'
    return [{ kind: 'payment-failed', reason: `payment-failed:${id}:${since}`, accessUntil }]
  }
  if (!runs.has(row.status)) return []
  const { cancelAt, currentPeriodEnd, cardExpiresAt } = row
  if (cancelAt) {
    if (!isWithin(cancelAt, now, endingSoonMs)) return []
    return [{ kind: 'ending-soon', reason: `ending:${id}:${cancelAt.toISOString()}`, endsAt: cancelAt }]
  }
  const notices: Notice[] = []
  if (row.status === 'trialing' && currentPeriodEnd && isWithin(currentPeriodEnd, now, trialEndingMs)) {
    const reason = `trial:${id}:${currentPeriodEnd.toISOString()}`
    notices.push({ kind: 'trial-ending', reason, endsAt: currentPeriodEnd })
  }
  if (cardExpiresAt && now < cardExpiresAt && cardExpiresAt <= endOfNextMonth(now)) {
    notices.push({ kind: 'card-expiring', reason: `card:${id}:${cardExpiresAt.toISOString()}`, cardExpiresAt })
  }
  return notices
}

const isWithin = (instant: Date, now: Date, ms: number) => now < instant && instant.getTime() - now.getTime() <= ms

/** The first instant of the month after next: a card of next month stops being valid then. */
export const endOfNextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1))
