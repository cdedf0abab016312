/**
 * `npm run bench -- members [members] [part]`: time in the database for the first page of the members list on
 * PostgreSQL, for every filter and every pair of filters, on one warm connection. With a part of a name, such as "field", only filters and
 * pairs with it in their names are measured. Times are those of the server for planning and executing all statements of the
 * page (pg_stat_statements), so the client isn't in them, and beside it the processor time. Repetitions choose other values of
 * the same filters.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { countMembers, listMembers } from '#server/features/operations/members/list-members.ts'
import { type MemberOrder, memberOrders } from '#shared/contracts/operations/members.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyMembers } from './support/many-members.ts'
import { quantile, round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const part = process.argv[3] ?? ''
const repetitions = 20
const repetitionsOfPairs = 5
/** With so few pages, p95 is the slowest one, so filters above the goal are measured again with more. */
const repetitionsOfSlow = 60
/** Other orders than the newest first, and counts: fewer, so that the whole run takes less than ten minutes. */
const repetitionsOfOthers = 3
const everyNth = 4
const goalMs = 100

/** Fields are those of `many-field-values.ts`. */
const byField = (...conditions: object[]) => conditions.map((condition) => ({ fields: [condition] }))

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
  'newsletter: common': [{ newsletters: ['newsletter:1'] }],
  'newsletter: rare': [{ newsletters: ['newsletter:2'] }],
  'turned off drops': [{ unsubscribedFrom: ['drops'] }],
  'turned off a newsletter': [{ unsubscribedFrom: ['newsletter:1'] }],
  source: ['google', 'newsletter'].map((source) => ({ sources: [source] })),
  'field text: common word': byField({ field: 1, words: 'north' }),
  'field text: rare words': byField({ field: 1, words: 'store 4160' }, { field: 1, words: 'store 77' }),
  'field choice: common': byField({ field: 3, anyOf: ['small'] }),
  'field choice: one of 50': byField({ field: 4, anyOf: ['supplier48'] }, { field: 4, anyOf: ['supplier20'] }),
  'field choices': byField({ field: 5, anyOf: ['interest1'] }, { field: 5, anyOf: ['interest7'] }),
  'field number: narrow': byField({ field: 6, min: 2_400_000, max: 2_409_999 }),
  'field number: range': byField({ field: 6, min: null, max: 1_000_000 }),
  'field date: day': byField({ field: 7, from: '2016-04-20', to: '2016-04-20' }),
  'field date: until': byField({ field: 7, from: null, to: '1990-02-28' }),
  'field yes: old members': byField({ field: 8, anyOf: ['yes'] }),
  'field not answered by many': byField({ field: 2, filled: false }),
  'search: rare': ['miller77', 'rossi123', 'garcia5'].map((search) => ({ search })),
  'search: common': ['gmail', 'yahoo', 'nguyen'].map((search) => ({ search })),
  'search: short': ['an', 'be', 'h'].map((search) => ({ search })),
}

const settings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on']
const postgres = await startPostgres({ durable: true, settings })
const { url } = postgres
// A busy disk isn't what is measured.
const database = await openPostgres(url, { queryTimeoutMs: 60_000 })
const { db } = database
const config = readConfig({ NODE_ENV: 'test' })
const statistics = new pg.Client({ connectionString: url })
await statistics.connect()

type Filter = { fields?: { field: number }[] }

/** Two values of one filter are one filter, except for conditions on two fields. */
const isOneFilter = (one: Filter = {}, other: Filter = {}) =>
  one.fields && other.fields
    ? one.fields[0]?.field === other.fields[0]?.field
    : Object.keys(one).some((name) => name in other)

const both = (one: Filter = {}, other: Filter = {}): object =>
  one.fields && other.fields ? { fields: [...one.fields, ...other.fields] } : { ...one, ...other }

type Measured = { ms: number; cpuMs: number; buffers: number }

