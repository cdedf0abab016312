/** A field before and after a change, as text; null if unset. */
export type Change = { field: string; before: string | null; after: string | null }

/** Fields that differ, sorted by name. Nested fields have dotted names ("limits.perHour"); arrays are compared as a whole. */
export function changesBetween(before: object, after: object): Change[] {
  const [old, present] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...old.keys(), ...present.keys()])]
    .toSorted()
    .map((field) => ({ field, before: old.get(field) ?? null, after: present.get(field) ?? null }))
    .filter((change) => change.before !== change.after)
}

function leavesOf(value: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([name, member]): [string, string][] => {
      const field = path ? `${path}.${name}` : name
      if (member === null || member === undefined || member === '') return []
      if (Array.isArray(member)) return [[field, member.map(String).join(', ')]]
      if (typeof member === 'object') return [...leavesOf(member as object, field)]
      return [[field, String(member)]]
    }),
  )
}
