import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { CallError, isTransient } from '../call-error.ts'

/** A call to make once there is a connection. */
export type QueuedChange = {
  id: number
  userId: string
  /** Name of the product call. */
  name: string
  input: Record<string, unknown>
  /** Describes the change to the reader, such as "Tried: Answer a review". */
  label: string | null
  /** A change replaces an earlier unsent one with the same key. */
  key: string | null
  /** Key in the journal, by which a change is recognized that is added twice. Later ones sort higher. */
  entry?: string | null
}

export type NewChange = Omit<QueuedChange, 'id'>

/** The input of a change that makes this call, parsed before it was queued; otherwise null. */
export const inputOf = <C extends AnyCall>(call: C, { name, input }: NewChange): z.output<C['input']> | null =>
  name === call.name ? (input as z.output<C['input']>) : null

export type ChangeStore = {
  /** Returns the change's id; null if nothing was added, because another tab took the change over. */
  add(change: NewChange): Promise<number | null>
  /** The user's oldest change. */
  first(userId: string): Promise<QueuedChange | undefined>
  list(userId: string): Promise<QueuedChange[]>
  remove(id: number): Promise<void>
}

export type ChangeQueueOptions = {
  store: ChangeStore
  userId: string
  /** Makes the call. @throws CallError; any error without an answer from the server counts as transient */
  send(change: QueuedChange): Promise<unknown>
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
  store,
  userId,
  send,
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
  /** Promises of the changes that this page made, until they are sent or have to wait. */
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()

  async function sendAll() {
    for (;;) {
      const change = isStopped || !isOnline() ? undefined : await store.first(userId)
      if (!change) return
      const page = waiting.get(change.id)
      try {
        const output = await send(change)
        await store.remove(change.id)
        page?.resolve(output)
      } catch (error) {
        const outcome = outcomeOf(error)
        if (outcome === 'retry') scheduleRetry()
        if (outcome !== 'reject') return
        await store.remove(change.id)
        onRejected(change, error as CallError)
        page?.resolve(undefined)
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
     * Stores the change, and sends it unless an earlier one is waiting for a retry. Returns the call's output, or
     * undefined if the change is sent later or was refused.
     */
    async add(change: Omit<NewChange, 'userId'>): Promise<unknown> {
      const id = await store.add({ ...change, userId })
      if (timer !== undefined) return undefined
      if (id === null) return flush().then(() => undefined)
      const sent = Promise.withResolvers<unknown>()
      waiting.set(id, sent)
      try {
        return await Promise.race([sent.promise, flush().then(() => undefined)])
      } finally {
        waiting.delete(id)
      }
    },
    flush,
    list: () => store.list(userId),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export type ChangeQueue = ReturnType<typeof createChangeQueue>
