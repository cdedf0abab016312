import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import { mailings } from '#server/db/schema/index.ts'
import type { MailingContent } from '#shared/contracts/newsletter.ts'
import { findProblems } from '../admin/find-problems.ts'
import { type DeliverOptions, deliverMailing } from './deliver-mailing.ts'
import { stopPending } from './mailing-transitions.ts'
import { createNotifier, sleep } from './notifier.ts'
import { prepareMailing } from './prepare-mailing.ts'
import { createSenderIdentity } from './sender-identity.ts'
import { expireStaleSenders } from './senders.ts'
import type { SendingDeps } from './sending-deps.ts'
import { type StartScheduledDeps, startScheduledMailing } from './start-scheduled-mailing.ts'

export type SenderOptions = Partial<DeliverOptions> & {
  /** A sender that was not heard of for so long is gone. */
  staleAfterMs?: number
  /** What the checks find in a text that is about to go out; without it, what they find in fact. */
  findProblems?: StartScheduledDeps['findProblems']
}

export type Sender = {
  /** Takes nothing more and brings to an end what is under way; what is not at its end by then is broken off. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * The part of the server that sends letters: any number of nodes, one each. It looks for mailings that are due, to be
 * prepared or being sent, and works on all of them until it is stopped. What it must remember stands in the database.
 */
export async function startSender(deps: SendingDeps, options: SenderOptions = {}): Promise<Sender> {
  const { staleAfterMs = 60_000, idleMs = 1_000, aheadPerSlot = 5, retryPausesMs } = options
  const { db } = deps.database
  const sender = await createSenderIdentity(db, { staleAfterMs })
  // The embedded database has one process: whoever else is on record is gone.
  const alone = deps.database.kind === 'pglite'
  const running = new Map<string, { done: Promise<void>; notify(): void }>()
  const beginning = new Map<string, Promise<void>>()
  const check = options.findProblems ?? ((content: MailingContent) => findProblems(deps, content))
  const awake = createNotifier()
  let stopping = false
  let lostTrack = false

  const bury = () => expireStaleSenders(deps, { own: sender.current(), staleAfterMs, alone })

  function run(mailingId: string) {
    const notifier = createNotifier()
    const done = deliverMailing(
      { deps, options: { idleMs, aheadPerSlot, retryPausesMs }, sender, notifier, isStopping: () => stopping },
      mailingId,
    )
      .catch((error: unknown) => {
        deps.logger.error({ err: error, mailing: mailingId }, 'sending failed')
        lostTrack = true
      })
      .finally(() => running.delete(mailingId))
    running.set(mailingId, { done, notify: notifier.notify })
  }

  /** Beside everything else: the checks ask other servers, and other mailings must not wait for that. */
  function begin(mailingId: string) {
    if (beginning.has(mailingId) || stopping) return
    const done = startScheduledMailing({ ...deps, findProblems: check, isStopping: () => stopping }, mailingId)
      .catch((error: unknown) =>
        deps.logger.error({ err: error, mailing: mailingId }, 'scheduled mailing failed to start'),
      )
      .finally(() => beginning.delete(mailingId))
    beginning.set(mailingId, done)
  }

  async function look() {
    const due = await db
      .select({ id: mailings.id })
      .from(mailings)
      .where(and(eq(mailings.status, 'scheduled'), lte(mailings.scheduledAt, deps.clock())))
    for (const { id } of due) begin(id)
    const open = await db
      .select({ id: mailings.id, status: mailings.status })
      .from(mailings)
      .where(or(inArray(mailings.status, ['preparing', 'sending']), unfinishedStop))
      .orderBy(mailings.startedAt, mailings.id)
    for (const { id, status } of open) {
      try {
        if (status === 'preparing' && !stopping) await prepareMailing(deps, id)
        if (status === 'stopped') await stopPending(deps, id)
      } catch (error) {
        // The others must not wait for it.
        deps.logger.error({ err: error, mailing: id }, 'mailing could not be processed')
      }
    }
    const waiting = open.filter(({ id, status }) => status === 'sending' && !running.has(id))
    if (stopping) return
    for (const { id } of waiting) run(id)
  }

  async function work() {
    let buriedAt = Number.NEGATIVE_INFINITY
    while (!stopping) {
      try {
        if (lostTrack) {
          // What became of the mails that the broken run held is known to nobody: they are expired with the name.
          await sender.deregister()
          await sender.renew()
          lostTrack = false
          buriedAt = Number.NEGATIVE_INFINITY
        }
        await sender.heartbeat()
        if (performance.now() - buriedAt > staleAfterMs / 3) {
          await bury()
          buriedAt = performance.now()
        }
        await look()
      } catch (error) {
        deps.logger.warn({ err: error }, 'sender is waiting for the database')
      }
      await awake.wait(idleMs)
    }
  }

  const beating = setInterval(() => void sender.heartbeat().catch(() => {}), staleAfterMs / 6)
  const working = work()
  return {
    async stop(timeoutMs) {
      stopping = true
      awake.notify()
      for (const { notify } of running.values()) notify()
      const ended = working.then(() =>
        Promise.all([...[...running.values()].map(({ done }) => done), ...beginning.values()]),
      )
      const inTime = await Promise.race([ended.then(() => true), sleep(timeoutMs).then(() => false)])
      // Broken off, each mail under way has an outcome: surely not sent, or unknown.
      if (!inTime) await deps.newsletterMailer.close()
      await Promise.race([ended, sleep(timeoutMs)])
      clearInterval(beating)
      await sender.deregister().catch(() => {})
    },
  }
}

/** A stop that a crash cut short. */
const unfinishedStop = sql`(${mailings.status} = 'stopped' and exists (
  select 1 from deliveries d where d.mailing_id = ${mailings.id} and d.status = 'pending'))`
