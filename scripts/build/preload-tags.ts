import { type Chunk, initialChunks, withImports } from './budget.ts'

/** Preloads the chunks of these modules in the document, in parallel with the entry, which would ask for them later. */
export function preloadTags(chunks: readonly Chunk[], modules: readonly RegExp[]): string {
  const known = initialChunks(chunks)
  return withImports(chunks, ({ moduleIds }) => moduleIds.some((id) => modules.some((pattern) => pattern.test(id))))
    .filter((chunk) => !known.includes(chunk))
    .map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`)
    .join('')
}
