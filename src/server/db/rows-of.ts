import type { SQL } from 'drizzle-orm'
import type { Db, Tx } from './database.ts'

/** Runs a statement written by hand. Both engines answer with `rows`, which the query builder's type does not say. */
export const rowsOf = async <Row>(db: Db | Tx, statement: SQL): Promise<Row[]> =>
  ((await db.execute(statement)) as unknown as { rows: Row[] }).rows
