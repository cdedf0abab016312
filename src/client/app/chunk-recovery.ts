import { isImportingInBackground } from '#client/lib/background-import.ts'
import { isServerReachable } from '#client/lib/connection.ts'

const reloadedAtKey = 'front-counter-reloaded-at'
const minReloadIntervalMs = 60_000

/** Prevents a reload loop. */
export const mayReload = (lastReloadAt: string | null, now: number) =>
  now - Number(lastReloadAt ?? 0) > minReloadIntervalMs

/**
 * Reloads the page when a chunk is missing, as after a release. Does nothing without a connection, since a reload would
 * only show the browser's error page.
 */
export function recoverFromMissingChunks() {
  window.addEventListener('vite:preloadError', () => {
    if (!isImportingInBackground()) void reloadOnce()
  })
}

async function reloadOnce() {
  if (!mayReload(sessionStorage.getItem(reloadedAtKey), Date.now()) || !(await isServerReachable())) return
  sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  window.location.reload()
}

/** Matches the error messages of all browsers for a module that failed to load. */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|unable to preload|module script/i.test(error.message)
