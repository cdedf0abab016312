import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type DrizzleTransactionLike, fromDrizzle, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { type Database, type Db, queryRows, type Tx } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'
import { catchUpQueueClock, hasQueueClock } from './queue-clock.ts'

const defaultMaxSeconds = 15 * 60
const checkClockEverySeconds = 30
/** Five seconds, doubled by chance at most: `retryDelay` of each queue. */
const firstRetryMs = 10_000

/** A job may run more than once, so `run` must be idempotent. */
export type Job<Payload extends z.ZodType> = {
  name: string
  /** The job's names in earlier versions. Jobs queued under them, also by nodes that still run such a version, are run. */
  formerNames?: readonly string[]
  payload: Payload
  /** When it runs at the earliest; at once if it returns null. */
  startOf?(payload: z.output<Payload>): Date | null
  /** A job isn't enqueued while another with the same key waits or runs. Can't be added to an existing queue. */
  keyOf?(payload: z.output<Payload>): string
  /** A job whose node hasn't reported for this long is run again. Can't be added to an existing queue. */
  heartbeatSeconds?: number
  retryLimit: number
  /** The pause between two tries starts at 5 seconds and doubles up to this. Default: it goes on doubling. */
  maxRetrySeconds?: number
  /** The queue considers a job that takes longer as failed. Default: 15 minutes. */
  maxSeconds?: number
  /** How many of these jobs a node runs at a time. Default: 1. */
  parallel?: number
  run(payload: z.output<Payload>, claim?: JobClaim): Promise<void>
}

export type AnyJob = Job<z.ZodType>

/** A node's hold on a job that it runs. */
export type JobClaim = {
  /** Aborted when the node stops or the job has taken too long. */
  signal: AbortSignal
  /** False if the queue has given the job to another node. */
  isHeld(db: Db | Tx): Promise<boolean>
  /** Completes the job in a transaction. */
  complete(tx: Tx): Promise<void>
  /** 1 for the first try. */
  attempt: number
  /** True if the job isn't retried after this. */
  isLast: boolean
}

export type QueuedJob = Pick<AnyJob, 'name' | 'retryLimit' | 'maxRetrySeconds' | 'maxSeconds' | 'heartbeatSeconds'> & {
  keyOf?: unknown
}

/** A feature's background jobs and their cron schedules. */
export type FeatureJobs = { jobs: readonly AnyJob[]; schedules: readonly Schedule[] }
export type Schedule = { job: string; cron: string }

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job

type ScheduledWork = Pick<AnyJob, 'formerNames' | 'maxSeconds'> & {
  cron: string
  /** Default: 0, because the next run follows soon. */
  retryLimit?: number
  run(): Promise<unknown>
}

/** Jobs by name that only their schedules start, and the other jobs of a feature. */
export const scheduledJobs = (
  scheduled: Record<string, ScheduledWork>,
  others: readonly AnyJob[] = [],
): FeatureJobs => ({
  jobs: [
    ...Object.entries(scheduled).map(([name, { cron: _, retryLimit = 0, run, ...job }]) =>
      defineJob({ ...job, name, payload: z.unknown(), retryLimit, run: async () => void (await run()) }),
    ),
    ...others,
  ],
  schedules: Object.entries(scheduled).map(([job, { cron }]) => ({ job, cron })),
})

/** Enqueues one job per payload in a transaction, with one statement: they run only if the transaction commits. */
export type Enqueue = <Payload extends z.ZodType>(
  tx: Tx,
  job: Pick<Job<Payload>, 'name' | 'payload' | 'keyOf' | 'startOf'>,
  ...payloads: z.input<Payload>[]
) => Promise<void>

export type JobQueue = {
  enqueue: Enqueue
  /** Registers the jobs and their cron schedules, then starts working. */
  work(jobs: readonly AnyJob[], schedules?: readonly Schedule[]): Promise<void>
  /** Stops fetching jobs and waits up to `timeoutMs` for running ones. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Opens the job queue in the application database, so that a job and its rows commit together. `enqueuedEarly` are jobs
 * that requests may enqueue before `work` is called.
 */
export async function openJobQueue(
  database: Database,
  logger: Logger,
  enqueuedEarly: readonly QueuedJob[] = [],
): Promise<JobQueue> {
  // The queue reads schedules by this process's clock, corrected by its difference from the database's.
  const boss = new PgBoss({ ...database.queue, useListenNotify: true, clockMonitorIntervalSeconds: 60 })
  const stopping = new AbortController()
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'job queue'))
  // First, since the queue looks for schedules that are due when it starts, and 30 seconds later.
  if (await hasQueueClock(database.background)) await checkClock()
  await boss.start()
  for (const job of enqueuedEarly) await openQueue(boss, job)
  const clockCheck = setInterval(() => void checkClock(), checkClockEverySeconds * 1000).unref()

  return {
    enqueue: enqueueTo(boss),
    async work(jobs, schedules = []) {
      for (const job of jobs) {
        await openQueue(boss, job)
        await workQueue(job.name, job)
        for (const former of job.formerNames ?? []) {
          if (!(await boss.getQueue(former))) continue
          await boss.unschedule(former)
          await workQueue(former, job)
        }
      }
      for (const { job, cron } of schedules) {
        await boss.schedule(job, cron, undefined, { missed: isDailyOrLess(cron) ? 'once' : 'skip' })
      }
    },
    async stop(timeoutMs) {
      clearInterval(clockCheck)
      stopping.abort()
      await boss.stop({ graceful: true, timeout: timeoutMs, close: true })
    },
  }

  async function checkClock(): Promise<void> {
    try {
      if (await catchUpQueueClock(database.background)) logger.warn('job queue: the database clock was set back')
    } catch (error) {
      logger.warn({ err: error }, 'job queue: could not check the clock')
    }
  }

  /** A retry sends no notification. The first one is due by then; later ones wait for the poll. */
  function wakeForRetry(worker: string): void {
    setTimeout(() => stopping.signal.aborted || boss.notifyWorker(worker), firstRetryMs).unref()
  }

  async function workQueue(queue: string, job: AnyJob): Promise<void> {
    let worker = ''
    const options = {
      pollingIntervalSeconds: 5,
      // While notifications arrive. Every queue of every node asks this often, and a retry may be this late.
      notifyPollingIntervalSeconds: 90,
      batchSize: job.parallel ?? 1,
      perJobResults: true,
      includeMetadata: true,
    } as const
    worker = await boss.work(queue, options, async (batch) => {
      const results = await Promise.all(
        batch.map((queued) => runJob(logger, job, queued, claimOf(boss, queued, stopping.signal))),
      )
      // Several jobs of one transaction send one notification. Without this, the next ones wait for the poll.
      boss.notifyWorker(worker)
      if (results.some(({ status }) => status === 'failed')) wakeForRetry(worker)
      return results
    })
  }
}

