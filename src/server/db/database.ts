import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { ConstructorOptions } from 'pg-boss'
import type { CopySession } from './copy-session.ts'

/** The Drizzle database, the same type for PGlite and PostgreSQL. */
export type Db = PgDatabase<PgQueryResultHKT>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** An open database. Only this folder and the job queue depend on the engine. */
export type Database = {
  kind: 'pglite' | 'postgres'
  /** For requests: statements are canceled after 15 seconds. */
  db: Db
  /** For jobs and the newsletter sender, whose statements may take minutes. */
  background: Db
  /**
   * Runs a named prepared statement directly on the driver, for hot paths. `text` uses `$1 …`; each text needs its own
   * name.
   */
  prepared<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /**
   * Like `prepared`, for the short reads of nearly every request. They share one connection in order, so never use it
   * for statements that write, lock or may be slow.
   */
  read<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  /** Runs backups: all reads of `work` see the database as it was at the start. On PGlite, other queries wait meanwhile. */
  snapshot<T>(work: (session: CopySession) => Promise<T>): Promise<T>
  /** Connection options of the job queue. */
  queue: Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'>
  /** Connections of each pool; none with PGlite. */
  pools(): PoolState[]
  close(): Promise<void>
}

export type PoolState = {
  name: string
  open: number
  idle: number
  /** Queries that wait for a connection. */
  waiting: number
}
