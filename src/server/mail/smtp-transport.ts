import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope, MailTransport, Outcome, TransportError } from './newsletter-mailer.ts'
import { openSmtpConnection, type SmtpConnection, type SmtpOptions, type SmtpOutcome } from './smtp-connection.ts'

const maxBackoffMs = 60_000

/** Remembers the last server error and how long to pause: longer after each failure in a row, up to a minute. */
function createSmtpBackoff(initialBackoffMs: number) {
  let last: TransportError | null = null
  let pausedUntil = 0
  return {
    error: (): TransportError | null => last,
    /** Time until the next attempt; not positive if one may be made now. */
    remainingMs: () => pausedUntil - performance.now(),
    record(response: string, isPermanent: boolean) {
      const now = performance.now()
      // Concurrent failures during one pause count as one.
      if (last && now < pausedUntil) return
      const failures = (last?.failures ?? 0) + 1
      last = { response, failures, isPermanent }
      pausedUntil = now + Math.min(maxBackoffMs, initialBackoffMs * 2 ** (failures - 1))
    },
    clear() {
      last = null
    },
  }
}

export type SmtpTransportOptions = SmtpOptions & {
  /** Maximum number of concurrent connections. */
  connections: number
  /** Reconnect after this many messages, as servers limit them and a load balancer may spread them. Default: 200. */
  maxMessagesPerConnection?: number
  /** Pause after the first server error; doubles with each further one, up to a minute. Default: 500. */
  initialBackoffMs?: number
}

/** After this many failures in a row, messages aren't tried during a pause: each could wait for a connection's timeout. */
const failuresUntilDown = 3
/** Stop after this many uncertain outcomes in a row, before the whole audience becomes unknown. */
const maxUncertain = 5

/** Pool of SMTP connections that reports how far each message got and backs off after server errors. */
export function createSmtpTransport(options: SmtpTransportOptions): MailTransport {
  const { connections, maxMessagesPerConnection = 200, initialBackoffMs = 500 } = options
  const idle: SmtpConnection[] = []
  const busy = new Set<SmtpConnection>()
  const backoff = createSmtpBackoff(initialBackoffMs)
  const queue: (() => void)[] = []
  let inUse = 0
  let probing: Promise<void> | null = null
  let closed = false

  async function open(): Promise<SmtpConnection | string> {
    try {
      return await openSmtpConnection(options)
    } catch (error) {
      const response = error instanceof Error ? error.message : String(error)
      const isRefused = error instanceof Error && 'code' in error && error.code === 'EAUTH'
      // Such as a self-signed certificate, which doesn't become valid by waiting.
      backoff.record(response, isRefused || /\bcertificate\b/i.test(response))
      return response
    }
  }

  const takeIdle = () => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) if (connection.isOpen()) return connection
    return null
  }

  async function sendOnce(envelope: Envelope, connection: SmtpConnection): Promise<SmtpOutcome> {
    if (closed) {
      connection.close()
      return { kind: 'unsent', response: 'Stopped' }
    }
    busy.add(connection)
    const outcome = await connection.send(envelope)
    busy.delete(connection)
    if (closed || outcome.isServerError || !connection.isOpen()) connection.close()
    else if (connection.sentCount() >= maxMessagesPerConnection) connection.quit()
    else idle.push(connection)
    return outcome
  }

  /** True if the server closed an idle connection before this message. Not a server error. */
  const isStale = (outcome: SmtpOutcome, connection: SmtpConnection) =>
    outcome.kind === 'unsent' && connection.sentCount() > 1 && !/^\d{3}/.test(outcome.response)

  async function sendNow(envelope: Envelope): Promise<Outcome> {
    const reused = takeIdle()
    let outcome = reused && (await sendOnce(envelope, reused))
    if (!outcome || (reused && isStale(outcome, reused))) {
      if (closed) return { kind: 'unsent', response: 'Stopped' }
      const known = backoff.error()
      if (known && known.failures >= failuresUntilDown && backoff.remainingMs() > 0)
        return { kind: 'unsent', response: known.response }
      const connection = await open()
      if (typeof connection === 'string') return { kind: 'unsent', response: connection }
      outcome = await sendOnce(envelope, connection)
    }
    const { kind, response, isServerError, isPermanent } = outcome
    if (isServerError) {
      const failures = backoff.error()?.failures ?? 0
      backoff.record(response, isPermanent || (kind === 'uncertain' && failures >= maxUncertain))
    } else backoff.clear()
    return { kind, response }
  }

  async function waitUntilReachable() {
    while (!closed && backoff.error()) {
      const pauseMs = backoff.remainingMs()
      if (pauseMs > 0) await delay(Math.min(pauseMs, 200))
      else {
        const connection = takeIdle() ?? (await open())
        if (typeof connection === 'string') continue
        idle.push(connection)
        return
      }
    }
  }

  return {
    slots: connections,
    async send(envelope) {
      if (closed) return { kind: 'unsent', response: 'Stopped' }
      while (inUse >= connections) await new Promise<void>((resolve) => queue.push(resolve))
      inUse += 1
      try {
        return await sendNow(envelope)
      } finally {
        inUse -= 1
        queue.shift()?.()
      }
    },
    ready() {
      if (!backoff.error()) return Promise.resolve()
      probing ??= waitUntilReachable().finally(() => {
        probing = null
      })
      return probing
    },
    transportError: backoff.error,
    async close() {
      closed = true
      for (const connection of idle.splice(0)) connection.quit()
      for (const connection of busy) connection.close()
    },
  }
}
