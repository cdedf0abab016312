import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/postgres.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Running = { url: string; pid: number; startMs: number; stop(): Promise<void> }

/** A directory that is removed when the benchmark ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Starts a program of this or another checkout and waits for the first 200 from `path`. `startMs` is the time until then. */
export async function startProgram(
  program: string,
  env: Record<string, string>,
  path = '/healthz',
  checkout = root,
): Promise<Running> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'warn' },
  })
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  while (!(await answers(url + path))) {
    if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop: () => stop(child) }
}

/** Signs in to a demo account, or with another password, and returns the session. */
export async function signIn(url: string, email: string, password = 'front-counter') {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Signing in returned status ${answer.status}`)
  return (await answer.json()) as { access_token: string }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

/** Memory (RSS) of a process in MB, from /proc (Linux). */
export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** CPU time of a process so far in microseconds, from /proc (Linux; a clock tick is 10 ms). */
export const cpuMicros = (pid: number): number => sumOfTicks(pid, [11, 12])

/** CPU time of a process and its children, including those that have exited. */
export const cpuMicrosOfTree = (pid: number): number =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .reduce((sum, child) => sum + cpuMicros(Number(child)), sumOfTicks(pid, [11, 12, 13, 14]))

export const parentOf = (pid: number): number => Number(statOf(pid)[1])

const sumOfTicks = (pid: number, fields: readonly number[]) => {
  const stat = statOf(pid)
  return fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * 10_000
}

/** The fields of /proc/<pid>/stat, starting with the third one, the process state. */
const statOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
