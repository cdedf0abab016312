import { serverAnswers } from '#client/lib/connection.ts'

const markKey = 'front-counter-reloaded-at'
const onceEveryMs = 60_000

/** True if the last reload is long enough ago that another one can help rather than go round in circles. */
export const mayReload = (lastReloadAt: string | null, now: number) => now - Number(lastReloadAt ?? 0) > onceEveryMs

/**
 * After a release the chunks of an open page are gone, and a reload brings the new ones. Without a connection a reload
 * would only show the browser's error page, so nothing happens then.
 */
export function recoverFromMissingChunks() {
  window.addEventListener('vite:preloadError', () => void reloadOnce())
}

async function reloadOnce() {
  if (!mayReload(sessionStorage.getItem(markKey), Date.now()) || !(await serverAnswers())) return
  sessionStorage.setItem(markKey, String(Date.now()))
  window.location.reload()
}

/** The several ways in which browsers say that a module could not be fetched. */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload|module script/i.test(error.message)
