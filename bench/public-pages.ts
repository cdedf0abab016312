/**
 * `npm run bench -- public-pages [drops]`: requests per second of public pages compared with a static file of the same
 * server, in alternating rounds with 20 connections, on PostgreSQL with many drops. Compare the ratios.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { cpuMicros, residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const drops = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)

/** Copies of the newest drop, one a day into the past, with all of its sections. */
async function addDrops(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = async (table: string, changed: string) => {
    const { rows } = await client.query(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_name = $1 and not column_name = any ($2)`,
      [table, changed.split(' ')],
    )
    return String(rows[0]?.names)
  }
  const drop = await columns('issues', 'id slug date')
  const section = await columns('issue_sections', 'id issue_id')
  await client.query(
    `insert into issues (id, slug, date, ${drop})
      select 'copy-' || n, 'copy-' || n, newest.date - n, ${drop}
        from (select * from issues order by date desc limit 1) newest, generate_series(1, ${count}) n`,
  )
  await client.query(
    `insert into issue_sections (id, issue_id, ${section})
      select 'copy-' || n || '-' || id, 'copy-' || n, ${section} from generate_series(1, ${count}) n, issue_sections
        where issue_id = (select id from issues where id not like 'copy-%' order by date desc limit 1)`,
  )
  await client.query('analyze')
  await client.end()
}

type Target = {
  name: string
  paths: readonly string[]
  /** The entity tag that the client has already. */
  unchanged?: string
}

async function load({ paths, unchanged }: Target) {
  const status = unchanged ? 304 : 200
  const cpuBefore = cpuMicros(server.pid)
  const result = await autocannon({
    url: server.url,
    connections: 20,
    duration: seconds,
    requests: paths.map((path) => ({
      path,
      headers: { 'accept-encoding': 'br', ...(unchanged && { 'if-none-match': unchanged }) },
    })),
  })
  const wrong = result.requests.total - (result.statusCodeStats?.[`${status}`]?.count ?? 0)
  if (wrong > 0 || result.errors > 0) throw new Error(`${paths[0]}: ${wrong} other answers, ${result.errors} errors`)
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    cpu: (cpuMicros(server.pid) - cpuBefore) / result.requests.total,
  }
}

/** Compares with the first target, in alternating rounds. */
async function compare(targets: readonly Target[]) {
  const results = targets.map(() => [] as Awaited<ReturnType<typeof load>>[])
  for (let turn = 0; turn < rounds + 1; turn += 1) {
    for (const [index, target] of targets.entries()) {
      const result = await load(target)
      // The first round warms up.
      if (turn > 0) results[index]?.push(result)
    }
  }
  const middle = (index: number, name: 'perSecond' | 'p99' | 'cpu') =>
    median((results[index] ?? []).map((result) => result[name]))
  console.table(
    targets.map(({ name }, index) => ({
      page: name,
      'requests/s': round(middle(index, 'perSecond')),
      'p99 ms': middle(index, 'p99'),
      'server CPU µs': round(middle(index, 'cpu')),
      'ratio to the static file': round(middle(index, 'perSecond') / middle(0, 'perSecond'), 2),
    })),
  )
}

const postgres = await startPostgres({ durable: true })
const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const server = await startProgram('src/server/main.ts', { DATABASE_URL: postgres.url, DATA_DIR: directory })
try {
  await addDrops(postgres.url, drops)
  const assets = readdirSync(fileURLToPath(new URL('../dist/client/assets', import.meta.url)))
  const pathOf = (number: number) => `/drops/copy-${number}`
  const bytesOf = async (path: string) =>
    (await (await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } })).bytes()).length
  const dropBytes = await bytesOf(pathOf(1))
  const sizes = await Promise.all(
    assets
      .filter((name) => /\.(?:js|css)$/.test(name))
      .map(async (name) => ({ name, bytes: await bytesOf(`/assets/${name}`) })),
  )
  const nearest = sizes.toSorted((a, b) => Math.abs(a.bytes - dropBytes) - Math.abs(b.bytes - dropBytes))
  console.log(`A drop page has ${dropBytes} bytes, and the static file ${nearest[0]?.bytes}, before compression`)
  const random = (below: number) => 1 + Math.floor(Math.random() * below)
  const feed = await fetch(`${server.url}/feed.xml`)
  await compare([
    { name: 'a static file of that size', paths: [`/assets/${nearest[0]?.name}`] },
    { name: '/drops/:slug, one drop', paths: [pathOf(1)] },
    { name: '/drops', paths: ['/drops'] },
    { name: '/feed.xml, unchanged', paths: ['/feed.xml'], unchanged: feed.headers.get('etag') ?? '' },
  ])
  // The load generator is slower with many addresses, so they have a floor of their own.
  const files: Target = {
    name: 'static files of about that size',
    paths: Array.from({ length: 300 }, (_, index) => `/assets/${nearest[index % 12]?.name}`),
  }
  await compare([
    files,
    { name: '/drops/:slug, the newest 300', paths: Array.from({ length: 300 }, (_, index) => pathOf(index + 1)) },
  ])
  // More than the cache holds, so most of them are rendered.
  await compare([
    files,
    { name: '/drops/:slug, any at random', paths: Array.from({ length: drops }, () => pathOf(random(drops))) },
  ])
  console.log(`Memory: ${round(residentMb(server.pid))} MB`)
} finally {
  await server.stop()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
