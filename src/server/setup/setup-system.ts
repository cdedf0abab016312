import type Stripe from 'stripe'

export type CommandResult = { code: number; stdout: string; stderr: string }

/** The machine that is set up. Tests replace parts of it. */
export type SetupSystem = {
  /** Folder of this program. */
  sourceDirectory: string
  /** Put before every absolute path that setup reads or writes; empty on a server. */
  fileRoot: string
  /** The Node that runs the service. */
  nodePath: string
  /** Never rejects; a program that isn't installed has the code 127. */
  run(command: string, args: readonly string[], options?: { input?: string }): Promise<CommandResult>
  dns: {
    resolve4(name: string): Promise<string[]>
    resolve6(name: string): Promise<string[]>
    resolveTxt(name: string): Promise<string[][]>
  }
  /** Addresses of this machine's network interfaces. */
  addresses(): string[]
  openStripe(secretKey: string): Stripe
  clock(): Date
  /** A web server whose `Date` header is compared with the clock. */
  timeUrl: string
  /** Free bytes of the file system that contains the path. */
  freeBytes(path: string): number
  isPortFree(port: number): Promise<boolean>
  /** Null if there is no answer. */
  statusOf(url: string): Promise<number | null>
  /** Null if no one can answer. */
  ask: ((question: string, options: { isSecret: boolean }) => Promise<string>) | null
  print(line: string): void
}

/**
 * One thing that was checked. `ok` is fine, `todo` is left for the operator and doesn't stop setup, `error` does.
 * Messages are one sentence each.
 */
export type Finding = { status: 'ok' | 'todo' | 'error'; topic: string; message: string }

export const ok = (topic: string, message: string): Finding => ({ status: 'ok', topic, message })
export const todo = (topic: string, message: string): Finding => ({ status: 'todo', topic, message })
export const failed = (topic: string, message: string): Finding => ({ status: 'error', topic, message })

const labels = { ok: 'ok', todo: 'to do', error: 'error' } as const

export const formatFinding = ({ status, topic, message }: Finding): string =>
  `${labels[status].padEnd(6)} ${topic}: ${message}`

/** Shortens the output of a failed program to its last line. */
export const lastLine = ({ stdout, stderr }: CommandResult): string =>
  (stderr.trim() || stdout.trim()).split('\n').at(-1)?.trim() ?? ''

export function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`
}
