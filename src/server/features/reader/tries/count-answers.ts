import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { tryTotals } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { planNameOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import type { TriedItem, TryBreakdown } from '#shared/contracts/reader/tries.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import {
  type AnswerGroup,
  answersIn,
  combineSmallGroups,
  minAnswers,
  type TryOutcome,
} from '#shared/domain/try-outcomes.ts'

type Config = Pick<Deps['config'], 'settings' | 'stripe'>

/**
 * Adds new, changed and removed answers to the item's totals once there are at least five of them (1% of a large total),
 * so that the difference between two views of the totals is never one reader's answer.
 */
export async function countAnswers(tx: Tx, config: Config, item: TriedItem, now: Date): Promise<void> {
  const known = await readTotals(tx, item)
  const enough = Math.max(minAnswers, Math.floor(known.total / 100))
  if ((await countUncounted(tx, item, enough)) + known.gone < enough) return
  await tx.insert(tryTotals).values({ kind: item.kind, itemId: item.id }).onConflictDoNothing()
  // One transaction at a time counts an item. Answers that another one is changing wait for the next count.
  const { gone } = await readTotals(tx, item, true)
  const chosen = await queryRows<{ user_id: string }>(
    tx,
    sql`select user_id from tries where ${isUncounted(item)} for update skip locked`,
  )
  if (chosen.length + gone < enough) return
  await tx.execute(sql`update tries set counted_outcome = outcome
    where kind = ${item.kind} and item_id = ${item.id}
      and user_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(chosen.map((row) => row.user_id))}::jsonb))`)
  const answers = await readCounted(tx, config, item, now)
  const totals = groupBy(answers, () => '')[0] ?? noAnswers
  await tx
    .update(tryTotals)
    .set({
      worked: totals.worked,
      workedWithChanges: totals.workedWithChanges,
      didNotWork: totals.didNotWork,
      gone: 0,
      breakdown: answersIn(totals) >= minAnswers ? breakdownOf(config, answers) : null,
      countedAt: now,
    })
    .where(isItem(item))
}

/** Answers of a deleted account stay in the totals until the next count, like any change. */
export async function forgetTries(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`update try_totals set gone = gone + 1
    from tries t where t.user_id = ${userId}::uuid and t.counted_outcome is not null
      and t.kind = try_totals.kind and t.item_id = try_totals.item_id`)
}

const isItem = ({ kind, id }: TriedItem) => and(eq(tryTotals.kind, kind), eq(tryTotals.itemId, id))
const isUncounted = ({ kind, id }: TriedItem) =>
  sql`kind = ${kind} and item_id = ${id} and outcome is distinct from counted_outcome`

async function readTotals(tx: Tx, item: TriedItem, lock = false) {
  const query = tx.select().from(tryTotals).where(isItem(item))
  const [row] = await (lock ? query.for('update') : query)
  return row ? { gone: row.gone, total: answersIn(row) } : { gone: 0, total: 0 }
}

async function countUncounted(tx: Tx, item: TriedItem, limit: number): Promise<number> {
  const rows = await queryRows(tx, sql`select 1 from tries where ${isUncounted(item)} limit ${limit}`)
  return rows.length
}

/** How many readers with the same preferences, plan and minutes gave an answer. */
type Counted = {
  outcome: TryOutcome
  trade: string | null
  level: string | null
  product: string | null
  /** False for readers without access, who still count in the totals. */
  plan: boolean
  minutes: number | null
  readers: number
}

function readCounted(tx: Tx, config: Config, { kind, id }: TriedItem, now: Date): Promise<Counted[]> {
  const access = accessSql(config, sql`u`, now)
  return queryRows<Counted>(
    tx,
    sql`select t.counted_outcome as outcome, answers.franchise_type as trade, answers.ai_level as level,
        ${access.productId} as product, ${access.entitled} as plan,
        case when t.outcome = t.counted_outcome then t.minutes_per_week end as minutes, count(*)::int as readers
      from tries t join auth.users u on u.id = t.user_id ${access.joins}
        left join user_preferences answers on answers.user_id = t.user_id
      where t.kind = ${kind} and t.item_id = ${id} and ${isNotNull(sql`t.counted_outcome`)}
      group by 1, 2, 3, 4, 5, 6`,
  )
}

const noAnswers = { worked: 0, workedWithChanges: 0, didNotWork: 0 }

function breakdownOf(config: Config, answers: readonly Counted[]): TryBreakdown {
  const planOf = ({ plan, product }: Counted) =>
    product ? planNameOf(config, product) : plan ? 'Complimentary access' : 'No plan now'
  const levelOf = ({ level }: Counted) =>
    !level ? 'No level chosen' : optionLabel(config.settings.publication, 'aiLevel', level)
  const tradeOf = ({ trade }: Counted) =>
    trade === null ? 'No trade chosen' : optionLabel(config.settings.publication, 'franchiseType', trade)
  return {
    trades: combineSmallGroups(groupBy(answers, tradeOf), 'Other trades'),
    levels: combineSmallGroups(groupBy(answers, levelOf), 'Other levels'),
    plans: combineSmallGroups(groupBy(answers, planOf), 'Other plans'),
    minutes: medianMinutes(answers),
  }
}

const totalOf: Record<TryOutcome, keyof typeof noAnswers> = {
  worked: 'worked',
  'worked-with-changes': 'workedWithChanges',
  'did-not-work': 'didNotWork',
}

function groupBy(answers: readonly Counted[], nameOf: (answer: Counted) => string): AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>()
  for (const answer of answers) {
    const name = nameOf(answer)
    const group = groups.get(name) ?? { name, ...noAnswers }
    group[totalOf[answer.outcome]] += answer.readers
    groups.set(name, group)
  }
  return [...groups.values()]
}

function medianMinutes(answers: readonly Counted[]): TryBreakdown['minutes'] {
  const given = answers
    .flatMap(({ minutes, readers }) => (minutes === null ? [] : [{ minutes, readers }]))
    .toSorted((a, b) => a.minutes - b.minutes)
  const readers = given.reduce((sum, each) => sum + each.readers, 0)
  if (readers < minAnswers) return null
  let before = 0
  for (const each of given) {
    before += each.readers
    if (before * 2 >= readers) return { median: each.minutes, readers }
  }
  return null
}
