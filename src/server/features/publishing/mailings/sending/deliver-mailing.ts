import { nextTurn } from '#server/db/batch-writes.ts'
import { classifyBounce } from '#server/features/publishing/deliverability/classify-bounce.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import { type ListSender, readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { NewsletterMailer, Outcome } from '#server/mail/newsletter-mailer.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import type { CustomField } from '#shared/domain/custom-fields.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import type { Composed } from '../compose/composer.ts'
import { firstPosition } from './claim-batch.ts'
import { type ClaimedDelivery, createDeliveryComposer, type DeliveryResult } from './compose-delivery.ts'
import { createDeliveryWorkers } from './delivery-workers.ts'
import { type FullMailing, findMailing, type SendingDeps } from './mailing-row.ts'
import { pauseAutomatically } from './mailing-transitions.ts'
import { type Notifier, sleep } from './notifier.ts'
import { type RecordAndClaimResult, recordAndClaim, SenderExpired, type SenderIdentity } from './senders.ts'

/**
 * Delay before each retry of a deferred delivery. Servers that greylist usually accept email after a few
 * minutes; together the pauses outlast an outage of a day.
 */
const retryPausesMs: readonly number[] = [5, 15, 60, 180, 360, 720, 720].map((minutes) => minutes * minuteMs)

/** Converts the mail server's response into a delivery result. */
function toDeliveryResult(
  { id, senderId, attempts }: ClaimedDelivery,
  { kind, response }: Outcome,
  now: Date,
  pausesMs: readonly number[] = retryPausesMs,
): DeliveryResult {
  const result = { id, senderId, cause: null, response, untried: false, nextAttemptAt: null }
  switch (kind) {
    case 'accepted':
      return { ...result, status: 'submitted' }
    case 'refused':
      return { ...result, status: 'failed', cause: 'refused' }
    case 'deferred': {
      const pauseMs = pausesMs[attempts - 1]
      return pauseMs === undefined
        ? { ...result, status: 'failed', cause: 'retries_exhausted' }
        : { ...result, status: 'pending', nextAttemptAt: new Date(now.getTime() + pauseMs) }
    }
    case 'unsent':
      return { ...result, status: 'pending', untried: true }
    case 'uncertain':
      return { ...result, status: 'unknown', cause: 'no_answer' }
  }
}

/**
 * Suppresses addresses that the mail server rejected as nonexistent, like a hard bounce. Other permanent rejections, such
 * as for the content, say nothing about the address.
 */
async function suppressInvalidAddresses(
  deps: Pick<SendingDeps, 'database' | 'clock' | 'logger'>,
  results: readonly DeliveryResult[],
): Promise<void> {
  const reports = results
    .filter(({ cause, response }) => cause === 'refused' && classifyBounce('', response ?? '') === 'hard_bounce')
    .map(({ id, response }) => ({
      source: 'self' as const,
      externalId: `refused ${id}`,
      type: 'hard_bounce' as const,
      deliveryId: id,
      email: null,
      subject: null,
      detail: response,
      occurredAt: null,
    }))
  // The delivery is already marked as failed, and the next mailing would detect the address again.
  await recordReports(deps, reports).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'invalid addresses were not recorded'),
  )
}

export type DeliverOptions = {
  /** Poll interval while there is nothing to send. */
  idleMs: number
  /** Deliveries to queue ahead for each connection. */
  queuedPerSlot: number
  retryPausesMs?: readonly number[]
}

type DeliveryContext = {
  deps: SendingDeps
  options: DeliverOptions
  sender: SenderIdentity
  /** Notified when there may be something to do. */
  notifier: Notifier
  isStopping(): boolean
}

/** Failed connections with a permanent error before the mailing pauses. */
const maxConnectionFailures = 3
/** Bounces and complaints arrive minutes after the emails, so pause rules don't run with each batch. */
const checkPauseRulesEveryMs = 500
/** Claim more when fewer than this many deliveries per connection are in flight, so that no connection sits idle. */
const refillBelowPerSlot = 1.5

/**
 * Sends one mailing until it is sent, paused or stopped, or this process stops. One worker per connection takes claimed
 * deliveries from a short queue. Each transaction records finished deliveries and claims the next batch.
 */
