import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type * as schema from './schema/index.ts'

export type Schema = typeof schema
export type Tables = { [Name in keyof Schema as Schema[Name] extends PgTable ? Name : never]: Schema[Name] }
export type ColumnOf<Table> = Table extends PgTable ? keyof Table['_']['columns'] & string : string

/**
 * Rows of one person. The columns are listed one by one, so that a new column, hash or key never reaches a download by
 * accident.
 */
export type PersonRows<Column extends string = string> = {
  /** Their name in the person's download. */
  as: string
  /** One object instead of a list, null if there is none. */
  single?: true
  /** The column that names the person; default: `userId`. */
  of?: Column
  columns: readonly (Column | `${Column} as ${string}`)[]
  order?: readonly (Column | `${Column} desc`)[]
}

export type TableEntry<Column extends string> = {
  /** File in `data/` of the archive and what its README says about it, or why the archive leaves the table out. */
  archive: readonly [file: string, about: string] | string
  /** Columns that the archive leaves out. */
  without?: readonly Column[]
  /** Rows that the archive contains; default: all. */
  where?: SQL
  /** Triggers fill it while other tables are imported. Its own rows replace those. */
  filledByTriggers?: true
  /** False: it is about this instance and its processes, so it isn't part of a backup. */
  backedUp?: false
  /**
   * What a person's download contains: rows, a part that a feature reads (see `exportedData` of its feature.ts), or why the
   * rows about a person are left out. Tables about no one have none.
   */
  exported?: PersonRows<Column> | string | { leftOut: string }
  /** What someone made in the admin, listed in their download by title. The content belongs to the publication. */
  edited?: PersonRows<Column>
}

export type TableEntries<Name extends keyof Tables = keyof Tables> = {
  readonly [Each in Name]: TableEntry<ColumnOf<Tables[Each]>>
}

const madeBy =
  (by: 'created' | 'updated') =>
  <Column extends string>(as: string, ...columns: PersonRows<Column>['columns']): PersonRows<Column> => ({
    as,
    of: `${by}ById` as Column,
    columns: [...columns, `${by}At as at` as `${Column} as at`],
    order: [`${by}At desc` as `${Column} desc`],
  })

/** Rows with `createdById` and `createdAt`, the newest first. */
export const createdBy = madeBy('created')
/** Rows with `updatedById` and `updatedAt`, the newest first. */
export const updatedBy = madeBy('updated')
