/**
 * `npm run bench -- full-disk [rounds]` (root on Linux): a server with the embedded database on a small file system of its
 * own. The disk is filled while visitors sign up, and a backup and an export are tried; then the space is freed. Each round
 * ends with SIGKILL and a new start. Prints what was answered, and how many acknowledged accounts still sign in.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { demoEmail, demoPassword } from '#server/seed/seed-demo-accounts.ts'
import { freePort } from '../scripts/postgres.ts'

const rounds = Number(process.argv[2] ?? 3)
const root = fileURLToPath(new URL('..', import.meta.url))
const disk = mkdtempSync(join(tmpdir(), 'front-counter-disk-'))
const filler = join(disk, 'filler')
const password = 'a long enough passphrase'
const token = 'a-token-for-this-run-only'
const port = await freePort()
const env = {
  ...process.env,
  ...{
    DATABASE_URL: '',
    DATA_DIR: join(disk, 'data'),
    PORT: String(port),
    STRIPE_SANDBOX_PORT: String(await freePort()),
  },
  ...{ LOG_LEVEL: 'silent', MONITORING_TOKEN: token, LIMIT_SIGN_UP: '100000/1', LIMIT_TOKEN: '100000/1' },
}
const servers: ChildProcess[] = []

async function start() {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
  servers.push(child)
  while (
    !(await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
    await delay(50)
  }
  return child
}

async function send(path: string, body?: object, bearer?: string) {
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const acknowledged: string[] = []
async function signUp(email: string) {
  const { status, body } = await send('/auth/v1/signup', { email, password })
  if (status === 200) acknowledged.push(email)
  return `${status} ${status === 200 ? '' : (body.error_code ?? body.code)}`.trim()
}

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

const command = (name: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/operator.ts', name, ...args],
    { cwd: root, env },
  )
  return `exit ${status}: ${`${stdout}${stderr}`.trim().split('\n').at(-1)}`
}

const statusPage = async (bearer: string) => {
  const { body } = await send('/functions/v1/admin-status', {}, bearer)
  return ((body.problems ?? []) as { kind: string; title: string }[]).find(({ kind }) => kind === 'disk')?.title
}

try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'front-counter', disk])
  let survived = 0
  for (let round = 1; round <= rounds; round++) {
    const child = await start()
    const owner = await send('/auth/v1/token?grant_type=password', {
      email: demoEmail('admin'),
      password: demoPassword,
    })
    const bearer = String(owner.body.access_token)
    for (let n = 0; n < 3; n++) await signUp(`before-${round}-${n}@example.test`)
    // Leaves less each round, so that another write is the first to fail.
    writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - Math.floor(2_000_000 / round))))
    writeFileSync(`${filler}-rest`, Buffer.alloc(0))
    try {
      for (;;) writeFileSync(`${filler}-rest`, Buffer.alloc(4_096), { flag: 'a' })
    } catch {
      // Full.
    }
    const whileFull = new Map<string, number>()
    for (let n = 0; n < 100; n++) {
      const answer = await signUp(`full-${round}-${n}@example.test`).catch((error: Error) => error.message)
      whileFull.set(answer, (whileFull.get(answer) ?? 0) + 1)
    }
    const backup = command('backup')
    const archive = command('export', join(disk, 'archive.zip'))
    const readPlan = () => send('/functions/v1/check-subscription', {}, bearer)
    // The idle connection was closed during the commands.
    const read = await readPlan().catch(readPlan)
    await delay(5_500)
    const ready = await send('/readyz', undefined, token).catch((error: Error) => ({ status: error.message, body: {} }))
    const page = await statusPage(bearer).catch((error: Error) => error.message)
    for (const file of [filler, `${filler}-rest`]) rmSync(file, { force: true })
    rmSync(join(disk, 'archive.zip'), { force: true })
    const after = await signUp(`after-${round}@example.test`).catch((error: Error) => error.message)
    if (round === 1) {
      console.log(`backup                 ${backup}`)
      console.log(`export                 ${archive}`)
    }
    console.log(
      `round ${round}: sign-ups while full ${JSON.stringify(Object.fromEntries(whileFull))}, reading ${read.status}`,
    )
    console.log(`  /readyz ${ready.status} ${JSON.stringify(ready.body)}, status page: ${page}`)
    console.log(`  after space is free: sign-up ${after}`)
    const gone = once(child, 'exit')
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await gone
    }
    const restarted = await start()
    let signedIn = 0
    for (const email of acknowledged)
      if ((await send('/auth/v1/token?grant_type=password', { email, password })).status === 200) signedIn += 1
    console.log(`  after SIGKILL and start: ${signedIn} of ${acknowledged.length} acknowledged accounts sign in`)
    if (signedIn === acknowledged.length && after === '200') survived += 1
    const stopped = once(restarted, 'exit')
    restarted.kill('SIGKILL')
    await stopped
  }
  console.log(`rounds without a loss or a restart ${survived} of ${rounds}`)
} finally {
  for (const server of servers) server.kill('SIGKILL')
  await delay(200)
  spawnSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
}
process.exit(0)
