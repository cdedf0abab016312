/**
 * `npm run bench -- members [members] [url]`: time in the database for the first page of the members list on PostgreSQL, for
 * every filter and every pair of filters, on one warm connection. Times are those of the server for planning and executing
 * all statements of the page (pg_stat_statements), so the client isn't in them. Repetitions choose other values of the same
 * filters. Uses a filled database if a URL is given; it needs `shared_preload_libraries=pg_stat_statements` and
 * `pg_stat_statements.track_planning=on`.
 */
import pg from 'pg'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { countMembers } from '#server/features/operations/members/count-members.ts'
import { listMembers } from '#server/features/operations/members/list-members.ts'
import { type MemberOrder, memberOrders } from '#shared/contracts/operations/members.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyMembers } from './support/many-members.ts'
import { quantile, round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const given = process.argv[3]
const repetitions = 20
/** With 20 pages, p95 is the slowest one, so filters above the goal are measured again with more. */
const repetitionsOfSlow = 100
/** Other orders than the newest first, and counts: fewer, so that the whole run takes less than ten minutes. */
const repetitionsOfOthers = 3
const everyNth = 4
const goalMs = 100

/** Common and rare filters, each with values that find about as many members. */
const filters: Record<string, object[]> = {
  'status: active': [{ statuses: ['active'] }],
  'status: on trial': [{ statuses: ['trial'] }],
  'status: past due': [{ statuses: ['past_due'] }],
  'status: team seat': [{ statuses: ['team_seat'] }],
  'status: complimentary': [{ statuses: ['complimentary'] }],
  'status: ended': [{ statuses: ['ended'] }],
  'status: no plan': [{ statuses: ['none'] }],
  'status: free edition': [{ statuses: ['free'] }],
  'plan: monthly': [{ plans: ['pro_monthly'] }],
  'plan: yearly': [{ plans: ['pro_yearly'] }],
  'plan: team': [{ plans: ['team_monthly'] }],
  unconfirmed: [{ account: ['unconfirmed'] }],
  suppressed: [{ account: ['suppressed'] }],
  disabled: [{ account: ['disabled'] }],
  'focus area': ['Finance', 'Operations', 'Marketing', 'Technology'].map((area) => ({ focusAreas: [area] })),
  goal: ['Reduce costs', 'Increase efficiency', 'Stay competitive'].map((goal) => ({ goals: [goal] })),
  'AI level': ['advanced', 'intermediate'].map((level) => ({ aiLevels: [level] })),
  'vertical: common': ['Food & Beverage', 'Retail'].map((type) => ({ franchiseTypes: [type] })),
  'vertical: rare': ['Education', 'Health & Fitness'].map((type) => ({ franchiseTypes: [type] })),
  'locations: 2 or more': [{ locations: { min: 2, max: null } }],
  'locations: 6': [{ locations: { min: 6, max: 6 } }],
  'signed in this week': [7, 5, 6].map((days) => ({ engagement: { kind: 'signed_in', within: true, days } })),
  'not signed in for 90 days': [90, 60, 120].map((days) => ({
    engagement: { kind: 'signed_in', within: false, days },
  })),
  'opened this month': [30, 28, 25].map((days) => ({ engagement: { kind: 'opened', within: true, days } })),
  'clicked this month': [30, 28, 25].map((days) => ({ engagement: { kind: 'clicked', within: true, days } })),
  'joined this week': [7, 5, 6].map((days) => ({ joined: { days } })),
  'joined in one year': [2022, 2021, 2023].map((year) => ({ joined: { from: `${year}-01-01`, to: `${year}-12-31` } })),
  'renews this week': [7, 5, 6].map((days) => ({ renews: { days } })),
  'tag: rare': [{ tags: ['vip'] }],
  'tag: common': [{ tags: ['webinar'] }],
  'tag: old members': [{ tags: ['newsletter 2022'] }],
  'has notes': [{ noted: true }],
  'search: rare': ['miller77', 'rossi123', 'garcia5'].map((search) => ({ search })),
  'search: common': ['gmail', 'yahoo', 'nguyen'].map((search) => ({ search })),
  'search: short': ['an', 'be', 'h'].map((search) => ({ search })),
}

const settings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on']
const postgres = given ? null : await startPostgres({ durable: true, settings })
const url = given ?? postgres?.url ?? ''
const database = await openPostgres(url)
const { db } = database
const config = readConfig({ NODE_ENV: 'test' })
const statistics = new pg.Client({ connectionString: url })
await statistics.connect()

type Measured = { ms: number; buffers: number }

/** Server time and 8 kB buffers of all statements of `run`. */
async function inDatabase(run: () => Promise<unknown>): Promise<Measured> {
  await statistics.query('select pg_stat_statements_reset()')
  await run()
  const { rows } = await statistics.query(
    `select sum(total_plan_time + total_exec_time) as ms, sum(shared_blks_hit + shared_blks_read)::float as buffers
     from pg_stat_statements`,
  )
  return rows[0]
}

async function measure(name: string, turns: number, run: (turn: number) => Promise<unknown>) {
  const times: number[] = []
  const buffers: number[] = []
  for (let turn = -1; turn < turns; turn += 1) {
    const measured = await inDatabase(() => run(Math.max(turn, 0)))
    if (turn < 0) continue
    times.push(measured.ms)
    buffers.push(measured.buffers)
  }
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => round(quantile(times, share), 1))
  return { name, p50, p95, max, buffers: Math.max(...buffers) }
}
type Result = Awaited<ReturnType<typeof measure>>