export async function deliverMailing(context: DeliveryContext, mailingId: string): Promise<void> {
  const { deps, options, sender, notifier } = context
  const { newsletterMailer, logger } = deps
  const mailing = await findMailing(deps.database.db, mailingId)
  const from = await readListSender(deps, mailing.audience.newsletterId)
  if (from.postalAddress === null) return void (await pauseAutomatically(deps, mailingId, 'postalAddress'))
  const composer = composerOf(deps, from, mailing, await readCustomFields(deps.database.db))
  if (!composer) return void (await pauseAutomatically(deps, mailingId, 'content'))
  const compose = composer
  const maxInFlight = newsletterMailer.slots * (1 + options.queuedPerSlot)
  const workers = createDeliveryWorkers({
    slots: newsletterMailer.slots,
    deliver: (delivery) => deliver(context, compose, delivery),
    onProgress: notifier.notify,
  })
  const fullDomains = new Set<string>()
  let after = firstPosition
  let inDoubt = false
  let minute = 0
  let pauseRulesCheckedAt = Number.NEGATIVE_INFINITY
  let limits = ''

  function accept({ deliveries, examined, last, full, throttle }: RecordAndClaimResult) {
    for (const domain of full) fullDomains.add(domain)
    after = examined === 0 ? firstPosition : last
    const limitsBefore = limits
    limits = JSON.stringify(throttle)
    // New limits may leave quota for domains that were full.
    if (limitsBefore !== '' && limits !== limitsBefore) rescan()
    workers.start(deliveries)
  }

  function rescan() {
    fullDomains.clear()
    after = firstPosition
  }

  for (;;) {
    const isStopping = context.isStopping()
    // Return queued deliveries; they haven't been sent.
    if (isStopping) workers.cancelQueued((delivery) => untried(delivery, deps.clock()))
    if (isStopping && workers.isIdle()) return
    const transportError = newsletterMailer.transportError()
    if (transportError?.isPermanent && transportError.failures >= maxConnectionFailures && workers.isIdle()) {
      logger.error(
        { mailing: mailingId, response: transportError.response },
        'mailing paused: the mail server rejects our connection',
      )
      await pauseAutomatically(deps, mailingId, 'transport').catch(() => null)
    }
    const isReachable =
      transportError === null ||
      (workers.isIdle() && !isStopping && (await readyWithin(newsletterMailer, options.idleMs)))
    // Record finished deliveries and claim new ones in one transaction; each round trip costs about 2 ms.
    const open = workers.inFlight()
    const room = isStopping || !isReachable ? 0 : (transportError ? 1 : maxInFlight) - open
    if (open > newsletterMailer.slots * refillBelowPerSlot) {
      await notifier.wait(options.idleMs)
      continue
    }
    // Once a minute, reset per-domain quotas and rescan from the start for retries that are due.
    const now = Math.floor(deps.clock().getTime() / 60_000)
    if (now !== minute) {
      minute = now
      rescan()
    }
    const checksPauseRules = performance.now() - pauseRulesCheckedAt > checkPauseRulesEveryMs
    if (checksPauseRules) pauseRulesCheckedAt = performance.now()
    const recorded = workers.takeResults()
    try {
      const batch = await recordAndClaim(deps, {
        mailingId,
        senderId: sender.current(),
        results: recorded,
        emails: room,
        after,
        fullDomains,
        checksPauseRules,
        stillHeld: inDoubt ? workers.heldIds() : null,
      })
      inDoubt = false
      workers.release(recorded)
      for (const { status } of recorded) reportEvent('delivery', { outcome: status === 'pending' ? 'retry' : status })
      await suppressInvalidAddresses(deps, recorded)
      accept(batch)
      if (batch.status !== 'sending' && workers.isIdle()) return
      // Suppressed rows lead to no email; claim the next ones right away.
      const hasMore = batch.deliveries.length > 0 || (room > 0 && batch.examined > 0 && batch.waitMs === 0)
      // SMTP makes no progress otherwise.
      if (hasMore) await nextTurn()
      else await notifier.wait(Math.min(batch.waitMs || options.idleMs, options.idleMs))
    } catch (error) {
      workers.returnResults(recorded)
      inDoubt = true
      if (error instanceof SenderExpired) await sender.renew().catch(() => sleep(options.idleMs))
      else {
        logger.warn({ err: error, mailing: mailingId }, 'sending is waiting for the database')
        await sleep(options.idleMs)
      }
    }
  }
}

/** Null if the frozen content can't be rendered. */
function composerOf(deps: SendingDeps, from: ListSender, mailing: FullMailing, fields: readonly CustomField[]) {
  try {
    return createDeliveryComposer(deps, from, mailing, fields)
  } catch (error) {
    deps.logger.error({ err: error, mailing: mailing.id }, 'mailing paused: its content could not be rendered')
    return null
  }
}

const readyWithin = (newsletterMailer: Pick<NewsletterMailer, 'ready'>, ms: number) =>
  Promise.race([newsletterMailer.ready().then(() => true), sleep(ms).then(() => false)])

async function deliver(
  { deps, options, sender }: DeliveryContext,
  compose: (delivery: ClaimedDelivery) => Composed,
  delivery: ClaimedDelivery,
): Promise<DeliveryResult> {
  // If the heartbeat is late, this sender may have expired and the delivery may be resent by the publisher.
  if (!sender.isTrusted(delivery.senderId)) return untried(delivery, deps.clock())
  let email: Composed
  try {
    email = compose(delivery)
  } catch (error) {
    deps.logger.error({ err: error, delivery: delivery.id }, 'email could not be rendered')
    return toDeliveryResult(delivery, { kind: 'refused', response: 'The email could not be rendered' }, deps.clock())
  }
  const outcome = await deps.newsletterMailer
    .send(delivery.email, email)
    .catch(async (error: unknown): Promise<Outcome> => {
      deps.logger.error({ err: error, delivery: delivery.id }, 'email could not be handed to the mail server')
      // The delivery is retried; avoid a busy loop.
      await sleep(options.idleMs)
      return { kind: 'unsent', response: 'Not sent' }
    })
  return toDeliveryResult(delivery, outcome, deps.clock(), options.retryPausesMs)
}

const untried = (delivery: ClaimedDelivery, now: Date) =>
  toDeliveryResult(delivery, { kind: 'unsent', response: 'Not sent' }, now)
