import { firstOrNull, type Tx } from './db/database.ts'
import { personRows } from './db/person-rows.ts'
import { tableRegistry } from './db/table-registry.ts'

/** Reads a part of a person's download. */
export type PersonReader = (tx: Tx, userId: string) => Promise<unknown>

/** All parts of a person's download by name, in the order of the tables: their rows, and what features read. */
export function exportedParts(readers: Readonly<Record<string, PersonReader>>): Record<string, PersonReader> {
  const parts: Record<string, PersonReader> = {}
  for (const { table, exported } of tableRegistry) {
    if (!exported || (typeof exported === 'object' && 'leftOut' in exported)) continue
    if (typeof exported === 'string') {
      const read = readers[exported]
      if (!read) throw new Error(`No feature reads ${exported} for a person's download`)
      parts[exported] = read
    } else {
      parts[exported.as] = (tx, userId) => {
        const rows = personRows(tx, table, exported, userId)
        return exported.single ? firstOrNull(rows) : rows
      }
    }
  }
  return { ...parts, editorialWork: readEditorialWork }
}

/** Titles of what an editor created or changed: the content belongs to the publication. Null for everyone else. */
async function readEditorialWork(tx: Tx, userId: string) {
  const work: Record<string, object[]> = {}
  for (const { table, edited } of tableRegistry) {
    if (edited) work[edited.as] = await personRows(tx, table, edited, userId)
  }
  return Object.values(work).some((rows) => rows.length > 0) ? work : null
}
