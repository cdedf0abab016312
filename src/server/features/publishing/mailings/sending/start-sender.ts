import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { notOnHold } from '#server/db/restore-hold.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { findProblems } from '../checks/locate-problem.ts'
import { type DeliverOptions, deliverMailing } from './deliver-mailing.ts'
import type { SendingDeps } from './mailing-row.ts'
import { stopPending } from './mailing-transitions.ts'
import { createNotifier, sleep } from './notifier.ts'
import { prepareMailing } from './prepare-mailing.ts'
import { createSenderIdentity, expireStaleSenders, type StaleSenders } from './senders.ts'
import { type StartScheduledDeps, startScheduledMailing } from './start-scheduled-mailing.ts'

/**
 * Mailings that a sender works on, oldest first: `scheduled` whose time has come, `preparing`, `sending`, or `stopped` with
 * deliveries still pending. One statement, since every idle node repeats it.
 */
export const findMailings = (db: Db, now: Date) =>
  db
    .select({ id: mailings.id, status: mailings.status })
    .from(mailings)
    .where(
      or(
        and(inArray(mailings.status, ['preparing', 'sending']), notOnHold),
        and(eq(mailings.status, 'scheduled'), lte(mailings.scheduledAt, now), notOnHold),
        unfinishedStop,
      ),
    )
    .orderBy(mailings.startedAt, mailings.id)

/** A stopped mailing with pending deliveries, after a crash during the stop. */
const unfinishedStop = sql`(${mailings.status} = 'stopped' and exists (
  select 1 from deliveries d where d.mailing_id = ${mailings.id} and d.status = 'pending'))`

export type SenderOptions = Partial<DeliverOptions> & {
  /** Senders without a heartbeat for this long are expired. */
  staleAfterMs?: number
  /** Replaces the checks that run before a scheduled mailing, for tests. */
  findProblems?: StartScheduledDeps['findProblems']
}

export type Sender = {
  /** Stops claiming and waits for deliveries in progress. Aborts those that aren't done within the timeout. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Starts the sender of this node. It polls for mailings that are due, need preparation or are being sent, and works on
 * all of them until it is stopped. All of its state is in the database, so any number of nodes can run one.
 */
export async function startSender(deps: SendingDeps, options: SenderOptions = {}): Promise<Sender> {
  const { staleAfterMs = 60_000, idleMs = 1_000, queuedPerSlot = 5, retryPausesMs } = options
  const { db } = deps.database
  const sender = await createSenderIdentity(db, { staleAfterMs })
  // PGlite has one process, so every other registered sender is gone.
  const alone = deps.database.kind === 'pglite'
  const running = new Map<string, { done: Promise<void>; notify(): void }>()
  const starting = new Map<string, Promise<void>>()
  const check = options.findProblems ?? ((content: MailingContent) => findProblems(deps, content))
  const wakeUp = createNotifier()
  let stopping = false
  let lostTrack = false

  let stale: StaleSenders = new Map()
  const expire = async () => {
    stale = await expireStaleSenders(deps, { own: sender.current(), staleAfterMs, alone, before: stale })
  }

  function run(mailingId: string) {
    const notifier = createNotifier()
    const done = deliverMailing(
      { deps, options: { idleMs, queuedPerSlot, retryPausesMs }, sender, notifier, isStopping: () => stopping },
      mailingId,
    )
      .catch((error: unknown) => {
        deps.logger.error({ err: error, mailing: mailingId }, 'sending failed')
        lostTrack = true
      })
      .finally(() => running.delete(mailingId))
    running.set(mailingId, { done, notify: notifier.notify })
  }

  /** Runs in the background: the checks make network requests, and other mailings must not wait for them. */
  function startScheduled(mailingId: string) {
    if (starting.has(mailingId) || stopping) return
    const done = startScheduledMailing({ ...deps, findProblems: check, isStopping: () => stopping }, mailingId)
      .catch((error: unknown) =>
        deps.logger.error({ err: error, mailing: mailingId }, 'scheduled mailing failed to start'),
      )
      .finally(() => starting.delete(mailingId))
    starting.set(mailingId, done)
  }

  async function poll() {
    const found = await findMailings(db, deps.clock())
    for (const { id, status } of found) {
      try {
        if (status === 'scheduled') startScheduled(id)
        if (status === 'preparing' && !stopping) await prepareMailing(deps, id)
        if (status === 'stopped') await stopPending(deps, id)
      } catch (error) {
        // Continue with the other mailings.
        deps.logger.error({ err: error, mailing: id }, 'mailing could not be processed')
      }
    }
    const waiting = found.filter(({ id, status }) => status === 'sending' && !running.has(id))
    if (stopping) return
    for (const { id } of waiting) run(id)
  }

  async function work() {
    let expiredAt = Number.NEGATIVE_INFINITY
    while (!stopping) {
      try {
        if (lostTrack) {
          // The outcome of the failed run's deliveries is unknown; a new id lets them expire with the old one.
          await sender.deregister()
          await sender.renew()
          lostTrack = false
          expiredAt = Number.NEGATIVE_INFINITY
        }
        if (performance.now() - expiredAt > staleAfterMs / 3) {
          await sender.heartbeat()
          await expire()
          expiredAt = performance.now()
        }
        await poll()
      } catch (error) {
        deps.logger.warn({ err: error }, 'sender is waiting for the database')
      }
      await wakeUp.wait(2 * idleMs)
    }
  }

  const heartbeats = setInterval(() => void sender.heartbeat().catch(() => {}), staleAfterMs / 6)
  const working = work()
  return {
    async stop(timeoutMs) {
      stopping = true
      wakeUp.notify()
      for (const { notify } of running.values()) notify()
      const ended = working.then(() =>
        Promise.all([...[...running.values()].map(({ done }) => done), ...starting.values()]),
      )
      const inTime = await Promise.race([ended.then(() => true), sleep(timeoutMs).then(() => false)])
      // Closing the mailer settles every delivery in progress as not sent or unknown.
      if (!inTime) await deps.newsletterMailer.close()
      await Promise.race([ended, sleep(timeoutMs)])
      clearInterval(heartbeats)
      await sender.deregister().catch(() => {})
    },
  }
}
