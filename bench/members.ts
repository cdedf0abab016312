/**
 * `npm run bench -- members [members] [url]`: time in the database for the first page of the members list on PostgreSQL, for
 * every filter and every pair of filters, on one warm connection. Uses a filled database if a URL is given.
 */
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { countMembers } from '#server/features/members/count-members.ts'
import { listMembers } from '#server/features/members/list-members.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyMembers } from './support/many-members.ts'
import { quantile, round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const given = process.argv[3]
const repetitions = Number(process.env.REPS ?? 20)

/** Common and rare values of each filter. */
const filters: Record<string, object> = {
  'status: active': { statuses: ['active'] },
  'status: on trial': { statuses: ['trial'] },
  'status: past due': { statuses: ['past_due'] },
  'status: team seat': { statuses: ['team_seat'] },
  'status: complimentary': { statuses: ['complimentary'] },
  'status: ended': { statuses: ['ended'] },
  'status: no plan': { statuses: ['free'] },
  'plan: monthly': { plans: ['pro_monthly'] },
  'plan: yearly': { plans: ['pro_yearly'] },
  'plan: team': { plans: ['team_monthly'] },
  unconfirmed: { account: ['unconfirmed'] },
  suppressed: { account: ['suppressed'] },
  disabled: { account: ['disabled'] },
  'focus area': { focusAreas: ['Finance'] },
  goal: { goals: ['Reduce costs'] },
  'AI level': { aiLevels: ['advanced'] },
  'vertical: common': { franchiseTypes: ['Food & Beverage'] },
  'vertical: rare': { franchiseTypes: ['Education'] },
  'locations: 2 or more': { locations: { min: 2, max: null } },
  'locations: 6': { locations: { min: 6, max: 6 } },
  'signed in this week': { engagement: { kind: 'signed_in', within: true, days: 7 } },
  'not signed in for 90 days': { engagement: { kind: 'signed_in', within: false, days: 90 } },
  'opened this month': { engagement: { kind: 'opened', within: true, days: 30 } },
  'clicked this month': { engagement: { kind: 'clicked', within: true, days: 30 } },
  'joined this week': { joined: { days: 7 } },
  'joined in 2022': { joined: { from: '2022-01-01', to: '2022-12-31' } },
  'renews this week': { renews: { days: 7 } },
  'tag: rare': { tags: ['vip'] },
  'tag: common': { tags: ['webinar'] },
  'tag: old members': { tags: ['newsletter 2022'] },
  'has notes': { noted: true },
  'search: rare': { search: 'miller77' },
  'search: common': { search: 'gmail' },
  'search: short': { search: 'an' },
}

const postgres = given ? null : await startPostgres({ durable: true })
const url = given ?? postgres?.url ?? ''
const database = await openPostgres(url)
const { db } = database
const config = readConfig({ NODE_ENV: 'test' })
try {
  if (!given) await addManyMembers(url, members)
  const now = new Date()
  const measure = async (run: () => Promise<unknown>) => {
    const times: number[] = []
    for (let turn = -2; turn < repetitions; turn += 1) {
      const startedAt = performance.now()
      await run()
      if (turn >= 0) times.push(performance.now() - startedAt)
    }
    return { p50: round(quantile(times, 0.5), 1), p95: round(quantile(times, 0.95), 1) }
  }
  const firstPage = (filter: object) =>
    measure(() => listMembers({ config, db }, { filter: memberFilterSchema.parse(filter), order: 'newest' }, now))

  const singles: Record<string, unknown>[] = []
  for (const [name, filter] of Object.entries({ 'no filter': {}, ...filters })) {
    const counted = await measure(() => countMembers({ config, db }, memberFilterSchema.parse(filter), now))
    const { count, isCapped } = await countMembers({ config, db }, memberFilterSchema.parse(filter), now)
    const page = await firstPage(filter)
    singles.push({ filter: name, members: isCapped ? `${count}+` : count, ...page, 'count p95': counted.p95 })
  }
  console.log(`\nFirst page, ${members} members, ms`)
  console.table(singles)

  const names = Object.entries(filters)
  const pairs: { pair: string; p50: number; p95: number }[] = []
  for (const [at, [one, first]] of names.entries()) {
    for (const [other, second] of names.slice(at + 1)) {
      // Two values of one filter are one filter.
      if (Object.keys(first).some((field) => field in second)) continue
      pairs.push({ pair: `${one} + ${other}`, ...(await firstPage({ ...first, ...second })) })
    }
  }
  pairs.sort((one, other) => other.p95 - one.p95)
  const slow = pairs.filter(({ p95 }) => p95 > 20)
  console.log(
    `${pairs.length} pairs; ${slow.length} with p95 above 20 ms; median of p95s ${round(
      quantile(
        pairs.map(({ p95 }) => p95),
        0.5,
      ),
      1,
    )} ms`,
  )
  console.table(pairs.slice(0, 40))
} finally {
  await database.close()
  await postgres?.stop()
}
