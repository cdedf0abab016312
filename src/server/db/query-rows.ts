import type { SQL } from 'drizzle-orm'
import type { Db, Tx } from './database.ts'

/** Runs raw SQL. Both engines return `rows`, which Drizzle's type doesn't include. */
export const queryRows = async <Row>(db: Db | Tx, statement: SQL): Promise<Row[]> =>
  ((await db.execute(statement)) as unknown as { rows: Row[] }).rows
