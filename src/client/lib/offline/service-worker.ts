/** Registers the worker that keeps the app's files. Call for entitled readers only, once the page is idle. */
export async function registerServiceWorker(): Promise<void> {
  // The development server has no built worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' })
}

/** Ends the worker and removes its files. Open pages continue from the network. */
export async function removeServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}
