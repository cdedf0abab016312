import { type Chunk, initialChunks } from './budget.ts'

/**
 * Modules that every page except the landing page needs at once. Preloading them in the document loads them in parallel
 * with the entry.
 */
const preloadedModules = [/src\/client\/lib\/backend\.ts$/, /src\/client\/features\/billing\/billing-requests\.ts$/]

export function preloadTags(chunks: readonly Chunk[]): string {
  const known = new Set(initialChunks(chunks).map((chunk) => chunk.fileName))
  const roots = chunks.filter((chunk) =>
    chunk.moduleIds.some((id) => preloadedModules.some((pattern) => pattern.test(id))),
  )
  const files = new Set(
    roots.flatMap((chunk) => initialChunks(withEntry(chunks, chunk)).map((found) => found.fileName)),
  )
  return [...files]
    .filter((file) => !known.has(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    .join('')
}

/** Returns the same chunks with another entry. */
const withEntry = (chunks: readonly Chunk[], entry: Chunk): Chunk[] =>
  chunks.map((chunk) => ({ ...chunk, isEntry: chunk.fileName === entry.fileName }))
