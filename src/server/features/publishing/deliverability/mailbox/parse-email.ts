import { Worker } from 'node:worker_threads'
import type { Email, PostalMimeOptions } from 'postal-mime'
import { maxMimeNesting } from './handle-email.ts'

export type ParseRequest = { id: number; raw: Uint8Array; options: PostalMimeOptions }
export type ParseAnswer = { id: number; email?: Email; failure?: string }

/** The parser takes seconds for half a megabyte of short lines. */
const timeoutMs = 60_000
const idleMs = 5_000

type Parser = { worker: Worker; pending: Map<number, { resolve(email: Email): void; reject(error: Error): void }> }
let parser: Parser | null = null
let count = 0

/** Parses an email of others in a thread of its own, which ends when it has nothing to do. Rejects if that isn't possible. */
export async function parseEmail(raw: Uint8Array, options: PostalMimeOptions = {}): Promise<Email> {
  parser ??= start()
  const { worker, pending } = parser
  const id = ++count
  const request: ParseRequest = { id, raw, options: { ...options, maxNestingDepth: maxMimeNesting } }
  const timer = setTimeout(() => end(worker, new Error('The email takes too long to read')), timeoutMs)
  worker.ref()
  try {
    return await new Promise<Email>((resolve, reject) => {
      pending.set(id, { resolve, reject })
      worker.postMessage(request)
    })
  } finally {
    clearTimeout(timer)
    pending.delete(id)
    if (pending.size === 0) {
      worker.unref()
      setTimeout(() => pending.size === 0 && end(worker), idleMs).unref()
    }
  }
}

function start(): Parser {
  const worker = new Worker(new URL('./entry-parse-email.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const pending: Parser['pending'] = new Map()
  worker.on('message', ({ id, email, failure }: ParseAnswer) => {
    const request = pending.get(id)
    if (email) request?.resolve(email)
    else request?.reject(new Error(failure))
  })
  worker.on('error', (error) => end(worker, error as Error))
  worker.on('exit', () => end(worker))
  return { worker, pending }
}

/** The next email starts another thread. */
function end(worker: Worker, error = new Error('The thread ended')): void {
  if (parser?.worker !== worker) return
  const { pending } = parser
  parser = null
  for (const request of pending.values()) request.reject(error)
  void worker.terminate()
}
