import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type DrizzleTransactionLike, fromDrizzle, type JobResult, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Database, Tx } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'

const defaultMaxSeconds = 15 * 60

/** A job may run more than once, so `run` must be idempotent. */
export type Job<Payload extends z.ZodType> = {
  name: string
  /** The job's name in an earlier version. Jobs queued under it, also by nodes that still run that version, are run. */
  formerName?: string
  payload: Payload
  retryLimit: number
  /** The queue considers a job that takes longer as failed. Default: 15 minutes. */
  maxSeconds?: number
  /** How many of these jobs a node runs at a time. Default: 1. */
  parallel?: number
  run(payload: z.output<Payload>): Promise<void>
}

export type AnyJob = Job<z.ZodType>

export type QueuedJob = Pick<AnyJob, 'name' | 'retryLimit' | 'maxSeconds'>

/** A feature's background jobs and their cron schedules. */
export type FeatureJobs = { jobs: readonly AnyJob[]; schedules: readonly Schedule[] }
export type Schedule = { job: string; cron: string }

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job

/** Enqueues a job in a transaction: it runs only if the transaction commits. */
export type Enqueue = <Payload extends z.ZodType>(
  tx: Tx,
  job: Pick<Job<Payload>, 'name' | 'payload'>,
  payload: z.input<Payload>,
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
  const boss = new PgBoss({ ...database.queue, useListenNotify: true })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'job queue'))
  await boss.start()
  for (const job of enqueuedEarly) await openQueue(boss, job)

  return {
    enqueue: enqueueTo(boss),
    async work(jobs, schedules = []) {
      for (const job of jobs) {
        await openQueue(boss, job)
        await workQueue(boss, logger, job.name, job)
        if (job.formerName && (await boss.getQueue(job.formerName))) {
          await boss.unschedule(job.formerName)
          await workQueue(boss, logger, job.formerName, job)
        }
      }
      for (const { job, cron } of schedules) await boss.schedule(job, cron)
    },
    async stop(timeoutMs) {
      await boss.stop({ graceful: true, timeout: timeoutMs, close: true })
    },
  }
}

async function workQueue(boss: PgBoss, logger: Logger, queue: string, job: AnyJob): Promise<void> {
  let worker = ''
  const options = { pollingIntervalSeconds: 5, batchSize: job.parallel ?? 1, perJobResults: true } as const
  worker = await boss.work(queue, options, async (batch) => {
    const results = await Promise.all(batch.map(({ data, id }) => runJob(logger, job, { data, id })))
    // Several jobs of one transaction send one notification. Without this, the next ones wait 30 seconds.
    boss.notifyWorker(worker)
    return results
  })
}

/** The queue runs a failed job again, up to its limit. */
async function runJob(logger: Logger, job: AnyJob, { data, id }: { data: unknown; id: string }): Promise<JobResult> {
  try {
    await job.run(job.payload.parse(data))
    return { id, status: 'completed' }
  } catch (error) {
    logger.error({ err: error, job: job.name, jobId: id }, 'job failed')
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
  async (tx, job, payload) => {
    await boss.send(job.name, job.payload.parse(payload) as object, {
      db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql),
    })
  }

/**
 * Creates or updates the queue; queued jobs keep their settings. Also caches the queue in this process: a first lookup
 * inside a transaction would use another connection and deadlock on PGlite.
 */
async function openQueue(boss: PgBoss, job: QueuedJob): Promise<void> {
  const { name, retryLimit, maxSeconds: expireInSeconds = defaultMaxSeconds } = job
  const existing = await boss.getQueue(name)
  if (existing?.retryLimit === retryLimit && existing.expireInSeconds === expireInSeconds) return
  const settings = { retryLimit, retryBackoff: true, retryDelay: 5, notify: true, expireInSeconds }
  if (existing) await boss.updateQueue(name, settings)
  else await boss.createQueue(name, settings)
  await boss.getJobById(name, randomUUID())
}
