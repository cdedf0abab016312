import { setTimeout as delay } from 'node:timers/promises'
import { openSmtpConnection, type SmtpConnection, type SmtpOptions, type SmtpOutcome } from './smtp-connection.ts'
import type { Envelope, MailTransport, Outcome, TransportError } from './transport.ts'

export type SmtpTransportOptions = SmtpOptions & {
  /** Connections at once. */
  connections: number
  /** Servers hang up on somebody who stays too long; a new connection also finds another machine behind a name. */
  mailsPerConnection?: number
  /** Pause after a first trouble; it doubles with each further one, up to a minute. */
  firstPauseMs?: number
}

const longestPauseMs = 60_000
/** Mails in a row whose answer was lost: whoever goes on makes the whole audience unknown. */
const mostUncertain = 5

/**
 * A pool of SMTP connections that knows how far each message got, and that rests while the server as a whole is in
 * trouble.
 */
export function createSmtpTransport(options: SmtpTransportOptions): MailTransport {
  const { connections, mailsPerConnection = 200, firstPauseMs = 500 } = options
  const idle: SmtpConnection[] = []
  const busy = new Set<SmtpConnection>()
  const waiting: (() => void)[] = []
  let inUse = 0
  let trouble: (TransportError & { until: number }) | null = null
  let probing: Promise<void> | null = null
  let closed = false

  function note(response: string, lasting: boolean) {
    const now = performance.now()
    // All that fail side by side have met one trouble.
    if (trouble && now < trouble.until) return
    const failures = (trouble?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
    trouble = { response, failures, lasting, until: now + pauseMs }
  }

  async function open(): Promise<SmtpConnection | string> {
    try {
      return await openSmtpConnection(options)
    } catch (error) {
      const response = error instanceof Error ? error.message : String(error)
      note(response, error instanceof Error && 'code' in error && error.code === 'EAUTH')
      return response
    }
  }

  const takeIdle = () => {
    for (let line = idle.pop(); line; line = idle.pop()) if (line.isOpen()) return line
    return null
  }

  async function sendOnce(envelope: Envelope, line: SmtpConnection): Promise<SmtpOutcome> {
    if (closed) {
      line.close()
      return { kind: 'unsent', response: 'Stopped' }
    }
    busy.add(line)
    const outcome = await line.send(envelope)
    busy.delete(line)
    if (closed || outcome.ofServer || !line.isOpen()) line.close()
    else if (line.carried() >= mailsPerConnection) line.quit()
    else idle.push(line)
    return outcome
  }

  /**
   * A server may hang up on a connection that waited for its next message; that is no trouble, and nothing was said
   * yet.
   */
  const isStale = (outcome: SmtpOutcome, line: SmtpConnection) =>
    outcome.kind === 'unsent' && line.carried() > 1 && !/^\d{3}/.test(outcome.response)

  async function sendNow(envelope: Envelope): Promise<Outcome> {
    const former = takeIdle()
    let outcome = former && (await sendOnce(envelope, former))
    if (!outcome || (former && isStale(outcome, former))) {
      if (closed) return { kind: 'unsent', response: 'Stopped' }
      const line = await open()
      if (typeof line === 'string') return { kind: 'unsent', response: line }
      outcome = await sendOnce(envelope, line)
    }
    const { kind, response, ofServer, lasting } = outcome
    if (ofServer) note(response, lasting || (kind === 'uncertain' && (trouble?.failures ?? 0) >= mostUncertain))
    else trouble = null
    return { kind, response }
  }

  async function untilReachable() {
    while (!closed && trouble) {
      const pauseMs = trouble.until - performance.now()
      if (pauseMs > 0) await delay(Math.min(pauseMs, 200))
      else {
        const line = takeIdle() ?? (await open())
        if (typeof line === 'string') continue
        idle.push(line)
        return
      }
    }
  }

  return {
    slots: connections,
    async send(envelope) {
      if (closed) return { kind: 'unsent', response: 'Stopped' }
      while (inUse >= connections) await new Promise<void>((resolve) => waiting.push(resolve))
      inUse += 1
      try {
        return await sendNow(envelope)
      } finally {
        inUse -= 1
        waiting.shift()?.()
      }
    },
    ready() {
      if (!trouble) return Promise.resolve()
      probing ??= untilReachable().finally(() => {
        probing = null
      })
      return probing
    },
    transportError: () =>
      trouble && { response: trouble.response, failures: trouble.failures, lasting: trouble.lasting },
    async close() {
      closed = true
      for (const line of idle.splice(0)) line.quit()
      for (const line of busy) line.close()
    },
  }
}