/** Such a schedule runs later if the server was off, or the clock jumped over its time. Others run again soon. */
const isDailyOrLess = (cron: string) => /^\S+ \d+ /.test(cron)

type Queued = JobWithMetadata<unknown>

function claimOf(boss: PgBoss, { name, id, signal, retryCount, retryLimit }: Queued, stopping: AbortSignal) {
  return {
    signal: AbortSignal.any([signal, stopping]),
    attempt: retryCount + 1,
    isLast: retryLimit > 0 && retryCount >= retryLimit,
    isHeld: async (db) => {
      const held = await queryRows(
        db,
        sql`select id from pgboss.job where name = ${name} and id = ${id}::uuid and state = 'active'
          and retry_count = ${retryCount}::int`,
      )
      return held.length > 0
    },
    complete: async (tx) => {
      await boss.complete(name, id, undefined, inTransaction(tx))
    },
  } satisfies JobClaim
}

/** The queue runs a failed job again, up to its limit. */
async function runJob(logger: Logger, job: AnyJob, { data, id }: Queued, claim: JobClaim): Promise<JobResult> {
  try {
    await job.run(job.payload.parse(data), claim)
    return { id, status: 'completed' }
  } catch (error) {
    if (!claim.signal.aborted) logger.error({ err: error, job: job.name, jobId: id }, 'job failed')
    return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
  }
}

/** For a process that only enqueues jobs; a server runs them now or after its next start. */
export async function openJobSender(
  database: Database,
  logger: Logger,
  jobs: readonly QueuedJob[],
): Promise<{ enqueue: Enqueue; stop(): Promise<void> }> {
  const boss = new PgBoss({ ...database.queue, supervise: false, schedule: false })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  await boss.start()
  for (const job of jobs) await openQueue(boss, job)
  return { enqueue: enqueueTo(boss), stop: () => boss.stop({ graceful: false, close: true }) }
}

const enqueueTo =
  (boss: PgBoss): Enqueue =>
  async (tx, job, ...payloads) => {
    const queued = payloads.map((payload) => {
      const data = job.payload.parse(payload)
      const startAfter = job.startOf?.(data)
      return {
        data: data as object,
        ...(job.keyOf && { singletonKey: job.keyOf(data) }),
        ...(startAfter && { startAfter }),
      }
    })
    await boss.insert(job.name, queued, inTransaction(tx))
  }

const inTransaction = (tx: Tx) => ({ db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql) })

/**
 * Creates or updates the queue; queued jobs keep their settings. Also caches the queue in this process: a first lookup
 * inside a transaction would use another connection and deadlock on PGlite.
 */
async function openQueue(boss: PgBoss, job: QueuedJob): Promise<void> {
  const { name, retryLimit, maxRetrySeconds, maxSeconds: expireInSeconds = defaultMaxSeconds, heartbeatSeconds } = job
  const existing = await boss.getQueue(name)
  const isUnchanged =
    existing?.retryLimit === retryLimit &&
    existing.expireInSeconds === expireInSeconds &&
    (existing.retryDelayMax ?? undefined) === maxRetrySeconds
  if (isUnchanged) return
  const settings = { retryLimit, retryBackoff: true, retryDelay: 5, notify: true, expireInSeconds }
  if (existing) await boss.updateQueue(name, { ...settings, retryDelayMax: maxRetrySeconds ?? null })
  else {
    const policy = job.keyOf ? 'exclusive' : 'standard'
    const optional = {
      ...(maxRetrySeconds && { retryDelayMax: maxRetrySeconds }),
      ...(heartbeatSeconds && { heartbeatSeconds }),
    }
    await boss.createQueue(name, { ...settings, policy, ...optional })
  }
  await boss.getJobById(name, randomUUID())
}
