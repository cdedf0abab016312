import { type Chunk, initialChunks } from './budget.ts'

/**
 * Every page but the landing page needs the auth client and the subscription check at once. Named in the document, they
 * arrive together with the entry instead of after it.
 */
const soonNeeded = [/src\/client\/lib\/backend\.ts$/, /src\/client\/features\/billing\/billing-requests\.ts$/]

export function preloadTags(chunks: readonly Chunk[]): string {
  const known = new Set(initialChunks(chunks).map((chunk) => chunk.fileName))
  const roots = chunks.filter((chunk) => chunk.moduleIds.some((id) => soonNeeded.some((pattern) => pattern.test(id))))
  const files = new Set(
    roots.flatMap((chunk) => initialChunks(withEntry(chunks, chunk)).map((found) => found.fileName)),
  )
  return [...files]
    .filter((file) => !known.has(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    .join('')
}

/** The same chunks seen from another starting point. */
const withEntry = (chunks: readonly Chunk[], entry: Chunk): Chunk[] =>
  chunks.map((chunk) => ({ ...chunk, isEntry: chunk.fileName === entry.fileName }))
