import { type ListSender, readListSender } from '#server/features/sending-settings/sending-settings.ts'
import type { NewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import type { Outcome } from '#server/mail/transport.ts'
import type { Composed } from '../compose/composer.ts'
import { createDeliveryComposer } from './compose-delivery.ts'
import type { ClaimedDelivery, DeliveryResult } from './delivery.ts'
import { toDeliveryResult } from './delivery-result.ts'
import { type FullMailing, findMailing } from './mailing-row.ts'
import { pauseAutomatically } from './mailing-transitions.ts'
import { type Notifier, sleep } from './notifier.ts'
import { type RecordAndClaimResult, recordAndClaim, SenderExpired } from './record-and-claim.ts'
import type { SenderIdentity } from './sender-identity.ts'
import type { SendingDeps } from './sending-deps.ts'
import { suppressInvalidAddresses } from './suppress-invalid-addresses.ts'

export type DeliverOptions = {
  /** Between two looks when there is nothing to do. */
  idleMs: number
  /** Mails that are marked as under way and wait for their turn, for each one that is really on its way. */
  aheadPerSlot: number
  retryPausesMs?: readonly number[]
}

type Run = {
  deps: SendingDeps
  options: DeliverOptions
  sender: SenderIdentity
  /** Raised when something may have changed. */
  notifier: Notifier
  isStopping(): boolean
}

/** Failed tries to reach the server, each after a longer pause, before a trouble that waiting does not mend pauses it. */
const troubles = 3
/** Bounces and complaints come in minutes after the mails, not within a handful of them. */
const judgeEveryMs = 500
/** Of mails that are not at their end yet, for each slot: with fewer the next are taken, before a slot has nothing to do. */
const refillBelow = 1.5

/**
 * Sends one mailing until it is sent, paused or stopped, or this process stops. Marked mails wait in a short queue; as
 * many as the mailer has slots are composed, signed and handed over at once. Whenever a handful has ended, one exchange
 * with the database hands in the results and takes the next.
 */
export async function deliverMailing(run: Run, mailingId: string): Promise<void> {
  const { deps, options, sender, notifier } = run
  const { newsletterMailer, logger } = deps
  const mailing = await findMailing(deps.database.db, mailingId)
  const from = await readListSender(deps)
  if (from.postalAddress === null) return void (await pauseAutomatically(deps, mailingId, 'postalAddress'))
  const composer = composerOf(deps, from, mailing)
  if (!composer) return void (await pauseAutomatically(deps, mailingId, 'content'))
  const compose = composer
  const most = newsletterMailer.slots * (1 + options.aheadPerSlot)
  const queue: ClaimedDelivery[] = []
  const held = new Map<string, ClaimedDelivery>()
  const fullDomains = new Set<string>()
  let results: DeliveryResult[] = []
  let lanes = 0
  let afterId = '0'
  let inDoubt = false
  let minute = 0
  let judgedAt = Number.NEGATIVE_INFINITY
  let limits = ''

  async function lane() {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await deliver(run, compose, next)
      // After the wait: what was handed in meanwhile is another list.
      results.push(result)
      notifier.notify()
    }
  }

  function fillLanes() {
    while (lanes < newsletterMailer.slots && lanes < queue.length) {
      lanes += 1
      void lane().finally(() => {
        lanes -= 1
        notifier.notify()
      })
    }
  }

  function take({ deliveries, seen, lastId, full, throttle }: RecordAndClaimResult) {
    for (const delivery of deliveries) held.set(delivery.id, delivery)
    queue.push(...deliveries)
    for (const domain of full) fullDomains.add(domain)
    afterId = seen === 0 ? '0' : lastId
    const limitsBefore = limits
    limits = JSON.stringify(throttle)
    // Domains that were full by the old limits may have room by the new ones.
    if (limitsBefore !== '' && limits !== limitsBefore) rescan()
    fillLanes()
  }

  function rescan() {
    fullDomains.clear()
    afterId = '0'
  }

  for (;;) {
    const isStopping = run.isStopping()
    // What was not handed over yet goes back: it has surely not been sent.
    if (isStopping) for (const delivery of queue.splice(0)) results.push(untried(delivery, deps.clock()))
    if (isStopping && held.size === 0) return
    const transportError = newsletterMailer.transportError()
    if (transportError?.lasting && transportError.failures >= troubles && held.size === 0) {
      logger.error(
        { mailing: mailingId, response: transportError.response },
        'mailing paused: the mail server rejects our connection',
      )
      await pauseAutomatically(deps, mailingId, 'transport').catch(() => null)
    }
    const isReachable =
      transportError === null ||
      (held.size === 0 && !isStopping && (await readyWithin(newsletterMailer, options.idleMs)))
    // What has ended is handed in by the exchange that takes the next: together, as each exchange has its price.
    const open = held.size - results.length
    const room = isStopping || !isReachable ? 0 : (transportError ? 1 : most) - open
    if (open > newsletterMailer.slots * refillBelow) {
      await notifier.wait(options.idleMs)
      continue
    }
    // Every minute the full domains have room again, and what lay before the mark may have come due.
    const now = Math.floor(deps.clock().getTime() / 60_000)
    if (now !== minute) {
      minute = now
      rescan()
    }
    const judges = performance.now() - judgedAt > judgeEveryMs
    if (judges) judgedAt = performance.now()
    const handedIn = results
    results = []
    try {
      const exchanged = await recordAndClaim(deps, {
        mailingId,
        senderId: sender.current(),
        results: handedIn,
        mails: room,
        afterId,
        fullDomains,
        judges,
        stillHeld: inDoubt ? [...held.keys()] : null,
      })
      inDoubt = false
      for (const { id } of handedIn) held.delete(id)
      await suppressInvalidAddresses(deps, handedIn)
      take(exchanged)
      if (exchanged.status !== 'sending' && held.size === 0) return
      // Rows that were looked at and led to no mail, such as suppressed ones, are followed by others at once.
      const goesOn = exchanged.deliveries.length > 0 || (room > 0 && exchanged.seen > 0 && exchanged.waitMs === 0)
      if (goesOn) await aTurn()
      else await notifier.wait(Math.min(exchanged.waitMs || options.idleMs, options.idleMs))
    } catch (error) {
      results = [...handedIn, ...results]
      inDoubt = true
      if (error instanceof SenderExpired) await sender.renew().catch(() => sleep(options.idleMs))
      else {
        logger.warn({ err: error, mailing: mailingId }, 'sending is waiting for the database')
        await sleep(options.idleMs)
      }
    }
  }
}

