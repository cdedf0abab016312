/** Seconds since 1970, as Stripe counts. */
type Second = number

/** What a subscription comes to in a year, in one price. */
export type Share = {
  plan: string
  yearlyCents: number
  /** Price and quantity: what tells whether two shares are the same thing. */
  what: string
}

export type TimelineInvoice = {
  id: string
  at: Second
  /** Made by a change of the plan and not by the calendar. */
  bySwitch: boolean
  void: boolean
  paidAt: Second | null
  /** Lines that charge a whole period, which begins at `from`. */
  full: readonly (Share & { from: Second })[]
  /** Lines that charge the rest of a period at another price from then on. */
  rest: readonly (Share & { from: Second })[]
}

/** What Stripe keeps of a subscription for good. */
export type BillingTimeline = {
  trial: { from: Second; to: Second } | null
  /** When it ended, or Stripe stopped to ask for money. */
  stoppedAt: Second | null
  /** As it stands now, discounts included. */
  now: readonly Share[]
  /** The bill of a change that waits for its payment. */
  waitingFor: string | null
  /** Oldest first. */
  invoices: readonly TimelineInvoice[]
}

export const changeKinds = ['new', 'returned', 'expansion', 'contraction', 'lost'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** One line of a customer's history: what a plan gained or lost with them. A switch has two. */
export type Change = { at: Second; plan: string; kind: ChangeKind; yearlyCents: number; customers: number }

type Step = { at: Second; shares: readonly Share[] }

/**
 * What a subscription came to, step by step. It counts from its first paid invoice, or the first one after the trial,
 * and until it ends; an unpaid renewal changes nothing before. Prices are taken from the invoices, where Stripe keeps
 * them at their instants, so that it does not matter when or in what order we looked.
 * @param unbilledSince when a price was first seen that no invoice shows yet: a switch whose bill waits for the renewal
 */
function stepsOf(story: BillingTimeline, unbilledSince: Second | null): Step[] {
  const invoices = story.invoices.filter((invoice) => counts(story, invoice))
  const start = Math.min(...invoices.flatMap(({ paidAt }) => paidAt ?? []))
  if (!Number.isFinite(start)) return []
  const steps = invoices.flatMap(stepsOfInvoice).toSorted((a, b) => a.at - b.at)
  const last = steps.at(-1)?.shares ?? []
  if (unbilledSince !== null && !areSame(last, story.now)) steps.push({ at: unbilledSince, shares: story.now })
  const end = story.stoppedAt ?? Infinity
  return [
    ...steps.map(({ at, shares }) => ({ at: Math.max(at, start), shares })).filter(({ at }) => at < end),
    ...(start < end && end < Infinity ? [{ at: end, shares: [] }] : []),
  ]
}

function counts({ trial, waitingFor }: BillingTimeline, invoice: TimelineInvoice): boolean {
  const duringTrial = trial !== null && invoice.at >= trial.from && invoice.at < trial.to
  return !duringTrial && !invoice.void && invoice.id !== waitingFor
}

/** Our subscriptions have one item, so each line says what the whole comes to from its instant on. */
function stepsOfInvoice({ at, bySwitch, full, rest }: TimelineInvoice): Step[] {
  // A switch is reckoned from the second of its preview and made some minutes later. Older lines waited for this bill.
  const latest = Math.max(...rest.map(({ from }) => from))
  const steps = rest.map((line) => ({
    at: bySwitch && full.length === 0 && line.from === latest ? at : line.from,
    shares: [line],
  }))
  const [first] = full
  return first ? [...steps, { at: bySwitch ? at : first.from, shares: full }] : steps
}

const key = (shares: readonly Share[]) =>
  shares
    .map(({ what }) => what)
    .toSorted()
    .join()
const areSame = (some: readonly Share[], others: readonly Share[]) => key(some) === key(others)

/** Whether the subscription runs at a price that none of its invoices shows. */
export function isUnbilled(story: BillingTimeline): boolean {
  const [last] = stepsOf({ ...story, stoppedAt: null }, null).slice(-1)
  return last !== undefined && !areSame(last.shares, story.now)
}

/** All changes of what a customer pays regularly, oldest first. */
export function revenueChanges(stories: readonly BillingTimeline[], unbilledSince: Second | null): Change[] {
  const all = stories.map((story) => stepsOf(story, unbilledSince))
  const instants = [...new Set(all.flat().map(({ at }) => at))].toSorted((a, b) => a - b)
  const changes: Change[] = []
  let before = new Map<string, number>()
  let paidBefore = false
  for (const at of instants) {
    const after = byPlan(all.flatMap((steps) => steps.findLast((step) => step.at <= at)?.shares ?? []))
    const kind = kindOf(total(before), total(after), paidBefore)
    changes.push(...linesOf({ at, kind }, before, after))
    paidBefore ||= total(after) > 0
    before = after
  }
  return changes
}

function byPlan(shares: readonly Share[]): Map<string, number> {
  const plans = new Map<string, number>()
  for (const { plan, yearlyCents } of shares) plans.set(plan, (plans.get(plan) ?? 0) + yearlyCents)
  return plans
}

const total = (plans: ReadonlyMap<string, number>) => [...plans.values()].reduce((sum, cents) => sum + cents, 0)

function kindOf(before: number, after: number, paidBefore: boolean): ChangeKind {
  if (before === 0) return paidBefore ? 'returned' : 'new'
  if (after === 0) return 'lost'
  return after >= before ? 'expansion' : 'contraction'
}

function linesOf(
  change: Pick<Change, 'at' | 'kind'>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((plan) => {
    const was = before.get(plan) ?? 0
    const is = after.get(plan) ?? 0
    // Whoever pays nothing is no paying customer, whatever plan they have.
    const customers = Number(is > 0) - Number(was > 0)
    return was === is ? [] : [{ ...change, plan, yearlyCents: is - was, customers }]
  })
}

/** Ends whatever still runs, since a customer whom Stripe no longer knows pays nothing more. */
export function finalChanges(changes: readonly Change[], now: Second): Change[] {
  const at = Math.max(now, ...changes.map((change) => change.at + 1))
  const running = new Map<string, number>()
  for (const { plan, yearlyCents } of changes) running.set(plan, (running.get(plan) ?? 0) + yearlyCents)
  return linesOf({ at, kind: 'lost' }, running, new Map())
}
