import { addPeriods, type BillingInterval } from './billing-interval.ts'
import { dayMs } from './durations.ts'
import { formatDuration, formatMoney } from './format.ts'
import { addMonths as addToMonth } from './publishing-calendar.ts'
import { minutesBetween, type TryDay, worthCents } from './value-of-tries.ts'

/** What turned up money, each with a drop or tool that shows how to find it. */
export const moneySources = ['royalty', 'commission', 'no-shows'] as const
export type MoneySource = (typeof moneySources)[number]

/** A store, or null for what belongs to the business as a whole. */
type OfStore = { storeId: string | null }
export type StoreMoney = OfStore & { month: string; source: MoneySource; cents: number; note: string }

/** Days are calendar days of the publication, months "2026-05". */
export type ReceiptFacts = {
  stores: readonly { id: string; name: string }[]
  /** The answers of one person about one item. */
  tried: readonly (OfStore & { answers: readonly TryDay[] })[]
  money: readonly StoreMoney[]
  tasks: readonly (OfStore & { dueOn: string; doneOn: string | null })[]
  /** Paid on that day for a period, less refunds. */
  payments: readonly (BillingInterval & { day: string; cents: number })[]
  wageCents: number | null
}

export type ReceiptRow = OfStore & {
  /** Null for the business as a whole. */
  name: string | null
  minutes: number
  timeCents: number
  money: Omit<StoreMoney, 'storeId' | 'month'>[]
  moneyCents: number
  due: number
  onTime: number
}

export type Receipt = { rows: ReceiptRow[]; minutes: number; timeCents: number; moneyCents: number; costCents: number }

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/**
 * One month by store. Each answer, amount and task counts in one row only; minutes and worth are rounded down for each, the
 * plan's cost is rounded up. `today` doesn't count yet.
 */
export function receiptOf(facts: ReceiptFacts, month: string, today: string): Receipt {
  const [first, next] = [`${month}-01`, `${addToMonth(month, 1)}-01`]
  const until = today < next ? today : next
  const stores = [...facts.stores, { id: null, name: null }]
  const isKnown = (id: string | null) => facts.stores.some((store) => store.id === id)
  const rows = stores.map(({ id, name }): ReceiptRow => {
    // What was for a deleted store stays with the business.
    const isHere = ({ storeId }: OfStore) => (isKnown(storeId) ? storeId : null) === id
    const minutes = sum(facts.tried.filter(isHere).map(({ answers }) => minutesBetween(answers, first, until)))
    const money = facts.money.filter((entry) => isHere(entry) && entry.month === month)
    const due = facts.tasks.filter((task) => isHere(task) && task.dueOn.startsWith(month) && task.dueOn < today)
    return {
      storeId: id,
      name,
      minutes,
      timeCents: worthCents(minutes, facts.wageCents ?? 0),
      money: money.map(({ source, cents, note }) => ({ source, cents, note })),
      moneyCents: sum(money.map(({ cents }) => cents)),
      due: due.length,
      onTime: due.filter(({ dueOn, doneOn }) => doneOn !== null && doneOn <= dueOn).length,
    }
  })
  return {
    rows: rows.filter(({ storeId, minutes, moneyCents, due }) => storeId !== null || minutes + moneyCents + due > 0),
    minutes: sum(rows.map(({ minutes }) => minutes)),
    timeCents: sum(rows.map(({ timeCents }) => timeCents)),
    moneyCents: sum(rows.map(({ moneyCents }) => moneyCents)),
    costCents: Math.ceil(sum(facts.payments.map((payment) => costBetween(payment, first, next)))),
  }
}

const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs

/** A payment is spread over the days that it pays for. */
function costBetween({ day, cents, ...every }: ReceiptFacts['payments'][number], first: string, next: string): number {
  const start = numberOf(day)
  const end = addPeriods(new Date(`${day}T00:00:00Z`), every, 1).getTime() / dayMs
  const days = Math.min(end, numberOf(next)) - Math.max(start, numberOf(first))
  return days > 0 ? (cents * days) / (end - start) : 0
}

/** What twelve months up to and with `month` brought, in cents. */
export const yearCents = (facts: ReceiptFacts, month: string, today: string): number =>
  sum(
    Array.from({ length: 12 }, (_, back) => receiptOf(facts, addToMonth(month, -back), today)).map(
      ({ timeCents, moneyCents }) => timeCents + moneyCents,
    ),
  )

export const moneySourceNames: Record<MoneySource, string> = {
  royalty: 'Royalty found',
  commission: 'Commission audit',
  'no-shows': 'No-shows',
}

type Described = { currency: string; wageCents: number | null }

/** "Royalty found: $120.00 (statement of May 4)" */
export const describeMoney = (
  { source, cents, note }: Pick<StoreMoney, 'source' | 'cents' | 'note'>,
  currency: string,
): string => `${moneySourceNames[source]}: ${formatMoney(cents, currency)}${note ? ` (${note})` : ''}`

/** "1 hr 30 min saved, $30.00" */
export const describeTime = ({ minutes, timeCents }: Pick<ReceiptRow, 'minutes' | 'timeCents'>, currency: string) =>
  `${formatDuration(minutes)} saved${timeCents > 0 ? `, ${formatMoney(timeCents, currency)}` : ''}`

export const describeTasks = ({ due, onTime }: Pick<ReceiptRow, 'due' | 'onTime'>): string =>
  due === 0 ? 'No tasks due' : `${onTime} of ${due} tasks done on time`

/** Name, figure and source of each sum. */
export const describeTotals = (receipt: Omit<Receipt, 'rows'> & Described): [string, string, string][] => {
  const { minutes, timeCents, moneyCents, costCents, currency, wageCents } = receipt
  const money = (cents: number) => formatMoney(cents, currency)
  const time = formatDuration(minutes)
  return [
    wageCents === null
      ? ['Time saved', time, 'An hourly wage shows what it is worth.']
      : ['Time saved', money(timeCents), `${time} at ${money(wageCents)} an hour, as entered.`],
    ['Money found', money(moneyCents), 'Each amount counts once, as entered.'],
    ['The plan', money(costCents), 'Paid invoices less refunds, spread over the days they pay for.'],
  ]
}

export const receiptRules =
  'Minutes count from the day of the answer, and “Didn’t work” adds nothing. Those of someone without one store of their own count for the business. Amounts are rounded down, the plan’s cost is rounded up. Estimates, not a measurement.'