/** Null when what was frozen cannot be set: nobody gets half a letter. */
function composerOf(deps: SendingDeps, from: ListSender, mailing: FullMailing) {
  try {
    return createDeliveryComposer(deps, from, mailing)
  } catch (error) {
    deps.logger.error({ err: error, mailing: mailing.id }, 'mailing paused: its content could not be rendered')
    return null
  }
}

const readyWithin = (newsletterMailer: Pick<NewsletterMailer, 'ready'>, ms: number) =>
  Promise.race([newsletterMailer.ready().then(() => true), sleep(ms).then(() => false)])

/** The embedded database answers within the same turn of the event loop: without this no mail would get on. */
const aTurn = () => new Promise((resolve) => setImmediate(resolve))

async function deliver(
  { deps, options, sender }: Run,
  compose: (delivery: ClaimedDelivery) => Composed,
  delivery: ClaimedDelivery,
): Promise<DeliveryResult> {
  // Whoever has not been heard of for long may be expired by now, and somebody may decide to send it again.
  if (!sender.isTrusted(delivery.senderId)) return untried(delivery, deps.clock())
  let mail: Composed
  try {
    mail = compose(delivery)
  } catch (error) {
    deps.logger.error({ err: error, delivery: delivery.id }, 'email could not be rendered')
    return toDeliveryResult(delivery, { kind: 'refused', response: 'The email could not be rendered' }, deps.clock())
  }
  const outcome = await deps.newsletterMailer
    .send(delivery.email, mail)
    .catch(async (error: unknown): Promise<Outcome> => {
      deps.logger.error({ err: error, delivery: delivery.id }, 'email could not be handed to the mail server')
      // It will be tried again, and not as fast as this can fail.
      await sleep(options.idleMs)
      return { kind: 'unsent', response: 'Not sent' }
    })
  return toDeliveryResult(delivery, outcome, deps.clock(), options.retryPausesMs)
}

const untried = (delivery: ClaimedDelivery, now: Date) =>
  toDeliveryResult(delivery, { kind: 'unsent', response: 'Not sent' }, now)
