const markKey = 'front-counter-reloaded-at'
const onceEveryMs = 60_000

/** True if the last reload is long enough ago that another one can help rather than go round in circles. */
export const mayReload = (lastReloadAt: string | null, now: number) => now - Number(lastReloadAt ?? 0) > onceEveryMs

/**
 * After a release the chunks of the page that is still open are gone. A reload brings the new ones; if that does not
 * help, the error page stands.
 */
export function recoverFromMissingChunks() {
  window.addEventListener('vite:preloadError', () => {
    if (!mayReload(sessionStorage.getItem(markKey), Date.now())) return
    sessionStorage.setItem(markKey, String(Date.now()))
    window.location.reload()
  })
}

/** The several ways in which browsers say that a module could not be fetched. */
export const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload|module script/i.test(error.message)
