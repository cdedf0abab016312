let loaded: typeof import('./backend.ts').backend | null = null

/** Downloads the client once; every later caller gets the same one. */
export async function loadBackend() {
  loaded ??= (await import('./backend.ts')).backend
  return loaded
}

/** The client if it is here already: for what must not wait, not even for a moment. */
export const loadedBackend = () => loaded
