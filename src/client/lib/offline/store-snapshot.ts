import { isLibraryExpired } from '#shared/domain/offline-library.ts'
import { snapshotsKey } from '../page-snapshots.ts'
import { whenSessionKnown } from '../session.ts'
import { currentRelease } from './current-release.ts'
import { mayHaveLibrary } from './device-marks.ts'
import { isServedFromDevice } from './served-from-device.ts'
import { readSnapshots } from './stored-snapshots.ts'

/** Attributes that must be unique in a document, where the snapshot stands beside the page. */
const dropped = ['id', 'name', 'for', 'autofocus']

/** The markup of what an element shows down to this height of the document. */
function copyScreen(element: Element, height: number): string {
  // In a document of its own, the copy's images don't load.
  const copy = document.implementation.createHTMLDocument().importNode(element, true)
  prune(element, copy, height)
  return copy.innerHTML
}

function prune(element: Element, copy: Element, height: number) {
  for (const name of dropped) copy.removeAttribute(name)
  if (element instanceof HTMLInputElement) copy.toggleAttribute('checked', element.checked)
  // The copy loses children while both are walked.
  const copies = [...copy.children]
  for (const [index, child] of [...element.children].entries()) {
    const childCopy = copies[index]
    if (!childCopy) continue
    if (isShown(child, height)) prune(child, childCopy, height)
    else childCopy.remove()
  }
}

function isShown(element: Element, height: number): boolean {
  const { top } = element.getBoundingClientRect()
  if (element.getClientRects().length === 0) return getComputedStyle(element).display === 'contents'
  return top + window.scrollY < height || getComputedStyle(element).position === 'fixed'
}

const tabs = /^\/portal\/(weekly-drops(\/[^/]+)?|prompt-packs|guides|tools)$/

/** A little more than the screen, since the address bar of a phone may be smaller next time. */
const screens = 1.25
/** Local storage holds about 5 million characters, and unsent changes need room, too. */
const maxPages = 6
const maxCharacters = 100_000

const afterNavigationMs = 2_000

let isStarted = false

/** Keeps what the tabs of the portal show on this device, after each navigation and when the page is left. */
export async function startSnapshots(): Promise<void> {
  await storeSnapshot()
  if (isStarted) return
  isStarted = true
  const store = () => void storeSnapshot()
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && store())
  let timer: ReturnType<typeof setTimeout> | undefined
  const storeLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (document.querySelector(busy) ? storeLater() : store()), afterNavigationMs)
  }
  window.navigation?.addEventListener('currententrychange', storeLater)
}

/** Stores the page as it is on the screen now, if it is complete and from the server. */
async function storeSnapshot(): Promise<void> {
  const { user } = await whenSessionKnown()
  const root = document.getElementById('root')
  const { pathname, search } = window.location
  // An ended plan and signing out remove the library first.
  if (!user || !root || root.hidden || !mayHaveLibrary() || window.viewAsBase !== undefined) return
  if (!tabs.test(pathname) || search || isServedFromDevice() || !isComplete(root)) return
  const html = copyScreen(root, screens * window.innerHeight)
  if (html.length > maxCharacters) return
  const release = currentRelease()
  const stored = readSnapshots()
  const isUsable = stored?.userId === user.id && stored.release === release
  const now = Date.now()
  const latestSeen = Math.max(now, isUsable ? stored.latestSeen : 0)
  const others = Object.entries(isUsable ? stored.pages : {}).filter(
    ([path, { checkedAt }]) => path !== pathname && !isLibraryExpired(checkedAt, latestSeen, now),
  )
  const newest = others.sort(([, a], [, b]) => b.checkedAt - a.checkedAt).slice(0, maxPages - 1)
  // The server answered after the document was loaded.
  const page = { checkedAt: Math.round(performance.timeOrigin), html }
  const pages = Object.fromEntries([[pathname, page] as const, ...newest])
  try {
    localStorage.setItem(snapshotsKey, JSON.stringify({ userId: user.id, release, latestSeen, pages }))
  } catch {
    // Storage is blocked or full. The next visit shows the page when the app is ready.
  }
}

const busy = '#root main [aria-busy="true"]'

/** False while a part is loading or couldn't be loaded. */
const isComplete = (root: Element) =>
  root.querySelector('main h1') !== null && !root.querySelector(`${busy}, main [role="alert"]:not(:empty)`)
