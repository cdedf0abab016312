/**
 * Puts the changes from `base` to `mine` on top of `theirs`, which someone else has saved meanwhile. `mine` wins where both
 * changed the same.
 * @returns what to save, and the names that both changed to different values
 */
export function mergeChanges<Values extends object>(base: Values, mine: Values, theirs: Values) {
  const names = Object.keys(mine) as (keyof Values & string)[]
  const changed = names.filter((name) => !isSame(mine[name], base[name]))
  return {
    merged: { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) } as Values,
    overlap: changed.filter((name) => !isSame(theirs[name], base[name]) && !isSame(theirs[name], mine[name])),
  }
}

/** Applies additions to and removals from `base` to `theirs`, so that neither list loses an entry. */
export function mergeLists<Item>(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]): Item[] {
  const has = (list: readonly Item[], item: Item) => list.some((other) => isSame(other, item))
  return [
    ...mine.filter((item) => !has(base, item) && !has(theirs, item)),
    ...theirs.filter((item) => has(mine, item) || !has(base, item)),
  ]
}

const isSame = (one: unknown, other: unknown) => asText(one) === asText(other)

/** Sorts keys, so that their order doesn't affect the comparison. */
const asText = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
