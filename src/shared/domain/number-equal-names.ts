type Named = { id: string; name: string; at: Date }

/** Names are equal if they differ only in case, width or spaces. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Tells equal names apart: the first to have the name keeps it, the others become "Ads 2", "Ads 3". The result depends
 * only on the list, not on its order, so that all devices show the same.
 */
export function numberEqualNames<T extends Named>(all: readonly T[]): T[] {
  const byAge = all.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
  const typed = new Set(byAge.map(({ name }) => nameKey(name)))
  const shown = new Set<string>()
  return byAge.map((one) => {
    let name = one.name
    // A number must not produce a name that another one was given.
    for (let n = 2; shown.has(nameKey(name)) || (n > 2 && typed.has(nameKey(name))); n += 1) name = `${one.name} ${n}`
    shown.add(nameKey(name))
    return { ...one, name }
  })
}
