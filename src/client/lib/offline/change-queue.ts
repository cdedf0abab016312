import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { CallError, isTransient } from '../error-message.ts'
import { listChanges } from './list-changes.ts'
import { type NewChange, type QueuedChange, removeChanges } from './waiting-changes.ts'

/** The input of a change that makes this call, parsed before it was queued; otherwise null. */
export const inputOf = <C extends AnyCall>(call: C, { name, input }: NewChange): z.output<C['input']> | null =>
  name === call.name ? (input as z.output<C['input']>) : null

export type ChangeQueueOptions = {
  userId: string
  /** Makes the call. @throws CallError; any error without an answer from the server counts as transient */
  post(change: QueuedChange): Promise<unknown>
  /** Runs the function in one tab at a time. */
  withLock(run: () => Promise<void>): Promise<void>
  /** The server refused the change, which is removed. */
  onRejected(change: QueuedChange, error: CallError): void
  isOnline?: () => boolean
  minRetryMs?: number
  maxRetryMs?: number
}

/** Decides what to do with a change that failed. A change is never sent twice in a row without a pause. */
function outcomeOf(error: unknown): 'retry' | 'keep' | 'reject' {
  // Without a session or its second factor, the change waits for the same user's next sign-in.
  if (error instanceof CallError && (error.status === 401 || error.code === 'mfa_required')) return 'keep'
  // The server reports two requests at the same moment as `conflict`.
  if (isTransient(error) || (error instanceof CallError && error.code === 'conflict')) return 'retry'
  return 'reject'
}

/**
 * Sends a user's changes one by one, in order. A change leaves the queue only after the server has answered, so it may be
 * sent again after a lost answer: calls must be idempotent.
 */
export function createChangeQueue({
  userId,
  post,
  withLock,
  onRejected,
  isOnline = () => true,
  minRetryMs = 2_000,
  maxRetryMs = 60_000,
}: ChangeQueueOptions) {
  let running: Promise<void> | null = null
  let isWanted = false
  let isStopped = false
  let retryMs = minRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined

  async function sendAll() {
    for (;;) {
      const change = isStopped || !isOnline() ? undefined : listChanges(userId)[0]
      if (!change) return
      try {
        const output = await post(change)
        removeChanges([change.id], output)
      } catch (error) {
        const outcome = outcomeOf(error)
        if (outcome === 'retry') scheduleRetry()
        if (outcome !== 'reject') return
        removeChanges([change.id])
        onRejected(change, error as CallError)
      }
      retryMs = minRetryMs
    }
  }

  function scheduleRetry() {
    if (isStopped) return
    timer = setTimeout(() => {
      timer = undefined
      void flush()
    }, retryMs)
    retryMs = Math.min(2 * retryMs, maxRetryMs)
  }

  async function run() {
    try {
      while (isWanted) {
        isWanted = false
        await withLock(sendAll)
      }
    } catch (error) {
      console.error('Changes could not be sent', error)
      scheduleRetry()
    } finally {
      // In the same task as the check above, so that no request falls between.
      running = null
    }
  }

  /** Sends what is waiting. Resolves after one attempt, also if changes remain. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    isWanted = true
    running ??= run()
    return running
  }

  return {
    /**
     * Sends a stored change, unless an earlier one is waiting for a retry. Returns the call's output, or undefined if the
     * change is sent later or was refused.
     */
    send: (answer: Promise<unknown>): Promise<unknown> =>
      Promise.race([answer, timer === undefined ? flush().then(() => undefined) : Promise.resolve()]),
    flush,
    list: () => listChanges(userId),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export type ChangeQueue = ReturnType<typeof createChangeQueue>
