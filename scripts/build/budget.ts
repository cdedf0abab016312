/**
 * What a visitor without a session downloads before the landing page is interactive: compressed, with each answer's
 * headers.
 */
export const landingScriptBudgetBytes = 120_000

/** Nothing of these may be part of it, however small: each is either paid for later or another page's business. */
const foreignToLanding: readonly RegExp[] = [
  /node_modules\/(zod|@supabase|sonner|react-hook-form|@hookform|radix-ui|@radix-ui)\//,
  /src\/client\/app\/routes\/(portal|admin|account|auth|billing)/,
  /src\/client\/features\/(issues|prompts|guides|tools|admin|preferences|personalization|onboarding)\//,
  /src\/client\/lib\/backend\.ts/,
]

export type Chunk = { fileName: string; code: string; imports: string[]; moduleIds: string[]; isEntry: boolean }

/** The entry and all that it imports statically: what the browser fetches without being asked by anybody. */
export function initialChunks(chunks: readonly Chunk[]): Chunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk)
  return [...found]
}

/** One sentence for each broken promise; an empty list is a pass. */
export function overBudget(initial: readonly Chunk[], wireBytes: number): string[] {
  const foreign = initial.flatMap((chunk) =>
    chunk.moduleIds
      .filter((id) => foreignToLanding.some((pattern) => pattern.test(id)))
      .map(
        (id) => `${id.replace(/^.*\/(node_modules|src)\//, '$1/')} is in the landing page's script (${chunk.fileName})`,
      ),
  )
  return wireBytes > landingScriptBudgetBytes
    ? [...foreign, `the landing page loads ${wireBytes} bytes of script, ${landingScriptBudgetBytes} are allowed`]
    : foreign
}
