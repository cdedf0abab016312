import { Worker } from 'node:worker_threads'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import type { ConvertedPost } from './convert-post.ts'
import type { SourceComment } from './import-comments.ts'
import { PostFileError, type PostInfo, type PostSource } from './source-post.ts'
import type { Part } from './split-at-marks.ts'

/** The thread's answer. */
export type PostThreadCalls = {
  list(): Promise<{ source: PostSource; posts: PostInfo[] }>
  convert(position: number): Promise<ConvertedPost>
  /** Makes a drop of the converted text, in which images may have been replaced. */
  build(
    publication: Questions,
    position: number,
    parts: readonly Part[],
    timeZone: string,
  ): Promise<{ draft: IssueDraft; notes: string[] }>
  comments(position: number): Promise<SourceComment[]>
  readImage(address: string, folder: string): Promise<Uint8Array | null>
}
export type ThreadRequest = { id: number; call: keyof PostThreadCalls; args: unknown[] }
export type ThreadAnswer = { id: number; result?: unknown; problem?: string; failure?: string }

/** A file of posts that a thread reads. */
export type PostThread = Awaited<ReturnType<PostThreadCalls['list']>> &
  Omit<PostThreadCalls, 'list'> & { close(): Promise<void> }

/** For one post, or to open a file at the size limit. */
const usualTimeoutMs = 120_000
/** Bounds what a hostile file can take. */
const maxHeapMb = 2_048

type Pending = { resolve(value: unknown): void; reject(error: Error): void }

/**
 * Opens a file of posts in a thread of its own: parsing it and converting HTML take seconds in which the server couldn't
 * answer, and a hostile file may need endless time or memory. Then only the post in question fails.
 * @throws PostFileError if it isn't a file of posts
 */
export async function openPostThread(
  path: string,
  name: string,
  { timeoutMs = usualTimeoutMs }: { timeoutMs?: number } = {},
): Promise<PostThread> {
  let worker: Worker | null = null
  let pending = new Map<number, Pending>()
  let count = 0

  function start(): Worker {
    const started = new Worker(new URL('./entry-post-file.ts', import.meta.url), {
      workerData: { path, name },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const requests = pending
    started.on('message', ({ id, result, problem, failure }: ThreadAnswer) => {
      const request = requests.get(id)
      requests.delete(id)
      if (problem !== undefined) request?.reject(new PostFileError(problem))
      else if (failure !== undefined) request?.reject(new Error(failure))
      else request?.resolve(result)
    })
    started.on('error', (error) => {
      const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      end(started, isMemory ? new PostFileError('It needs too much memory') : error)
    })
    started.on('exit', () => end(started, new Error('The thread ended')))
    return started
  }

  /** The next request starts another thread. */
  function end(ended: Worker, error: Error) {
    if (worker !== ended) return
    const requests = pending
    worker = null
    pending = new Map()
    for (const request of requests.values()) request.reject(error)
    void ended.terminate()
  }

  async function ask<Name extends keyof PostThreadCalls>(
    call: Name,
    ...args: Parameters<PostThreadCalls[Name]>
  ): Promise<Awaited<ReturnType<PostThreadCalls[Name]>>> {
    const limitMs = worker ? timeoutMs : usualTimeoutMs
    worker ??= start()
    const asked = worker
    count += 1
    const request: ThreadRequest = { id: count, call, args }
    const timer = setTimeout(() => end(asked, new PostFileError('It takes too long to read')), limitMs)
    try {
      return (await new Promise<unknown>((resolve, reject) => {
        pending.set(request.id, { resolve, reject })
        asked.postMessage(request)
      })) as Awaited<ReturnType<PostThreadCalls[Name]>>
    } finally {
      clearTimeout(timer)
    }
  }

  async function close() {
    const closed = worker
    worker = null
    await closed?.terminate()
  }

  try {
    return {
      ...(await ask('list')),
      convert: (position) => ask('convert', position),
      build: (publication, position, parts, timeZone) => ask('build', publication, position, parts, timeZone),
      comments: (position) => ask('comments', position),
      readImage: (address, folder) => ask('readImage', address, folder),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
