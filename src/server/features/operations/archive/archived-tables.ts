import { type RegisteredTable, tableRegistry } from '#server/db/table-registry.ts'

/** A table that is written to `data/<file>.ndjson`, one row per line. */
export type ArchivedTable = Pick<RegisteredTable, 'table' | 'without' | 'where' | 'filledByTriggers'> & {
  file: string
  /** For the README in the archive. */
  about: string
}

export const archivedTables: readonly ArchivedTable[] = tableRegistry.flatMap(({ archive, ...entry }) =>
  typeof archive === 'string' ? [] : [{ ...entry, file: archive[0], about: archive[1] }],
)
