import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type CollectGarbage = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Returns the memory used during the start to the system. V8 collects garbage only while new garbage is created, which an
 * idle server doesn't do. The full collection pauses the server briefly.
 */
export async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as CollectGarbage
  await collectGarbage({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
