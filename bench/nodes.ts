/**
 * `npm run bench -- nodes [counts …]`: one, two and four servers on one PostgreSQL. Idle: statements a second, per node.
 * Under load: processor time of a request, for the servers and the database together, since all of them share the cores of
 * one machine; what doesn't grow with the number of nodes scales with machines. The same for sending a mailing.
 *
 * Exits with 1 if an idle node sends more statements than its limit, or nodes scale to less than theirs, for every two.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { addManyUsers, signInSome } from './support/many-users.ts'
import {
  cpuMicros,
  cpuMicrosOfTree,
  parentOf,
  type Running,
  startProgram,
  temporaryDirectory,
} from './support/server.ts'
import { round } from './support/statistics.ts'

const counts = process.argv.slice(2).map(Number)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const idleSeconds = Number(process.env.BENCH_IDLE_SECONDS ?? 60)
/** Statements a second of an idle node (target 2), and what two nodes scale to (target 1.8). */
const limits = { idle: 6, scaling: 1.6 }
/** Of each node, so that all are busy. */
const connections = 20

const postgres = await startPostgres({ durable: true, settings: ['shared_preload_libraries=pg_stat_statements'] })
const directory = temporaryDirectory()
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()
await client.query('create extension pg_stat_statements')
const readNumber = async (query: string) => Number(Object.values((await client.query(query)).rows[0])[0])
const databasePid = parentOf(await readNumber('select pg_backend_pid()'))
const nodes: Running[] = []

async function startNode() {
  const env = { DATABASE_URL: postgres.url, SECRET_KEY: secret, LIMIT_TOKEN: '100000/300' }
  nodes.push(await startProgram(builtServer, { ...env, DATA_DIR: join(directory, String(nodes.length)) }))
}

async function countStatements() {
  await delay(20_000)
  await client.query('select pg_stat_statements_reset()')
  await delay(idleSeconds * 1000)
  const { rows } = await client.query(
    `select left(query, 90) as query, calls::int from pg_stat_statements where query not like '%pg_stat_statements%' order by calls desc`,
  )
  return rows as { query: string; calls: number }[]
}

const processorTime = () => nodes.reduce((sum, { pid }) => sum + cpuMicros(pid), 0) + cpuMicrosOfTree(databasePid)

async function request(tokens: readonly string[]) {
  const before = processorTime()
  const results = await Promise.all(
    nodes.map(({ url }) =>
      autocannon({
        url,
        connections,
        duration: seconds,
        requests: tokens.map((token) => ({
          method: 'POST',
          path: '/functions/v1/check-subscription',
          headers: { authorization: `Bearer ${token}` },
        })),
      }),
    ),
  )
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return (processorTime() - before) / results.reduce((sum, { requests }) => sum + requests.total, 0)
}

const secret = randomBytes(32).toString('hex')
const rows: { nodes: number; idle: number; micros: number }[] = []
try {
  await startNode()
  await addManyUsers(postgres.url, 1_000)
  const tokens = await signInSome(nodes[0]?.url ?? '', postgres.url, 400)
  for (const count of counts.length > 0 ? counts : [1, 2, 4]) {
    while (nodes.length < count) await startNode()
    const statements = await countStatements()
    // The first round warms up.
    await request(tokens)
    const micros = await request(tokens)
    const perNode = statements.reduce((sum, { calls }) => sum + calls, 0) / idleSeconds / count
    rows.push({ nodes: count, idle: round(perNode, 2), micros: round(micros) })
    console.log(`\n${count} nodes: the most frequent statements in ${idleSeconds} idle seconds`)
    console.table(statements.slice(0, 12))
    if (perNode > limits.idle) process.exitCode = 1
  }
  const scaled = rows.map((row) => ({ ...row, scalesTo: round((row.nodes * (rows[0]?.micros ?? 0)) / row.micros, 2) }))
  console.log('idle: statements a second, per node; micros: processor time of a request')
  console.table(scaled)
  if (scaled.some((row) => row.nodes > 1 && row.scalesTo < (limits.scaling * row.nodes) / 2)) process.exitCode = 1
} finally {
  await client.end()
  for (const node of nodes.reverse()) await node.stop()
  await postgres.stop()
}
