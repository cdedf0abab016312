/**
 * `npm run bench -- beside-lite`: compares role reads, `GET /user` and token refresh with @supabase/lite, which implements
 * the same protocol, in alternating rounds on one PostgreSQL. Installs @supabase/lite into .cache.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { freePort, startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { createClient, runConcurrently } from './support/http-client.ts'
import { cpuMicros, startProgram } from './support/server.ts'
import { median, quantile, round } from './support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const readers = 60
const workers = 20
const password = 'a password for measuring'
const peerVersion = '0.10.0'

type Reader = { id: string; accessToken: string; refreshToken: string }
type Contender = { name: string; url: string; pid: number; apikey: string; stop(): Promise<void> }
type Work = 'user_roles' | 'GET /user' | 'refresh'

function installPeer(): string {
  const folder = resolve('.cache', 'supabase-lite')
  if (!existsSync(join(folder, 'node_modules', '@supabase', 'lite'))) {
    mkdirSync(folder, { recursive: true })
    const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...flags, `@supabase/lite@${peerVersion}`, 'postgres'], { stdio: 'inherit' })
  }
  return join(folder, 'node_modules', '@supabase', 'lite', 'dist', 'cli', 'index.js')
}

/** Starts @supabase/lite as documented: with a project folder, a settings file and the row policy from its manual. */
async function startPeer(program: string, databaseUrl: string): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'front-counter-bench-peer-'))
  mkdirSync(join(folder, 'supabase', 'schemas'), { recursive: true })
  const apikey = 'sb_publishable_for_measuring'
  const port = await freePort()
  writeFileSync(
    join(folder, 'supabase', 'config.toml'),
    `[api]\nport = ${port}\n[db]\ndriver = "postgres"\nurl = "${databaseUrl}"\n` +
      `[auth]\nenabled = true\njwt_secret = "x7Kq-29vLm_Wd4Tz8RpBh31nYcEs60Jf"\njwt_expiry = 3600\n` +
      `enable_signup = true\npublishable_key = "${apikey}"\n[auth.email]\nenable_confirmations = false\n`,
  )
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [program, '--no-telemetry', 'start', '--no-admin'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ready = async () => (await fetch(`${url}/auth/v1/health`, { headers: { apikey } }).catch(() => null))?.ok
  for (let tries = 0; !(await ready()); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error('@supabase/lite did not start')
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    name: `@supabase/lite ${peerVersion}`,
    url,
    pid: child.pid ?? 0,
    apikey,
    async stop() {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function query(databaseUrl: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const client = createClient(workers)

async function signUpReaders({ url, apikey }: Contender): Promise<Reader[]> {
  const found: Reader[] = []
  for (let index = 0; index < readers; index += 1) {
    const body = { email: `reader-${index}@bench.test`, password }
    const answer = await client.send('POST', `${url}/auth/v1/signup`, { apikey }, body)
    const session = JSON.parse(answer.body) as { access_token?: string; refresh_token: string; user: { id: string } }
    if (!session.access_token) throw new Error(`sign-up answered ${answer.status}: ${answer.body}`)
    found.push({ id: session.user.id, accessToken: session.access_token, refreshToken: session.refresh_token })
  }
  return found
}

/** Opens all connections before measuring, since lite's connections conflict on the same catalog rows when they open. */
async function openConnections({ url, apikey, name }: Contender, reader: Reader | undefined) {
  const headers = { apikey, authorization: `Bearer ${reader?.accessToken}` }
  for (let tries = 0; tries < 50; tries += 1) {
    const ask = () => client.send('GET', `${url}/rest/v1/user_roles?select=role&user_id=eq.${reader?.id}`, headers)
    const answers = await Promise.all(Array.from({ length: workers }, ask))
    if (answers.every((answer) => answer.status === 200)) return
  }
  throw new Error(`${name} does not answer ${workers} at once`)
}

async function run(work: Work, { url, apikey, pid }: Contender, people: readonly Reader[]) {
  const cpuBefore = cpuMicros(pid)
  const expect = (answer: { status: number; body: string }) => {
    if (answer.status !== 200) throw new Error(`${work} at ${url} answered ${answer.status}: ${answer.body}`)
    return answer.body
  }
  let asked = 0
  const result = await runConcurrently(workers, seconds, async (worker) => {
    asked += 1
    // Each worker refreshes its own session, since a refresh token works once.
    const reader = people[work === 'refresh' ? worker : asked % people.length] as Reader
    const headers = { apikey, authorization: `Bearer ${reader.accessToken}` }
    if (work === 'user_roles') {
      const path = `${url}/rest/v1/user_roles?select=role&user_id=eq.${reader.id}`
      const body = expect(await client.send('GET', path, headers))
      if (!body.includes('member')) throw new Error(`user_roles at ${url} answered ${body}`)
    } else if (work === 'GET /user') {
      expect(await client.send('GET', `${url}/auth/v1/user`, headers))
    } else {
      const path = `${url}/auth/v1/token?grant_type=refresh_token`
      const body = expect(await client.send('POST', path, { apikey }, { refresh_token: reader.refreshToken }))
      reader.refreshToken = (JSON.parse(body) as { refresh_token: string }).refresh_token
    }
  })
  return { ...result, cpu: (cpuMicros(pid) - cpuBefore) / result.times.length }
}

const program = installPeer()
const postgres = await startPostgres({ durable: true })
const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const contenders: Contender[] = []
try {
  await query(
    postgres.url,
    'create database peer',
    ...['anon', 'authenticated', 'service_role'].map((role) => `create role ${role} nologin`),
  )
  const peerUrl = new URL(postgres.url)
  peerUrl.pathname = '/peer'
  // The first start creates lite's schema, which the policy needs. The second start loads the table.
  await (await startPeer(program, peerUrl.href)).stop()
  await query(
    peerUrl.href,
    'create table user_roles (user_id uuid not null, role text not null, primary key (user_id, role))',
    'alter table user_roles enable row level security',
    'create policy own_roles on user_roles for select to authenticated using (user_id = auth.uid())',
    'grant usage on schema public, auth to anon, authenticated, service_role',
    'grant select on user_roles to authenticated',
  )
  const ours = await startProgram(builtServer, {
    DATABASE_URL: postgres.url,
    DATA_DIR: directory,
    LIMIT_TOKEN: '1000000/300',
    LIMIT_SIGN_UP: '1000000/300',
  })
  contenders.push({ ...ours, name: 'Front Counter', apikey: 'sb_publishable_front_counter' })
  contenders.push(await startPeer(program, peerUrl.href))

  const people = new Map<string, Reader[]>()
  for (const contender of contenders) {
    const found = await signUpReaders(contender)
    people.set(contender.name, found)
    const rows = found.map(({ id }) => `('${id}', 'member')`).join()
    await query(contender === contenders[0] ? postgres.url : peerUrl.href, `insert into user_roles values ${rows}`)
    await openConnections(contender, found[0])
  }
  for (const work of ['user_roles', 'GET /user', 'refresh'] as const) {
    const results = new Map(contenders.map(({ name }) => [name, [] as Awaited<ReturnType<typeof run>>[]]))
    for (let turn = 0; turn < rounds + 1; turn += 1) {
      for (const contender of contenders) {
        const result = await run(work, contender, people.get(contender.name) ?? [])
        if (turn > 0) results.get(contender.name)?.push(result)
      }
    }
    const rate = (name: string) => median((results.get(name) ?? []).map((result) => result.perSecond))
    const peerRate = rate(contenders[1]?.name ?? '')
    console.log(`\n${work}`)
    console.table(
      contenders.map(({ name }) => ({
        server: name,
        'per second': round(rate(name)),
        'p99 ms': round(
          quantile(
            (results.get(name) ?? []).flatMap((result) => result.times),
            0.99,
          ),
          1,
        ),
        'server CPU µs': round(median((results.get(name) ?? []).map((result) => result.cpu))),
        'times the peer': round(rate(name) / peerRate, 1),
      })),
    )
  }
} finally {
  client.close()
  for (const contender of contenders.reverse()) await contender.stop()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
