import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { ConstructorOptions } from 'pg-boss'

/** Queries take this, or a transaction of it: one type over PGlite and PostgreSQL. */
export type Db = PgDatabase<PgQueryResultHKT>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** An open database. Which engine it is matters here and to the job queue, and nowhere else. */
export type Database = {
  kind: 'pglite' | 'postgres'
  /** For requests: a statement is canceled after a few seconds, since someone is waiting for the answer. */
  db: Db
  /** For jobs and the sender, whose statements may take minutes. */
  background: Db
  /**
   * The hot path: a named prepared statement with no mapping layer above the driver. `text` uses `$1 …`; the name
   * must be unique to the text.
   */
  prepared<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /**
   * Likewise, for the short reads that nearly every request makes. They share one connection and answer in the order
   * in which they came, so a statement that writes, locks or may take long must not be among them.
   */
  read<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** How the job queue, which brings its own SQL, reaches this database. */
  queue: Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'>
  close(): Promise<void>
}
