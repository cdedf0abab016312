import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { imageCacheName } from '../lib/offline/device-storage.ts'
import { removeExpiredLibraries } from '../lib/offline/library.ts'
import { listenToPush } from './push.ts'

/*
 * The service worker of entitled readers. It serves the app's own files and images in drops without a connection; what
 * readers read is in IndexedDB, and calls always go to the server (decisions 37 and 40).
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] }

/** The server answers every page of the portal with the same document. */
const shellUrl = '/portal'
const activate = 'activate'

listenToPush()
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: undefined })

/** Images in drops have the hash of their bytes in the path, so a stored one is never out of date. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/'),
  async ({ request }) => (await caches.match(request, { cacheName: imageCacheName })) ?? fetch(request),
)

const serveShell = createHandlerBoundToURL(shellUrl)
let hasHandedOver = false

registerRoute(
  new NavigationRoute(
    async (options) => {
      // A new release is ready and no other tab needs the old files: open this page with it. Once only, so that a page
      // never reloads in a loop.
      void removeExpiredLibraries().catch((error: unknown) => console.error('Could not check the library', error))
      const { waiting } = self.registration
      if (waiting && !hasHandedOver && (await isOnlyTab())) {
        hasHandedOver = true
        waiting.postMessage(activate)
        return new Response('', { headers: { Refresh: '0' } })
      }
      return serveShell(options)
    },
    { allowlist: [/^\/(portal|account)(\/|$)/] },
  ),
)

/** True if one tab at most is open, and is visible. During a navigation, the page being replaced is still listed. */
async function isOnlyTab() {
  const tabs = await self.clients.matchAll({ type: 'window' })
  return tabs.length <= 1 && tabs.every(({ visibilityState }) => visibilityState === 'visible')
}

self.addEventListener('message', ({ data }) => {
  if (data === activate) void self.skipWaiting()
})
