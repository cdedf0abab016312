/**
 * `npm run bench -- hot-reads [users …]`: requests per second of frequent reads compared with a bare route, in alternating
 * rounds on one PostgreSQL with default durability, 20 connections, 400 random users. Compare the ratios.
 */
import { randomBytes } from 'node:crypto'
import autocannon from 'autocannon'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { addManyUsers, signInSome } from './support/many-users.ts'
import { cpuMicros, type Running, startProgram, temporaryDirectory } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const sizes = process.argv.slice(2).map(Number)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)

type Target = { name: string; program: Running; method: 'GET' | 'POST'; path(token: string): string }

const subjectOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub

async function load(target: Target, tokens: readonly string[]) {
  const { url, pid } = target.program
  const cpuBefore = cpuMicros(pid)
  const result = await autocannon({
    url,
    connections: 20,
    duration: seconds,
    requests: tokens.map((token) => ({
      method: target.method,
      path: target.path(token),
      headers: { authorization: `Bearer ${token}` },
    })),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.name}: ${result.non2xx} refusals, ${result.errors} errors`)
  const cpu = (cpuMicros(pid) - cpuBefore) / result.requests.total
  return { perSecond: result.requests.average, p99: result.latency.p99, cpu }
}

async function measure(users: number) {
  const postgres = await startPostgres({ durable: true })
  const directory = temporaryDirectory()
  const running: Running[] = []
  try {
    const env = { DATABASE_URL: postgres.url, LIMIT_TOKEN: '100000/300', SECRET_KEY: randomBytes(32).toString('hex') }
    const server = await startProgram(builtServer, { ...env, DATA_DIR: directory })
    running.push(server)
    await addManyUsers(postgres.url, users)
    const tokens = await signInSome(server.url, postgres.url, 400)
    const jwks = `${server.url}/auth/v1/.well-known/jwks.json`
    const baseline = await startProgram('bench/support/baseline-server.ts', {
      DATABASE_URL: postgres.url,
      JWKS_URL: jwks,
    })
    running.push(baseline)

    const targets: Target[] = [
      { name: 'baseline: bare route', program: baseline, method: 'POST', path: () => '/baseline' },
      { name: 'check-subscription', program: server, method: 'POST', path: () => '/functions/v1/check-subscription' },
      { name: 'GET /user', program: server, method: 'GET', path: () => '/auth/v1/user' },
      {
        name: 'user_roles',
        program: server,
        method: 'GET',
        path: (token) => `/rest/v1/user_roles?select=role&user_id=eq.${subjectOf(token)}`,
      },
    ]
    const results = new Map(targets.map((target) => [target.name, [] as Awaited<ReturnType<typeof load>>[]]))
    for (let turn = 0; turn < rounds + 1; turn += 1) {
      for (const target of targets) {
        const result = await load(target, tokens)
        // The first round warms up: connections, statements, compiled code.
        if (turn > 0) results.get(target.name)?.push(result)
      }
    }
    const baselineRate = median((results.get('baseline: bare route') ?? []).map((result) => result.perSecond))
    console.log(`\n${users} users`)
    console.table(
      targets.map(({ name }) => {
        const rates = (results.get(name) ?? []).map((result) => result.perSecond)
        const p99 = median((results.get(name) ?? []).map((result) => result.p99))
        return {
          route: name,
          'requests/s': round(median(rates)),
          'p99 ms': p99,
          'server CPU µs': round(median((results.get(name) ?? []).map((result) => result.cpu))),
          'ratio to baseline': round(median(rates) / baselineRate, 2),
        }
      }),
    )
  } finally {
    for (const program of running.reverse()) await program.stop()
    await postgres.stop()
  }
}

for (const users of sizes.length > 0 ? sizes : [1_000, 1_000_000]) await measure(users)
