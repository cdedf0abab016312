import { serverAnswers, untilServerAnswers } from '#client/lib/connection.ts'
import { isMissingChunk } from './chunk-recovery.ts'

/**
 * Loads the code of a route. While the server cannot be reached it waits and tries again, so the router keeps the
 * current page on screen. Throws if the server answers and the code is gone, as after a release.
 */
export const lazyPage =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (;;) {
      try {
        return await load()
      } catch (error) {
        if (!isMissingChunk(error) || (await serverAnswers())) throw error
        await untilServerAnswers()
      }
    }
  }
