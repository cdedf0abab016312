/** A section: its id, null if it was just begun, and its blocks of Markdown. */
export type SectionBlocks = { id: string | null; blocks: readonly string[] }

/**
 * The ids of sections after an edit; null for a new one. An id goes where most of its text went, so that saved items and
 * votes follow the larger part when a section is split, and the larger section when two are joined.
 */
export function keepSectionIds(
  before: readonly SectionBlocks[],
  after: readonly SectionBlocks[],
): readonly (string | null)[] {
  const kept: (string | null)[] = after.map(() => null)
  const taken = new Set<string>()
  const keep = (id: string, index: number) => {
    if (kept[index] !== null || taken.has(id)) return
    kept[index] = id
    taken.add(id)
  }
  for (const { id, index } of movesOf(before, after)) keep(id, index)
  // Sections without any of their text, such as empty ones.
  for (const [index, { id }] of after.entries()) if (id !== null) keep(id, index)
  return kept
}

type Move = { id: string; index: number; size: number; stays: boolean }

/** Where the text of each section went, the largest piece first. Of equal pieces, the one that stayed. */
function movesOf(before: readonly SectionBlocks[], after: readonly SectionBlocks[]): Move[] {
  const owners = new Map<string, Set<string>>()
  for (const { id, blocks } of before) {
    if (id === null) continue
    for (const block of blocks) owners.set(block, (owners.get(block) ?? new Set()).add(id))
  }
  const moves = after.flatMap(({ id: own, blocks }, index) => {
    const sizes = new Map<string, number>()
    for (const block of blocks) {
      for (const id of owners.get(block) ?? []) sizes.set(id, (sizes.get(id) ?? 0) + block.length)
    }
    return [...sizes].map(([id, size]) => ({ id, index, size, stays: own === id }))
  })
  return moves.sort((one, other) => other.size - one.size || Number(other.stays) - Number(one.stays))
}
