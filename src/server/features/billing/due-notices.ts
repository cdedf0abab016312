import type { subscriptionState } from '#server/db/schema/index.ts'

type Row = typeof subscriptionState.$inferSelect
export type NoticeRow = Pick<
  Row,
  | 'stripeSubscriptionId'
  | 'status'
  | 'productId'
  | 'syncSeq'
  | 'currentPeriodEnd'
  | 'cancelAt'
  | 'endedAt'
  | 'unpaidSince'
  | 'entitledUntil'
  | 'testClockTime'
  | 'cardExpiresAt'
>

/** `reason` names what happened to which subscription when, and is the same whoever notices it, and however often. */
export type Notice = { reason: string } & (
  | { kind: 'payment-failed'; accessUntil: Date }
  | { kind: 'ending-soon' | 'trial-ending' | 'canceled'; endsAt: Date }
  | { kind: 'card-expiring'; cardExpiresAt: Date }
  | { kind: 'started'; isReturning: boolean }
  | { kind: 'ended' | 'back-again' | 'switched' | 'resumed' }
  /** Sends nothing, now or later: another notice of the same change says it already. */
  | { kind: 'covered' }
)

const dayMs = 24 * 60 * 60 * 1000
export const endingSoonMs = 7 * dayMs
/** A plan that is canceled this close to its end gets no reminder: the email about the cancellation names the day. */
const noReminderMs = 2 * endingSoonMs
/** As long before as Stripe's own `trial_will_end`; a shorter trial is told of at once. */
export const trialEndingMs = 3 * dayMs

const runs: ReadonlySet<string> = new Set(['active', 'trialing'])
const wasOpen: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
const isOver: ReadonlySet<string> = new Set(['canceled', 'unpaid', 'none'])
const cameBackFrom: ReadonlySet<string> = new Set(['past_due', 'unpaid'])
const neverPaid: ReadonlySet<string> = new Set(['incomplete', 'incomplete_expired'])

/**
 * What a subscriber has to be told, by how the row stands and what it said before. What is true of the row alone is due
 * whenever somebody looks. Everything else is about a change, so an old customer whose row is read for the first time is
 * not told of last year. Nothing here remembers what was sent: the reason does (`send-notices.ts`).
 */
export function dueNotices(before: NoticeRow | null, after: NoticeRow, realNow: Date): Notice[] {
  const now = after.testClockTime ?? realNow
  const changes = before ? ofChange(before, after, now) : []
  const covered = new Set(changes.filter(({ kind }) => kind === 'covered').map(({ reason }) => reason))
  return [...changes, ...ofState(after, now).filter(({ reason }) => !covered.has(reason))]
}

function ofChange(before: NoticeRow, after: NoticeRow, now: Date): Notice[] {
  const { stripeSubscriptionId: id } = after
  const isSame = id === before.stripeSubscriptionId
  if (before.stripeSubscriptionId && wasOpen.has(before.status) && isOver.has(after.status)) {
    return [{ kind: 'ended', reason: `ended:${before.stripeSubscriptionId}` }]
  }
  if (!id || !runs.has(after.status)) return []
  if (!isSame || neverPaid.has(before.status)) {
    const isReturning = before.stripeSubscriptionId !== null && !neverPaid.has(before.status)
    return [{ kind: 'started', reason: `started:${id}`, isReturning }, ...coveredByStart(after, now)]
  }
  const notices: Notice[] = []
  if (cameBackFrom.has(before.status)) {
    const since = before.unpaidSince ?? before.endedAt
    notices.push({ kind: 'back-again', reason: `back:${id}:${since?.toISOString() ?? 'pause'}` })
  }
  // The same switch or cancellation may come again: the turn in which it was seen tells one from the next.
  const turn = `${id}:${after.syncSeq}`
  if (before.productId !== after.productId) notices.push({ kind: 'switched', reason: `switched:${turn}` })
  if (!before.cancelAt && after.cancelAt) {
    notices.push({ kind: 'canceled', reason: `canceled:${turn}`, endsAt: after.cancelAt })
    if (isWithin(after.cancelAt, now, noReminderMs)) notices.push(covered(endingReason(id, after.cancelAt)))
  }
  if (before.cancelAt && !after.cancelAt) notices.push({ kind: 'resumed', reason: `resumed:${turn}` })
  return notices
}

/** The email about the start names the day that it renews or ends on. */
function coveredByStart({ stripeSubscriptionId: id, cancelAt, currentPeriodEnd, status }: NoticeRow, now: Date) {
  if (!id) return []
  if (cancelAt) return isWithin(cancelAt, now, noReminderMs) ? [covered(endingReason(id, cancelAt))] : []
  if (status !== 'trialing' || !currentPeriodEnd || !isWithin(currentPeriodEnd, now, trialEndingMs)) return []
  return [covered(trialReason(id, currentPeriodEnd))]
}

const covered = (reason: string): Notice => ({ kind: 'covered', reason })
const endingReason = (id: string, endsAt: Date) => `ending:${id}:${endsAt.toISOString()}`
const trialReason = (id: string, endsAt: Date) => `trial:${id}:${endsAt.toISOString()}`

function ofState(row: NoticeRow, now: Date): Notice[] {
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
    return [{ kind: 'ending-soon', reason: endingReason(id, cancelAt), endsAt: cancelAt }]
  }
  const notices: Notice[] = []
  if (row.status === 'trialing' && currentPeriodEnd && isWithin(currentPeriodEnd, now, trialEndingMs)) {
    notices.push({ kind: 'trial-ending', reason: trialReason(id, currentPeriodEnd), endsAt: currentPeriodEnd })
  }
  if (cardExpiresAt && now < cardExpiresAt && cardExpiresAt <= endOfNextMonth(now)) {
    notices.push({ kind: 'card-expiring', reason: `card:${id}:${cardExpiresAt.toISOString()}`, cardExpiresAt })
  }
  return notices
}

const isWithin = (instant: Date, now: Date, ms: number) => now < instant && instant.getTime() - now.getTime() <= ms

/** The first instant of the month after next: a card of next month stops being valid then. */
export const endOfNextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1))
