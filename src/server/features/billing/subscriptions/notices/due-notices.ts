import type { subscriptionState } from '#server/db/schema/index.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { type LegalSettings, legalDefaults } from '#shared/domain/legal.ts'

type Row = typeof subscriptionState.$inferSelect
export type NoticeRow = Pick<
  Row,
  | 'stripeSubscriptionId'
  | 'status'
  | 'productId'
  | 'priceId'
  | 'quantity'
  | 'seatsAfterRenewal'
  | 'syncSeq'
  | 'currentPeriodEnd'
  | 'cancelAt'
  | 'pauseStartsAt'
  | 'pauseEndsAt'
  | 'endedAt'
  | 'unpaidSince'
  | 'entitledUntil'
  | 'testClockTime'
  | 'cardExpiresAt'
> &
  Partial<Pick<Row, 'currentPeriodStart' | 'startedAt' | 'discountEndsAt' | 'priceInterval'>>

/** `reason` identifies one event of one subscription and is the same each time the event is detected. */
export type Notice = { reason: string } & (
  | { kind: 'payment-failed'; accessUntil: Date }
  | { kind: 'ending-soon' | 'trial-ending' | 'discount-ending' | 'canceled'; endsAt: Date }
  | { kind: 'yearly-reminder'; startedAt: Date }
  | { kind: 'card-expiring'; cardExpiresAt: Date }
  | { kind: 'renewing-soon'; renewsAt: Date }
  | { kind: 'paused'; pauseStartsAt: Date; pauseEndsAt: Date | null }
  | { kind: 'pause-ending'; pauseEndsAt: Date }
  | { kind: 'started'; isReturning: boolean }
  | { kind: 'ended' | 'back-again' | 'switched' | 'seats-added' | 'resumed' | 'pause-ended' }
  /** Sends nothing: another notice of the same change already covers it. */
  | { kind: 'covered' }
)

export const endingSoonMs = 7 * dayMs
/** No reminder for a plan canceled this close to its end: the cancellation email already gives the date. */
const noReminderMs = 2 * endingSoonMs
/** The same as Stripe's `trial_will_end`. A shorter trial gets its reminder immediately. */
const trialEndingMs = 3 * dayMs
/** California asks for 3 to 21 days before the end of a trial or discount of more than 31 days. */
export const longTrialEndingMs = 7 * dayMs
const longTrialMs = 31 * dayMs
/** A yearly reminder is sent at most this long after the anniversary. */
export const yearlyReminderMs = 30 * dayMs
/** Before payments continue. */
export const pauseEndingMs = 7 * dayMs
/** Before a plan with a long period renews. */
export const renewingSoonMs = 30 * dayMs

const activeStatuses: ReadonlySet<string> = new Set(['active', 'trialing'])
const liveStatuses: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'unpaid', 'none'])
const recoverableStatuses: ReadonlySet<string> = new Set(['past_due', 'unpaid'])
const incompleteStatuses: ReadonlySet<string> = new Set(['incomplete', 'incomplete_expired'])

/**
 * The notices due after a sync. State notices depend on the row alone; change notices need the previous row, so the first
 * sync of an old customer sends none. `enqueueNotices` drops reasons that were already sent.
 * @param isLong whether the plan's period is half a year or more
 */
export function dueNotices(
  before: NoticeRow | null,
  after: NoticeRow,
  realNow: Date,
  isLong = false,
  legal: LegalSettings = legalDefaults,
): Notice[] {
  const now = after.testClockTime ?? realNow
  const changes = before ? changeNotices(before, after, now) : []
  const covered = new Set(changes.filter(({ kind }) => kind === 'covered').map(({ reason }) => reason))
  return [...changes, ...stateNotices(after, now, isLong, legal).filter(({ reason }) => !covered.has(reason))]
}

function changeNotices(before: NoticeRow, after: NoticeRow, now: Date): Notice[] {
  const { stripeSubscriptionId: id } = after
  const isSame = id === before.stripeSubscriptionId
  if (before.stripeSubscriptionId && liveStatuses.has(before.status) && endedStatuses.has(after.status)) {
    return [{ kind: 'ended', reason: `ended:${before.stripeSubscriptionId}` }]
  }
  if (!id || !activeStatuses.has(after.status)) return []
  if (!isSame || incompleteStatuses.has(before.status)) {
    const isReturning = before.stripeSubscriptionId !== null && !incompleteStatuses.has(before.status)
    return [{ kind: 'started', reason: `started:${id}`, isReturning }, ...coveredByStart(after, now)]
  }
  const notices: Notice[] = []
  if (recoverableStatuses.has(before.status)) {
    const since = before.unpaidSince ?? before.endedAt
    notices.push({ kind: 'back-again', reason: `back:${id}:${since?.toISOString() ?? 'pause'}` })
  }
  // The sync number distinguishes repeated switches and cancellations.
  const changeId = `${id}:${after.syncSeq}`
  if (before.productId !== after.productId) notices.push({ kind: 'switched', reason: `switched:${changeId}` })
  const isSamePrice = before.productId === after.productId && before.priceId === after.priceId
  // Seats that were to end at the renewal but stay don't count as added.
  if (isSamePrice && after.quantity > before.quantity && before.seatsAfterRenewal === null) {
    notices.push({ kind: 'seats-added', reason: `seats-added:${changeId}` })
  }
  if (!before.cancelAt && after.cancelAt) {
    notices.push({ kind: 'canceled', reason: `canceled:${changeId}`, endsAt: after.cancelAt })
    if (isWithin(after.cancelAt, now, noReminderMs)) notices.push(covered(endingReason(id, after.cancelAt)))
  }
  if (!before.pauseStartsAt && after.pauseStartsAt) {
    const { pauseStartsAt, pauseEndsAt } = after
    notices.push({ kind: 'paused', reason: `paused:${changeId}`, pauseStartsAt, pauseEndsAt })
  }
  // Canceling ends a pause that hasn't begun.
  if (before.pauseStartsAt && !after.pauseStartsAt && !after.cancelAt) {
    notices.push({ kind: 'pause-ended', reason: `pause-ended:${changeId}` })
  }
  if (before.cancelAt && !after.cancelAt) notices.push({ kind: 'resumed', reason: `resumed:${changeId}` })
  return notices
}

