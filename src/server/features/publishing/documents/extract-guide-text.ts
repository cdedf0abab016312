import { Worker } from 'node:worker_threads'
import { searchableBody } from '#server/features/library/content/search-texts.ts'

const timeoutMs = 20_000

/**
 * Plain text of an uploaded file, for search. Reads it in a thread of its own, with limits on time and memory, since a
 * broken file must not stop the server. Empty if it can't be read; the upload is fine without.
 */
export function extractGuideText(bytes: Uint8Array): Promise<string> {
  const worker = new Worker(new URL('./entry-read-file.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // The library warns about broken files on the console.
    stdout: true,
    stderr: true,
  })
  return new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(''), timeoutMs)
    worker.once('message', (text: string) => resolve(text))
    worker.once('error', () => resolve(''))
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve('')
    })
  })
    .then((text) => searchableBody(text.replaceAll('\0', '')))
    .finally(() => void worker.terminate())
}
