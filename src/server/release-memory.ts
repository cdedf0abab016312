import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type CollectGarbage = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Gives back what the start has left behind. V8 collects when there is new garbage, which an idle server does not make,
 * so the pages of a start would stay for as long as nobody comes. One full collection pauses the server twice for a moment,
 * after it has begun to answer.
 */
export async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as CollectGarbage
  await collectGarbage({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
