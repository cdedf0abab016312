/**
 * `npm run bench -- search [sections]`: the search with 10,000 sections and a million saved items on PostgreSQL, on one warm
 * connection. Sections are made of the real content's lines, so that words are as common as they are there. The baseline
 * is a read by primary key.
 */
import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { parse } from 'yaml'
import { openPostgres } from '#server/db/open-postgres.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { contentItems } from '#server/db/schema/index.ts'
import { searchColumns } from '#server/features/library/content/search-texts.ts'
import { rebuildVocabulary } from '#server/features/library/content/search-vocabulary.ts'
import { searchItems } from '#server/features/library/search/search-items.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import { aiLevels, focusAreas } from '#shared/domain/preferences.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyUsers } from './support/many-users.ts'
import { quantile, round } from './support/statistics.ts'

const sections = Number(process.argv[2] ?? 10_000)
const savedItems = 1_000_000
const itemsPerReader = 500
const repetitions = 300
const targetMs = 20

const questionsFile = new URL('../tests/integration/search/owner-questions.yaml', import.meta.url)
const questions = (parse(readFileSync(questionsFile, 'utf8')) as { ask: string }[]).map(({ ask }) => ask)

const postgres = await startPostgres({ durable: true })
const database = await openPostgres(postgres.url)
const { db } = database

let state = 1
/** The same numbers in every run. */
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

async function addSections(count: number) {
  const rows = await queryRows<{ title: string; summary: string; body: string }>(
    db,
    sql`select title, summary, body from content_items where kind in ('section', 'prompt')`,
  )
  const titles = rows.map(({ title }) => title)
  const summaries = rows.map(({ summary }) => summary)
  const lines = rows.flatMap(({ body }) => body.split('\n'))
  for (let start = 0; start < count; start += 200) {
    const batch = Array.from({ length: Math.min(200, count - start) }, (_, index) => {
      const texts = {
        title: `${pick(titles).split(' ').slice(0, 4).join(' ')} ${pick(titles)}`,
        headings: [pick(titles)],
        summary: pick(summaries),
        body: Array.from({ length: 12 }, () => pick(lines)).join('\n'),
      }
      const id = `bench--${start + index}`
      return {
        ...texts,
        ...searchColumns(texts),
        headings: texts.headings.join('\n'),
        kind: 'section' as const,
        id,
        path: `/portal/weekly-drops/bench#${id}`,
        publishedAt: new Date(Date.UTC(2026, 0, 1) - (start + index) * 3_600_000),
        changedAt: new Date(),
        focusAreas: [pick(focusAreas)],
        level: pick(aiLevels),
      }
    })
    await db.insert(contentItems).values(batch)
  }
  await db.transaction(rebuildVocabulary)
}

/** Adds readers, not items of one reader: the measured one has 500 in both cases. */
const addSavedItems = (count: number) =>
  database.background.execute(sql`
    insert into saved_items (user_id, kind, item_id, saved, at)
    select u.id, i.kind, i.id, true, now()
    from (select id from auth.users order by id limit ${Math.ceil(count / itemsPerReader)}) u,
      (select kind, id from content_items where kind = 'section' order by id limit ${itemsPerReader}) i
    on conflict do nothing`)

function readCpuMs(pid: number): number {
  const ticksPerSecond = 100
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return 0
  const fields = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

const filters = { kinds: [], focusAreas: [], levels: [], verticals: [], saved: false, tried: false }
const typo = (question: string) => {
  const words = question.split(' ')
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '')
  const swapped = longest.length > 4 ? `${longest.slice(0, 2)}${longest[3]}${longest[2]}${longest.slice(4)}` : longest
  return question.replace(longest, swapped)
}

try {
  await addManyUsers(postgres.url, savedItems / itemsPerReader)
  await seedContent({ database, clock: () => new Date() })
  await addSections(sections)
  await database.background.execute(sql`vacuum analyze`)
  const [reader] = await queryRows<{ id: string }>(db, sql`select id from auth.users order by id limit 1`)
  const userId = reader?.id ?? ''
  const search = (query: string, more: object = {}) =>
    searchItems(db, { ...filters, query, userId, isTyping: false, limit: 20, cursor: null, hiddenPages: [], ...more })
  const cases: [name: string, run: () => Promise<unknown>][] = [
    [
      'baseline: an item by its key',
      () =>
        queryRows(
          db,
          sql`select title from content_items where kind = 'section' and id = ${`bench--${random(sections)}`}`,
        ),
    ],
    ['owner’s question', () => search(pick(questions))],
    ['while typing', () => search(pick(questions).slice(0, 3 + random(20)), { isTyping: true })],
    ['with a typo', () => search(typo(pick(questions)))],
    ['a word of most sections', () => search(pick(['review', 'customer', 'ai', 'check', 'week']))],
    [
      'focus area and level',
      () => search(pick(questions), { focusAreas: [pick(focusAreas)], levels: [pick(aiLevels)] }),
    ],
    ['no word of the content', () => search(`xyzzy${random(1_000_000)}`)],
  ]
  const savedCase: (typeof cases)[number] = ['only saved items', () => search(pick(questions), { saved: true })]

  /** CPU time of the database's processes, which other work on the machine doesn't change; on Linux only. */
  const readDatabaseCpuMs = async () => {
    const rows = await queryRows<{ pid: number }>(
      db,
      sql`select pid from pg_stat_activity where datname = current_database()`,
    )
    return rows.reduce((sum, { pid }) => sum + readCpuMs(pid), 0)
  }
  const measure = async ([what, run]: (typeof cases)[number]) => {
    const times: number[] = []
    let cpuBefore = 0
    for (let turn = -30; turn < repetitions; turn += 1) {
      if (turn === 0) cpuBefore = await readDatabaseCpuMs()
      const startedAt = performance.now()
      await run()
      if (turn >= 0) times.push(performance.now() - startedAt)
    }
    const cpu = ((await readDatabaseCpuMs()) - cpuBefore) / repetitions
    return { what, cpu, p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
  }
  const measured = []
  for (const one of cases) measured.push(await measure(one))
  for (const saved of [10_000, savedItems]) {
    await addSavedItems(saved)
    await database.background.execute(sql`vacuum analyze saved_items`)
    const row = await measure(savedCase)
    const count = await queryRows<{ count: string }>(db, sql`select count(*) from saved_items`)
    measured.push({ ...row, what: `${row.what}, of ${count[0]?.count}` })
  }
  const baseline = measured[0]?.p95 ?? Number.NaN
  console.log(`\n${sections} sections`)
  console.table(
    measured.map(({ what, cpu, p50, p95 }) => ({
      what,
      'database CPU ms': round(cpu, 2),
      'p50 ms': round(p50, 2),
      'p95 ms': round(p95, 2),
      'p95 to baseline': round(p95 / baseline, 1),
      [`target ${targetMs} ms`]: p95 < targetMs ? 'met' : 'missed',
    })),
  )
} finally {
  await database.close()
  await postgres.stop()
}
