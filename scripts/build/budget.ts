/** Maximum size of the scripts that make the landing page interactive, compressed, including response headers. */
export const landingScriptBudgetBytes = 120_000

/** Limits of what a tab of the portal loads before it shows its content. */
export const pageScriptBudgetBytes = 140_000
const maxPageScripts = 4

/** Returns one message per violation. */
export const pageOverBudget = (page: string, scripts: number, wireBytes: number): string[] => [
  ...(scripts > maxPageScripts ? [`${page} loads ${scripts} scripts; the limit is ${maxPageScripts}`] : []),
  ...(wireBytes > pageScriptBudgetBytes
    ? [`${page} loads ${wireBytes} bytes of script; the limit is ${pageScriptBudgetBytes}`]
    : []),
]

/** Modules that the landing page must not load. */
const forbiddenOnLanding: readonly RegExp[] = [
  /node_modules\/(zod|@supabase|sonner|radix-ui|@radix-ui)\//,
  /src\/client\/app\/routes\/(portal|admin|account|auth|billing)/,
  /src\/client\/features\/(library\/(issues|prompts|guides|tools)|operations\/admin|reader\/(preferences|personalization|onboarding))\//,
  /src\/client\/lib\/backend\.ts/,
]

export type Chunk = { fileName: string; code: string; imports: string[]; moduleIds: string[]; isEntry: boolean }

/** The module of the landing page, which it loads beside the entry. */
export const landingPage = /\/src\/client\/app\/routes\/landing\.tsx$/

/** The entry and all its static imports, which the browser always loads. */
export const initialChunks = (chunks: readonly Chunk[]): Chunk[] => withImports(chunks, ({ isEntry }) => isEntry)

/** The chunks that the landing page loads. */
export const landingChunks = (chunks: readonly Chunk[]): Chunk[] =>
  withImports(chunks, ({ isEntry, moduleIds }) => isEntry || moduleIds.some((id) => landingPage.test(id)))

/** These chunks and all their static imports. */
export function withImports(chunks: readonly Chunk[], isRoot: (chunk: Chunk) => boolean): Chunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  for (const chunk of chunks) if (isRoot(chunk)) visit(chunk)
  return [...found]
}

/** Returns one message per violation. */
export function overBudget(initial: readonly Chunk[], wireBytes: number): string[] {
  const forbidden = initial.flatMap((chunk) =>
    chunk.moduleIds
      .filter((id) => forbiddenOnLanding.some((pattern) => pattern.test(id)))
      .map(
        (id) => `${id.replace(/^.*\/(node_modules|src)\//, '$1/')} is in the landing page's script (${chunk.fileName})`,
      ),
  )
  return wireBytes > landingScriptBudgetBytes
    ? [...forbidden, `the landing page loads ${wireBytes} bytes of script; the limit is ${landingScriptBudgetBytes}`]
    : forbidden
}
