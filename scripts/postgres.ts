/**
 * Starts a temporary PostgreSQL for tests and benchmarks on a free port, with the programs installed on the machine.
 * Callers use `DATABASE_URL` instead if it is set.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export type TemporaryPostgres = {
  url: string
  stop(): Promise<void>
  /** Kills all its processes, as in a crash, and restarts it. */
  crash(): Promise<void>
}

/** The usual installation directories, newest version first. */
function binaryDirectories(): string[] {
  const versioned = (base: string, tail: string, pattern: RegExp) =>
    existsSync(base)
      ? readdirSync(base)
          .filter((name) => pattern.test(name))
          .sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
          .map((name) => join(base, name, tail))
      : []
  return [
    ...(process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : []),
    ...versioned('/usr/lib/postgresql', 'bin', /^\d+$/),
    ...versioned('/opt/homebrew/opt', 'bin', /^postgresql/),
    ...versioned('/usr/local/opt', 'bin', /^postgresql/),
    ...versioned('/Applications/Postgres.app/Contents/Versions', 'bin', /^\d+$/),
    ...(process.env.PATH ?? '').split(':'),
  ]
}

export function findPostgres(): string | null {
  return (
    binaryDirectories().find(
      (directory) => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres')),
    ) ?? null
  )
}

/** Says why this machine can't start a PostgreSQL, and what to do. Null if it can. */
export function whyNoPostgres(): string | null {
  if (!findPostgres())
    return 'PostgreSQL isn’t installed. Install it (on Debian: apt-get install postgresql) or set DATABASE_URL.'
  if (userOptions() === null)
    return 'PostgreSQL doesn’t run as root, and there is no user “postgres”. Create it or set DATABASE_URL.'
  return null
}

/** PostgreSQL doesn't run as root, so root runs it as the user `postgres`. Null if there is no such user. */
export function userOptions(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  const [uid, gid] = [id('-u'), id('-g')]
  return uid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
}

/** @param options.settings additional `name=value` settings. Durability is off unless `durable` is set. */
export async function startPostgres(
  options: { durable?: boolean; settings?: string[] } = {},
): Promise<TemporaryPostgres> {
  const binaries = findPostgres()
  const user = userOptions()
  if (!binaries || !user) throw new Error(whyNoPostgres() ?? '')
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const spawnOptions = { ...user, cwd: directory, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' } }
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...spawnOptions,
    stdio: 'ignore',
  })

  const port = await freePort()
  const settings = [
    ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    'max_connections=200',
    ...(options.settings ?? []),
  ]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const start = async () => {
    const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory]
    const set = settings.flatMap((setting) => ['-c', setting])
    const started = spawn(join(binaries, 'postgres'), [...args, ...set], { ...spawnOptions, stdio: 'ignore' })
    try {
      await waitUntilReady(url, started)
    } catch (error) {
      started.kill('SIGQUIT')
      rmSync(directory, { recursive: true, force: true })
      throw error
    }
    return started
  }
  let server = await start()
  return {
    url,
    async stop() {
      await end(server, 'SIGINT')
      rmSync(directory, { recursive: true, force: true })
    },
    async crash() {
      await end(server, 'SIGQUIT')
      server = await start()
    },
  }
}

export async function waitUntilReady(url: string, server: ChildProcess) {
  const deadline = Date.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline)
        throw new Error('PostgreSQL is installed but didn’t start. Set DATABASE_URL to use another one.', {
          cause: error,
        })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT') {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await gone
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port was found.')),
      )
    })
  })
}
