import { eq, getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from './database.ts'
import { users } from './schema/index.ts'
import { tableRegistry } from './table-registry.ts'

/** Pairs of columns with the address and the id of who did something, such as `createdBy` and `createdById`. */
const authorColumns = tableRegistry.flatMap(({ table }) => {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  return Object.entries(columns).flatMap(([name, id]) =>
    name.endsWith('ById') && columns[name.slice(0, -2)] ? [{ table, name, id }] : [],
  )
})

/** Removes a deleted account's id and address from everything that it wrote or changed. The content itself stays. */
export async function redactAuthor(tx: Tx, userId: string): Promise<void> {
  for (const { table, name, id } of authorColumns) {
    await tx
      .update(table)
      .set({ [name.slice(0, -2)]: 'Former editor', [name]: null })
      .where(eq(id, userId))
  }
}

const keysToUsers = tableRegistry.flatMap(({ table }) =>
  getTableConfig(table).foreignKeys.flatMap(({ reference, onDelete }) => {
    const { foreignTable, columns } = reference()
    return foreignTable === users && columns[0] ? [{ table, column: columns[0], onDelete }] : []
  }),
)

/** For an account whose row stays: what the foreign keys do when a row is deleted. */
export async function deleteAccountRows(tx: Tx, userId: string): Promise<void> {
  for (const { table, column, onDelete } of keysToUsers) {
    if (onDelete === 'cascade') await tx.delete(table).where(eq(column, userId))
    else
      await tx.execute(sql`update ${table} set ${sql.identifier(column.name)} = null where ${column} = ${userId}::uuid`)
  }
}