/** Reminders that the start email replaces, since it already gives the renewal or end date. */
function coveredByStart({ stripeSubscriptionId: id, cancelAt, currentPeriodEnd, status }: NoticeRow, now: Date) {
  if (!id) return []
  if (cancelAt) return isWithin(cancelAt, now, noReminderMs) ? [covered(endingReason(id, cancelAt))] : []
  if (status !== 'trialing' || !currentPeriodEnd || !isWithin(currentPeriodEnd, now, trialEndingMs)) return []
  return [covered(trialReason(id, currentPeriodEnd))]
}

const covered = (reason: string): Notice => ({ kind: 'covered', reason })
const endingReason = (id: string, endsAt: Date) => `ending:${id}:${endsAt.toISOString()}`
const trialReason = (id: string, endsAt: Date) => `trial:${id}:${endsAt.toISOString()}`

function stateNotices(row: NoticeRow, now: Date, isLong: boolean, legal: LegalSettings): Notice[] {
  const id = row.stripeSubscriptionId
  if (!id) return []
  if (row.status === 'past_due') {
    const accessUntil = row.entitledUntil
    if (!accessUntil) return []
    const since = row.unpaidSince?.toISOString() ?? 'now'
    return [{ kind: 'payment-failed', reason: `payment-failed:${id}:${since}`, accessUntil }]
  }
  if (!activeStatuses.has(row.status)) return []
  const { cancelAt, currentPeriodEnd, cardExpiresAt } = row
  if (cancelAt) {
    if (!isWithin(cancelAt, now, endingSoonMs)) return []
    return [{ kind: 'ending-soon', reason: endingReason(id, cancelAt), endsAt: cancelAt }]
  }
  const notices: Notice[] = []
  if (row.pauseStartsAt) {
    const { pauseEndsAt } = row
    if (!pauseEndsAt || !isWithin(pauseEndsAt, now, pauseEndingMs)) return []
    return [{ kind: 'pause-ending', reason: `pause-ending:${id}:${pauseEndsAt.toISOString()}`, pauseEndsAt }]
  }
  if (row.status === 'trialing' && currentPeriodEnd && isWithin(currentPeriodEnd, now, trialNoticeMs(row))) {
    notices.push({ kind: 'trial-ending', reason: trialReason(id, currentPeriodEnd), endsAt: currentPeriodEnd })
  }
  if (isLong && row.status === 'active' && currentPeriodEnd && isWithin(currentPeriodEnd, now, renewingSoonMs)) {
    const reason = `renewal:${id}:${currentPeriodEnd.toISOString()}`
    notices.push({ kind: 'renewing-soon', reason, renewsAt: currentPeriodEnd })
  }
  const { discountEndsAt, startedAt } = row
  if (legal.discountNotice && discountEndsAt && isWithin(discountEndsAt, now, longTrialEndingMs)) {
    const reason = `discount:${id}:${discountEndsAt.toISOString()}`
    notices.push({ kind: 'discount-ending', reason, endsAt: discountEndsAt })
  }
  if (legal.yearlyReminder && row.priceInterval && !isLong && startedAt) {
    const years = fullYears(startedAt, now)
    const sinceMs = now.getTime() - addMonths(startedAt, 12 * years).getTime()
    if (years > 0 && sinceMs < yearlyReminderMs) {
      notices.push({ kind: 'yearly-reminder', reason: `yearly:${id}:${years}`, startedAt })
    }
  }
  if (cardExpiresAt && now < cardExpiresAt && cardExpiresAt <= endOfNextMonth(now)) {
    notices.push({ kind: 'card-expiring', reason: `card:${id}:${cardExpiresAt.toISOString()}`, cardExpiresAt })
  }
  return notices
}

const trialNoticeMs = ({ currentPeriodStart: start, currentPeriodEnd: end }: NoticeRow) =>
  start && end && end.getTime() - start.getTime() > longTrialMs ? longTrialEndingMs : trialEndingMs

function fullYears(from: Date, now: Date): number {
  const years = now.getUTCFullYear() - from.getUTCFullYear()
  return addMonths(from, 12 * years) > now ? years - 1 : years
}

const isWithin = (instant: Date, now: Date, ms: number) => now < instant && instant.getTime() - now.getTime() <= ms

/** Start of the month after next, when a card that expires next month becomes invalid. */
export const endOfNextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1))
