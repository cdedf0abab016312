type Backend = typeof import('./backend.ts').backend

let loaded: Backend | null = null
let notifyLoaded: () => void = () => {}

/** Loads the auth client on first use. Most pages never need it: see `authorized-fetch.ts`. */
export async function loadBackend(): Promise<Backend> {
  if (loaded) return loaded
  const { backend } = await import('./backend.ts')
  if (loaded) return loaded
  loaded = backend
  notifyLoaded()
  return backend
}

/** Calls the listener once the client is loaded, before its first user continues. */
export function onBackendLoaded(listener: () => void) {
  notifyLoaded = listener
}
