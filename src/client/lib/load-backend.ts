/** Downloads the client once; everybody after that gets the same one. */
export const loadBackend = async () => (await import('./backend.ts')).backend
