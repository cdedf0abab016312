import { loadFonts } from '#client/lib/load-fonts.ts'
import { currentRelease } from '#client/lib/offline/current-release.ts'
import { readSnapshots, removeSnapshots } from '#client/lib/offline/stored-snapshots.ts'
import { isOpenedAnew } from '#client/lib/opened-anew.ts'
import { isLibraryExpired } from '#shared/domain/offline-library.ts'

/** After this time the page shows what the app shows, even if that is only a placeholder. */
const longestMs = 5_000

/** The app waits this long at most for fonts and for the first frame. In a hidden tab there are no frames. */
const longestPaintMs = 1_000

/**
 * Paints what this page showed on the user's last visit, before the app renders, and removes it in the moment in which the
 * app has rendered the page. Removes the snapshots of another user and expired ones.
 */
export function showSnapshot(userId: string | undefined) {
  const snapshots = readSnapshots()
  if (!snapshots || window.viewAsBase !== undefined) return
  const { pages, latestSeen, release } = snapshots
  const isExpired = Object.values(pages).some(({ checkedAt }) => isLibraryExpired(checkedAt, latestSeen, Date.now()))
  if (snapshots.userId !== userId || isExpired) return removeSnapshots()
  const { pathname, search, hash } = window.location
  const page = pages[pathname]
  // Without the worker, styles and fonts may come from the network, and the device isn't prepared for offline reading.
  if (!page || !isOpenedAnew || search || hash || !navigator.serviceWorker?.controller) return
  // All files are on the device, so nothing has to wait for the entry.
  window.entryArrived?.()
  window.snapshotPainted = Promise.race([
    new Promise((resolve) => setTimeout(resolve, longestPaintMs)),
    paintPage(page.html, release).catch(() => {}),
  ])
}

/** Resolves after the first frame with the snapshot. */
async function paintPage(html: string, release: string) {
  const root = await whenRootParsed()
  if (currentRelease() !== release) return
  // Later fonts would move the text.
  await loadFonts()
  if (isRendered(root)) return
  paint(html, root)
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

function paint(html: string, root: HTMLElement) {
  const snapshot = document.createElement('div')
  // Its buttons and links do nothing, so neither taps nor screen readers reach it.
  snapshot.inert = true
  snapshot.innerHTML = html
  root.before(snapshot)
  root.hidden = true
  const handOver = () => {
    observer.disconnect()
    clearTimeout(timer)
    snapshot.remove()
    root.hidden = false
  }
  const observer = new MutationObserver(() => {
    if (isRendered(root)) handOver()
  })
  observer.observe(root, { childList: true, subtree: true })
  const timer = setTimeout(handOver, longestMs)
}

/** The page of the loading app has no heading, and placeholders of content are busy. */
const isRendered = (root: HTMLElement) =>
  root.querySelector('main h1') !== null && !root.querySelector('main [aria-busy="true"]')

function whenRootParsed(): Promise<HTMLElement> {
  return new Promise((resolve) => {
    const look = () => {
      const root = document.getElementById('root')
      if (!root) return
      observer.disconnect()
      resolve(root)
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
    look()
  })
}
