import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from './open-post-thread.ts'
import { createPostThreadCalls } from './post-thread-calls.ts'
import { PostFileError } from './source-post.ts'

// Runs in a thread of its own; see open-post-thread.ts.
const { path, name } = workerData as { path: string; name: string }
const calls = createPostThreadCalls(path, name)

async function answer({ id, call, args }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const work = calls[call] as (...args: unknown[]) => Promise<unknown>
    return { id, result: await work(...args) }
  } catch (error) {
    if (error instanceof PostFileError) return { id, problem: error.message }
    if (error instanceof RangeError) return { id, problem: 'Its HTML is nested too deeply' }
    return { id, failure: error instanceof Error ? error.message : 'unknown error' }
  }
}

parentPort?.on('message', async (request: ThreadRequest) => parentPort?.postMessage(await answer(request)))
