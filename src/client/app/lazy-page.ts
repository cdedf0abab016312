import type { LazyRouteFunction, RouteObject } from 'react-router'
import { isServerReachable, waitForServer } from '#client/lib/connection.ts'
import { isMissingChunk } from './chunk-recovery.ts'

/**
 * Loads the code of a route. While the server can't be reached, it retries and the router keeps the current page on
 * screen. Safari remembers that a file failed, also over a reload, until something else fetches it.
 * @throws if the server responds and the code is gone, as after a release
 */
export const lazyPage =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (let wasFetched = false; ; ) {
      try {
        return await load()
      } catch (error) {
        if (!isMissingChunk(error) || wasFetched) throw error
        wasFetched = await isServerReachable()
        await (wasFetched ? fetchPreloads() : waitForServer())
      }
    }
  }

/** The route of a page. Its title becomes the document title, which screen readers announce. */
export const page = (path: string, title: string, load: LazyRouteFunction<RouteObject>): RouteObject => ({
  path,
  handle: { title },
  lazy: lazyPage(load),
})

const fetchPreloads = () =>
  Promise.allSettled(
    Array.from(document.querySelectorAll<HTMLLinkElement>('[rel=modulepreload]'), ({ href }) =>
      fetch(href, { cache: 'reload' }),
    ),
  )
