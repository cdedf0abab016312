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
  work(jobs: readonly AnyJob[], schedules?: readonly { job: string; cron: string }[]): Promise<void>
  /** Stops taking work and waits, within `timeoutMs`, for what is running. */
  stop(timeoutMs: number): Promise<void>
}

/** Job queue in the same database, so that a job and the rows that need it commit together. */
export async function openJobQueue(database: Database, logger: Logger): Promise<JobQueue> {
  const boss = new PgBoss({ ...database.queue, useListenNotify: true })
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'))
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'job queue'))
  await boss.start()

  return {
    async enqueue(tx, job, payload) {
      await boss.send(job.name, job.payload.parse(payload) as object, {
        db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql),
      })
    },
    async work(jobs, schedules = []) {
      for (const job of jobs) {
        await boss.createQueue(job.name, {
          retryLimit: job.retryLimit,
          retryBackoff: true,
          retryDelay: 5,
          notify: true,
        })
        await boss.work(job.name, { pollingIntervalSeconds: 5, batchSize: 1 }, async (batch) => {
          for (const { data, id } of batch) {
            try {
              await job.run(job.payload.parse(data))
            } catch (error) {
              logger.error({ err: error, job: job.name, jobId: id }, 'job failed')
              throw error
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
