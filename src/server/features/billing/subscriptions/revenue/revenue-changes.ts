/** Seconds since 1970, as Stripe isCounted. */
type Second = number

/** One recurring price of a subscription, as a yearly amount. */
export type RecurringItem = {
  plan: string
  yearlyCents: number
  /** Price id and quantity. Items with the same key are the same. */
  priceKey: string
}

export type TimelineInvoice = {
  id: string
  at: Second
  /** Created by a plan change, not by a renewal. */
  isPlanChange: boolean
  void: boolean
  /** A renewal that was voided, as those during a pause are: nothing is paid for its period. */
  isPaused: boolean
  paidAt: Second | null
  /** Lines for a whole period that starts at `from`. */
  fullPeriods: readonly (RecurringItem & { from: Second })[]
  /** Prorated lines for the remainder of a period at a new price. */
  prorations: readonly (RecurringItem & { from: Second })[]
}

/** A subscription's billing history, from data that Stripe keeps permanently. */
export type BillingTimeline = {
  trial: { from: Second; to: Second } | null
  /** When it ended or Stripe stopped collecting. */
  billingEndedAt: Second | null
  /** Current items, after discounts. */
  currentItems: readonly RecurringItem[]
  /** Stripe's code, such as `usd`. */
  currency: string
  /** Unpaid invoice of a pending plan change. */
  pendingUpdateInvoice: string | null
  /** Oldest first. */
  invoices: readonly TimelineInvoice[]
}

