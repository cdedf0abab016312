import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres, freePort, userOptions, waitUntilReady, whyNoPostgres } from '../../scripts/postgres.ts'

type Node = { directory: string; port: number; url: string; child: ChildProcess }

/**
 * A durable PostgreSQL with a synchronous replica behind one address, which leads to the primary as a proxy or a floating
 * address does. A commit is acknowledged once the replica has it on disk.
 */
export async function startReplicatedPostgres() {
  const found = findPostgres()
  const user = userOptions()
  if (!found || !user) throw new Error(whyNoPostgres() ?? '')
  const binaries = found
  const root = mkdtempSync(join(tmpdir(), 'front-counter-replicated-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(root, user.uid, user.gid)
  const options = { ...user, cwd: root, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' } }
  const run = (program: string, args: string[]) =>
    execFileSync(join(binaries, program), args, { ...options, stdio: 'ignore' })
  const address = await startSwitch()
  let count = 0

  const nextDirectory = () => join(root, `node-${++count}`)

  async function start(directory: string): Promise<Node> {
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const args = ['-D', directory, '-p', String(port), '-h', '127.0.0.1', '-k', root, '-c', 'max_connections=100']
    const child = spawn(join(binaries, 'postgres'), args, { ...options, stdio: 'ignore' })
    await waitUntilReady(url, child)
    return { directory, port, url, child }
  }

  /** Copies the primary, and makes its commits wait for the copy. */
  async function addReplica(primary: Node): Promise<Node> {
    const directory = nextDirectory()
    const source = `host=127.0.0.1 port=${primary.port} user=postgres`
    run('pg_basebackup', ['-D', directory, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    const replica = await start(directory)
    await query(primary, `alter system set synchronous_standby_names = '*'`)
    await query(primary, 'select pg_reload_conf()')
    while ((await query(primary, `select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0)
      await delay(50)
    return replica
  }

  const first = nextDirectory()
  run('initdb', ['-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  let primary = await start(first)
  let replica = await addReplica(primary)
  address.leadTo(primary.port)

  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    /** Kills the primary as a power failure does, and promotes the replica after `noticedAfterMs`. */
    async failOver(noticedAfterMs: number) {
      address.leadTo(null)
      await killAll(primary.child)
      await delay(noticedAfterMs)
      await query(replica, 'select pg_promote(true, 60)')
      address.leadTo(replica.port)
      rmSync(primary.directory, { recursive: true, force: true })
      primary = replica
    },
    /** Gives the promoted primary a new replica. */
    async restoreReplica() {
      replica = await addReplica(primary)
    },
    async stop() {
      address.close()
      for (const { child } of [primary, replica]) await killAll(child)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function query({ url }: Node, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The processes of a killed PostgreSQL go on for a moment otherwise. */
async function killAll(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  for (const pid of children.map(Number).filter(Boolean)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
  await gone
}

/** Passes connections on to the port it leads to. Without one, connections are closed at once. */
async function startSwitch() {
  const open = new Set<Socket>()
  let target: number | null = null
  const server = createServer((socket) => {
    if (target === null) return socket.resetAndDestroy()
    const other = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const details = server.address()
  return {
    port: typeof details === 'object' ? (details?.port ?? 0) : 0,
    leadTo(port: number | null) {
      target = port
      for (const socket of open) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
