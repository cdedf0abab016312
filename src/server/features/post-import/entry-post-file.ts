import { parentPort, workerData } from 'node:worker_threads'
import { buildDraft } from './build-draft.ts'
import { convertPost } from './convert-post.ts'
import { openPostFile } from './open-post-file.ts'
import type { PostThreadCalls, ThreadAnswer, ThreadRequest } from './open-post-thread.ts'
import { PostFileError } from './source-post.ts'

// Runs in a thread of its own; see open-post-thread.ts.
const { path, name } = workerData as { path: string; name: string }
const opened = openPostFile(path, name)
// Each request reports the failure.
opened.catch(() => {})

async function postAt(position: number) {
  const post = (await opened).posts[position]
  if (!post) throw new PostFileError('The file has changed')
  return post
}

const calls: PostThreadCalls = {
  async list() {
    const { source, posts } = await opened
    return { source, posts: posts.map(({ read: _, ...post }) => post) }
  },
  convert: async (position) => convertPost(await postAt(position)),
  build: async (position, markdown) => buildDraft(await postAt(position), markdown),
  readImage: async (address, folder) => (await opened).readImage(address, folder),
}

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