function report(what: string, results: readonly Result[], shown: number) {
  const p95s = results.map(({ p95 }) => p95 ?? 0)
  const slow = p95s.filter((p95) => p95 > goalMs)
  const [p50, p95] = [0.5, 0.95].map((share) => round(quantile(p95s, share), 1))
  console.log(
    `\n${what}: ${results.length}; p95 above ${goalMs} ms: ${slow.length}; p95s: median ${p50}, p95 ${p95}, worst ${Math.max(...p95s)} ms`,
  )
  console.table(results.toSorted((one, other) => (other.p95 ?? 0) - (one.p95 ?? 0)).slice(0, shown))
}

try {
  if (!given) await addManyMembers(url, members)
  await statistics.query('create extension if not exists pg_stat_statements')
  await statistics.query(`set pg_stat_statements.track = 'none'`)
  const now = new Date()
  const at = (variants: readonly object[], turn: number) => variants[turn % variants.length]
  const page = (filter: object, order: MemberOrder = 'newest') =>
    listMembers({ config, db }, { filter: memberFilterSchema.parse(filter), order }, now)
  const count = (filter: object) => countMembers({ config, db }, memberFilterSchema.parse(filter), now)

  const singles: { names: string[]; filter: (turn: number) => object }[] = [
    { names: ['no filter'], filter: () => ({}) },
    ...Object.entries(filters).map(([name, variants]) => ({
      names: [name],
      filter: (turn: number) => ({ ...at(variants, turn) }),
    })),
  ]
  const entries = Object.entries(filters)
  const pairs = entries.flatMap(([one, first], position) =>
    entries.slice(position + 1).flatMap(([other, second]) =>
      // Two values of one filter are one filter.
      Object.keys(first[0] ?? {}).some((field) => field in (second[0] ?? {}))
        ? []
        : [
            {
              names: [one, other],
              filter: (turn: number) => ({ ...at(first, turn), ...at(second, Math.floor(turn / first.length)) }),
            },
          ],
    ),
  )
  const measureAll = async (list: typeof pairs, turns: number, run: (filter: object) => Promise<unknown>) => {
    const results: Result[] = []
    for (const { names, filter } of list) {
      results.push(await measure(names.join(' + '), turns, (turn) => run(filter(turn))))
    }
    return results
  }

  console.log(
    `${members} members; ms of planning and executing in PostgreSQL and 8 kB buffers touched, ${repetitions} pages each`,
  )
  for (const [what, list, shown] of [['one filter', singles, 12] as const, ['two filters', pairs, 40] as const]) {
    const results = await measureAll(list, repetitions, page)
    report(`First page, ${what}`, results, shown)
    const slow = list.filter((_, position) => (results[position]?.p95 ?? 0) > goalMs)
    if (slow.length === 0) continue
    report(`Those above, ${repetitionsOfSlow} pages each`, await measureAll(slow, repetitionsOfSlow, page), slow.length)
  }
  const some = [...singles, ...pairs].filter((_, position) => position % everyNth === 0)
  for (const order of (Object.keys(memberOrders) as MemberOrder[]).filter((name) => name !== 'newest')) {
    const results = await measureAll(some, repetitionsOfOthers, (filter) => page(filter, order))
    report(`First page by “${memberOrders[order]}”, every ${everyNth}th of these`, results, 10)
  }
  report(`Count, every ${everyNth}th of these`, await measureAll(some, repetitionsOfOthers, count), 10)
} finally {
  await statistics.end()
  await database.close()
  await postgres?.stop()
}
