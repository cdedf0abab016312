import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type DrizzleTransactionLike, fromDrizzle, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Database, Tx } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'

/** A job is a name, a payload and a plain function. It may run twice, so its steps are repeatable. */
export type Job<Payload extends z.ZodType> = {
  name: string
  payload: Payload
  retryLimit: number
  run(payload: z.output<Payload>): Promise<void>
}

export type AnyJob = Job<z.ZodType>

/** What a feature does behind the requests: its jobs, and the hours of those that run by the clock. */
export type FeatureJobs = { jobs: readonly AnyJob[]; schedules: readonly Schedule[] }
export type Schedule = { job: string; cron: string }

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job

/** Asks for a job in the transaction that makes it necessary: it exists if and only if the transaction commits. */
export type Enqueue = <Payload extends z.ZodType>(
  tx: Tx,
  job: Pick<Job<Payload>, 'name' | 'payload'>,
  payload: z.input<Payload>,
) => Promise<void>

export type JobQueue = {
  enqueue: Enqueue
  /** Registers the jobs and a cron schedule for those that have one, then starts taking work. */
  work(jobs: readonly AnyJob[], schedules?: readonly Schedule[]): Promise<void>
  /** Stops taking work and waits, within `timeoutMs`, for what is running. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Job queue in the same database, so that a job and the rows that need it commit together. `asked` are jobs that are
 * asked for before the work begins, as by a webhook that comes with the first request.
 */
export async function openJobQueue(
  database: Database,
  logger: Logger,
  asked: readonly Pick<AnyJob, 'name' | 'retryLimit'>[] = [],
): Promise<JobQueue> {
  const boss = new PgBoss({ ...database.queue, useListenNotify: true })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'job queue'))
  await boss.start()
  for (const job of asked) await openQueue(boss, job)

  return {
    enqueue: enqueueTo(boss),
    async work(jobs, schedules = []) {
      for (const job of jobs) {
        await openQueue(boss, job)
        let worker = ''
        worker = await boss.work(job.name, { pollingIntervalSeconds: 5, batchSize: 1 }, async (batch) => {
          for (const { data, id } of batch) {
            try {
              await job.run(job.payload.parse(data))
            } catch (error) {
              logger.error({ err: error, job: job.name, jobId: id }, 'job failed')
              throw error
            } finally {
              // One transaction that asks for several jobs rings once: without this the second waits half a minute.
              boss.notifyWorker(worker)
            }
          }
        })
      }
      for (const { job, cron } of schedules) await boss.schedule(job, cron)
    },
    async stop(timeoutMs) {
      await boss.stop({ graceful: true, timeout: timeoutMs, close: true })
    },
  }
}

/** For a process that asks for jobs and does none: whoever works, now or at the next start, finds them. */
export async function openJobSender(
  database: Database,
  logger: Logger,
  jobs: readonly Pick<AnyJob, 'name' | 'retryLimit'>[],
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
 * Makes the queue where there is none, gives one of an older version what it says today (jobs that wait keep what they
 * were asked for with), and lets this process know it. Whoever first asks for a job within a transaction
 * would look it up beside that transaction, and on the embedded database wait for itself.
 */
async function openQueue(boss: PgBoss, { name, retryLimit }: Pick<AnyJob, 'name' | 'retryLimit'>): Promise<void> {
  const known = await boss.getQueue(name)
  const settings = { retryLimit, retryBackoff: true, retryDelay: 5, notify: true }
  if (known?.retryLimit === retryLimit) return
  if (known) await boss.updateQueue(name, settings)
  else await boss.createQueue(name, settings)
  await boss.getJobById(name, randomUUID())
}
