import type { Config } from '#server/config/config.ts'
import { type Database, isUndefinedTable } from '#server/db/database.ts'
import { isDatabaseReady } from '#server/db/is-database-ready.ts'
import type { MailConfig } from '../config/mail.ts'
import { newestMigration } from '../db/migrations-folder.ts'
import { openSmtpConnection } from '../mail/smtp-connection.ts'
import { cacheFor } from './cache-for.ts'
import { diskState, readFreeDiskBytes } from './disk-space.ts'
import { within } from './within.ts'

/** A server that works on the queues notes it at least every minute. */
const maxAgeSeconds = 5 * 60

/** Says whether a server looks after the job queues; `missing` before one ever did. */
async function readQueueState({ read }: Pick<Database, 'read'>): Promise<'ok' | 'stalled' | 'missing'> {
  try {
    const [row] = await read<{ age: string | number | null }>(
      'queue-age',
      'select extract(epoch from now() - cron_on)::float8 as age from pgboss.version',
      [],
    )
    // Null for the first moments of a new queue.
    return Number(row?.age ?? 0) > maxAgeSeconds ? 'stalled' : 'ok'
  } catch (error) {
    if (isUndefinedTable(error)) return 'missing'
    throw error
  }
}

const timeoutMs = 5_000

/** Connects and signs in to the mail server, without sending anything. */
async function readMailState(mail: MailConfig): Promise<'ok' | 'unreachable'> {
  if (mail.kind === 'outbox') return 'ok'
  const opening = openSmtpConnection({ url: mail.url, timeoutMs })
  // A connection that opens too late is closed as well.
  opening.then(
    (connection) => connection.quit(),
    () => {},
  )
  return within(timeoutMs, opening).then(
    () => 'ok',
    () => 'unreachable',
  )
}

let newestOfCode: number | null = null

/** Compares the newest migration of the database with that of this version. */
async function readMigrationsState({ read }: Pick<Database, 'read'>): Promise<'ok' | 'older' | 'newer'> {
  newestOfCode ??= newestMigration()
  const [row] = await read<{ newest: string | number | null }>(
    'newest-migration',
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
    [],
  )
  const newest = Number(row?.newest ?? 0)
  if (newest === newestOfCode) return 'ok'
  return newest > newestOfCode ? 'newer' : 'older'
}

/** One word for each part. `unknown`: the check itself failed or took too long. */
export type ReadinessParts = {
  database: 'ok' | 'down'
  /** `older`: the database lacks migrations of this version. `newer`: it has some that this version doesn't know. */
  migrations: 'ok' | 'older' | 'newer' | 'unknown'
  /** `stalled`: no server has looked after the queues for minutes. */
  queue: 'ok' | 'stalled' | 'missing' | 'unknown'
  mail: 'ok' | 'unreachable'
  disk: 'ok' | 'low' | 'full' | 'unknown'
}

/** `degraded` servers answer requests, and a person should look. A load balancer should avoid `unavailable` ones. */
export type Readiness = { status: 'ready' | 'degraded' | 'unavailable'; parts: ReadinessParts }

type ReadinessDeps = { config: Pick<Config, 'dataDirectory' | 'mail'>; database: Pick<Database, 'read'> }

const localTtlMs = 5_000
const mailTtlMs = 60_000
const partTimeoutMs = 2_000

/** Checks the database each time, which costs one statement, and the other parts at most every few seconds. */
export function createReadiness({ config, database }: ReadinessDeps): () => Promise<Readiness> {
  const migrations = cacheFor(localTtlMs, () => orUnknown(readMigrationsState(database)))
  const queue = cacheFor(localTtlMs, () => orUnknown(readQueueState(database)))
  const disk = cacheFor(localTtlMs, () => orUnknown(readFreeDiskBytes(config.dataDirectory).then(diskState)))
  const mail = cacheFor(mailTtlMs, () => readMailState(config.mail), { isStaleOk: true })
  return async () => {
    if (!(await isDatabaseReady(database))) {
      const parts = { database: 'down', migrations: 'unknown', queue: 'unknown' } as const
      return summarize({ ...parts, mail: await mail(), disk: await disk() })
    }
    const [migrationsState, queueState, mailState, diskStateNow] = await Promise.all([
      migrations(),
      queue(),
      mail(),
      disk(),
    ])
    return summarize({
      database: 'ok',
      migrations: migrationsState,
      queue: queueState,
      mail: mailState,
      disk: diskStateNow,
    })
  }
}

const shared = new WeakMap<ReadinessDeps['config'], () => Promise<Readiness>>()

/** The checks of this server, which /readyz, the metrics and the admin share. */
export function readinessOf(deps: ReadinessDeps): () => Promise<Readiness> {
  const known = shared.get(deps.config) ?? createReadiness(deps)
  shared.set(deps.config, known)
  return known
}

/**
 * A server is unavailable only if something keeps it from answering. All servers share the mail server, the queue and often
 * the disk: taking each of them out of rotation would turn late email into an outage.
 */
export function summarize(parts: ReadinessParts): Readiness {
  const isUnavailable = parts.database === 'down' || parts.migrations === 'older'
  const isDegraded = Object.values(parts).some((state) => state !== 'ok')
  return { status: isUnavailable ? 'unavailable' : isDegraded ? 'degraded' : 'ready', parts }
}

const orUnknown = <State>(check: Promise<State>): Promise<State | 'unknown'> =>
  within(partTimeoutMs, check).catch(() => 'unknown' as const)