export const changeKinds = ['new', 'returned', 'expansion', 'contraction', 'lost'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** One customer's gain or loss for one plan. A plan switch has two changes. */
export type Change = {
  at: Second
  plan: string
  kind: ChangeKind
  yearlyCents: number
  currency: string
  customers: number
}

type Snapshot = { at: Second; items: readonly RecurringItem[]; isPaused?: boolean }

/**
 * A subscription's items over time, from its first paid invoice after the trial until it ends. Prices come from invoices,
 * so the result doesn't depend on when we synced.
 * @param unbilledSince when a price that no invoice shows yet was first seen: a switch that is billed with the renewal
 */
function snapshotsOf(timeline: BillingTimeline, unbilledSince: Second | null): Snapshot[] {
  const invoices = timeline.invoices.filter((invoice) => isCounted(timeline, invoice))
  const start = Math.min(...invoices.flatMap(({ paidAt }) => paidAt ?? []))
  if (!Number.isFinite(start)) return []
  const paused = timeline.invoices.filter(({ isPaused }) => isPaused)
  const snapshots = [...invoices.flatMap(snapshotsOfInvoice), ...paused.map(snapshotOfPause)].toSorted(
    (a, b) => a.at - b.at,
  )
  const last = snapshots.at(-1)
  if (unbilledSince !== null && !last?.isPaused && !areSame(last?.items ?? [], timeline.currentItems))
    snapshots.push({ at: unbilledSince, items: timeline.currentItems })
  const end = timeline.billingEndedAt ?? Infinity
  return [
    ...snapshots.map((snapshot) => ({ ...snapshot, at: Math.max(snapshot.at, start) })).filter(({ at }) => at < end),
    ...(start < end && end < Infinity ? [{ at: end, items: [] }] : []),
  ]
}

function isCounted({ trial, pendingUpdateInvoice }: BillingTimeline, invoice: TimelineInvoice): boolean {
  const duringTrial = trial !== null && invoice.at >= trial.from && invoice.at < trial.to
  return !duringTrial && !invoice.void && invoice.id !== pendingUpdateInvoice
}

/** Our subscriptions have one item, so each line replaces the previous ones. */
function snapshotsOfInvoice({ at, isPlanChange, fullPeriods, prorations }: TimelineInvoice): Snapshot[] {
  // Prorations start at the preview; the switch itself comes minutes later. Earlier lines are from unbilled switches.
  const latest = Math.max(...prorations.map(({ from }) => from))
  const snapshots = prorations.map((line) => ({
    at: isPlanChange && fullPeriods.length === 0 && line.from === latest ? at : line.from,
    items: [line],
  }))
  const [first] = fullPeriods
  return first ? [...snapshots, { at: isPlanChange ? at : first.from, items: fullPeriods }] : snapshots
}

const snapshotOfPause = ({ at, fullPeriods }: TimelineInvoice): Snapshot => ({
  at: fullPeriods[0]?.from ?? at,
  items: [],
  isPaused: true,
})

const key = (items: readonly RecurringItem[]) =>
  items
    .map(({ priceKey }) => priceKey)
    .toSorted()
    .join()
const areSame = (some: readonly RecurringItem[], others: readonly RecurringItem[]) => key(some) === key(others)

/** Returns true if no invoice shows the subscription's current price yet. */
export function isUnbilled(timeline: BillingTimeline): boolean {
  const [last] = snapshotsOf({ ...timeline, billingEndedAt: null }, null).slice(-1)
  return last !== undefined && !last.isPaused && !areSame(last.items, timeline.currentItems)
}

/**
 * All changes of a customer's recurring revenue, oldest first. Each currency has its own: someone who changes from dollars
 * to euros is lost in one and new in the other.
 */
export function revenueChanges(timelines: readonly BillingTimeline[], unbilledSince: Second | null): Change[] {
  const currencies = [...new Set(timelines.map(({ currency }) => currency))].toSorted()
  const taken = new Set<string>()
  return currencies
    .flatMap((currency) => {
      const own = timelines.filter((timeline) => timeline.currency === currency)
      return changesIn(currency, own, unbilledSince).map((change) => apartFrom(taken, change))
    })
    .toSorted((a, b) => a.at - b.at)
}

/** Moves a change of a second currency on by seconds until no other change of the plan has its time, which is their key. */
function apartFrom(taken: Set<string>, change: Change): Change {
  let { at } = change
  while (taken.has(`${at} ${change.plan}`)) at += 1
  taken.add(`${at} ${change.plan}`)
  return { ...change, at }
}

function changesIn(currency: string, timelines: readonly BillingTimeline[], unbilledSince: Second | null): Change[] {
  const all = timelines.map((timeline) => snapshotsOf(timeline, unbilledSince))
  const instants = [...new Set(all.flat().map(({ at }) => at))].toSorted((a, b) => a - b)
  const changes: Change[] = []
  let before = new Map<string, number>()
  let paidBefore = false
  for (const at of instants) {
    const after = byPlan(all.flatMap((snapshots) => snapshots.findLast((snapshot) => snapshot.at <= at)?.items ?? []))
    const kind = kindOf(total(before), total(after), paidBefore)
    changes.push(...changesAt({ at, kind, currency }, before, after))
    paidBefore ||= total(after) > 0
    before = after
  }
  return changes
}

function byPlan(items: readonly Pick<RecurringItem, 'plan' | 'yearlyCents'>[]): Map<string, number> {
  const plans = new Map<string, number>()
  for (const { plan, yearlyCents } of items) plans.set(plan, (plans.get(plan) ?? 0) + yearlyCents)
  return plans
}

const total = (plans: ReadonlyMap<string, number>) => [...plans.values()].reduce((sum, cents) => sum + cents, 0)

function kindOf(before: number, after: number, paidBefore: boolean): ChangeKind {
  if (before === 0) return paidBefore ? 'returned' : 'new'
  if (after === 0) return 'lost'
  return after >= before ? 'expansion' : 'contraction'
}

function changesAt(
  change: Pick<Change, 'at' | 'kind' | 'currency'>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((plan) => {
    const was = before.get(plan) ?? 0
    const is = after.get(plan) ?? 0
    // A customer with a 100% discount isn't a paying customer.
    const customers = Number(is > 0) - Number(was > 0)
    return was === is ? [] : [{ ...change, plan, yearlyCents: is - was, customers }]
  })
}

/** Ends all active items of a customer that was deleted at Stripe. */
export function finalChanges(changes: readonly Change[], now: Second): Change[] {
  const at = Math.max(now, ...changes.map((change) => change.at + 1))
  const taken = new Set<string>()
  return [...new Set(changes.map(({ currency }) => currency))].toSorted().flatMap((currency) => {
    const running = byPlan(changes.filter((change) => change.currency === currency))
    return changesAt({ at, kind: 'lost', currency }, running, new Map()).map((change) => apartFrom(taken, change))
  })
}
