import { isServerReachable, waitForServer } from '#client/lib/connection.ts'
import { isMissingChunk } from './chunk-recovery.ts'

/**
 * Loads the code of a route. While the server can't be reached, it retries and the router keeps the current page on
 * screen.
 * @throws if the server responds and the code is gone, as after a release
 */
export const lazyPage =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (;;) {
      try {
        return await load()
      } catch (error) {
        if (!isMissingChunk(error) || (await isServerReachable())) throw error
        await waitForServer()
      }
    }
  }
