let loaded: typeof import('./backend.ts').backend | null = null

/** Loads the client on first use. */
export async function loadBackend() {
  loaded ??= (await import('./backend.ts')).backend
  return loaded
}

/** The client if it is loaded already, for callers that must not wait. */
export const loadedBackend = () => loaded