/** Processor time of the connections, which other work on the machine doesn't change. */
async function readCpuMs(): Promise<number> {
  const { rows } = await statistics.query(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  const times = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

/** Server time and 8 kB buffers of all statements of `run`. */
async function inDatabase(run: () => Promise<unknown>): Promise<Measured> {
  await statistics.query('select pg_stat_statements_reset()')
  const cpuBefore = await readCpuMs()
  await run()
  const cpuMs = (await readCpuMs()) - cpuBefore
  const { rows } = await statistics.query(
    `select sum(total_plan_time + total_exec_time) as ms, sum(shared_blks_hit + shared_blks_read)::float as buffers
     from pg_stat_statements`,
  )
  return { ...rows[0], cpuMs }
}

async function measure(name: string, turns: number, run: (turn: number) => Promise<unknown>) {
  const times: number[] = []
  const cpuTimes: number[] = []
  const buffers: number[] = []
  for (let turn = -1; turn < turns; turn += 1) {
    const measured = await inDatabase(() => run(Math.max(turn, 0)))
    if (turn < 0) continue
    times.push(measured.ms)
    cpuTimes.push(measured.cpuMs)
    buffers.push(measured.buffers)
  }
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => round(quantile(times, share), 1))
  const [cpu50, cpu95] = [0.5, 0.95].map((share) => round(quantile(cpuTimes, share), 1))
  return { name, p50, p95, max, cpu50, cpu95, buffers: Math.max(...buffers) }
}
type Result = Awaited<ReturnType<typeof measure>>

function report(what: string, results: readonly Result[], shown: number) {
  const cpu = results.map(({ cpu95 }) => cpu95 ?? 0)
  const slow = results.filter(isSlow)
  const [median, p95] = [0.5, 0.95].map((share) => round(quantile(cpu, share), 1))
  console.log(
    `\n${what}: ${results.length}; above ${goalMs} ms: ${slow.length}; p95s of processor time: median ${median}, p95 ${p95}, worst ${Math.max(...cpu)} ms; load average ${loadavg()[0]}`,
  )
  console.table(results.toSorted((one, other) => (other.cpu95 ?? 0) - (one.cpu95 ?? 0)).slice(0, shown))
}

const isSlow = ({ cpu95 = 0 }: Result) => cpu95 > goalMs

try {
  await addManyMembers(url, members)
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
      isOneFilter(first[0], second[0])
        ? []
        : [
            {
              names: [one, other],
              filter: (turn: number) => both(at(first, turn), at(second, Math.floor(turn / first.length))),
            },
          ],
    ),
  )
  const isMeasured = ({ names }: { names: string[] }) => names.join(' + ').includes(part)
  const measureAll = async (list: typeof pairs, turns: number, run: (filter: object) => Promise<unknown>) => {
    const results: Result[] = []
    for (const { names, filter } of list) {
      results.push(await measure(names.join(' + '), turns, (turn) => run(filter(turn))))
    }
    return results
  }

  console.log(
    `${members} members; ms of planning and executing in PostgreSQL and 8 kB buffers touched; load average ${loadavg()[0]}`,
  )
  const floor = () =>
    db.execute(sql`select f.*, u.email from member_facts f join auth.users u on u.id = f.user_id
    order by f.created_at desc, f.user_id desc limit 51`)
  report('Plain read of 51 members by the index', [await measure('floor', repetitions, floor)], 1)

  for (const [what, all, turns, shown] of [
    ['one filter', singles, repetitions, 12] as const,
    ['two filters', pairs, repetitionsOfPairs, 40] as const,
  ]) {
    const list = all.filter(isMeasured)
    const results = await measureAll(list, turns, page)
    report(`First page, ${what}`, results, shown)
    const slow = list.filter((_, position) => results[position] && isSlow(results[position]))
    if (slow.length === 0) continue
    report(`Those above, ${repetitionsOfSlow} pages each`, await measureAll(slow, repetitionsOfSlow, page), slow.length)
  }
  const some = [...singles, ...pairs].filter(isMeasured).filter((_, position) => position % everyNth === 0)
  for (const order of (Object.keys(memberOrders) as MemberOrder[]).filter((name) => name !== 'newest')) {
    const results = await measureAll(some, repetitionsOfOthers, (filter) => page(filter, order))
    report(`First page by “${memberOrders[order]}”, every ${everyNth}th of these`, results, 10)
  }
  report(`Count, every ${everyNth}th of these`, await measureAll(some, repetitionsOfOthers, count), 10)
} finally {
  await statistics.end()
  await database.close()
  await postgres.stop()
}
