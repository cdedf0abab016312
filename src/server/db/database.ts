import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core'
import type { ConstructorOptions } from 'pg-boss'
import { z } from 'zod'
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

type PoolState = {
  name: string
  open: number
  idle: number
  /** Queries that wait for a connection. */
  waiting: number
}

/** Runs raw SQL. Both engines return `rows`, which Drizzle's type doesn't include. */
export const queryRows = async <Row>(db: Db | Tx, statement: SQL): Promise<Row[]> =>
  ((await db.execute(statement)) as unknown as { rows: Row[] }).rows

export const firstOrNull = async <Row>(rows: PromiseLike<Row[]>): Promise<Row | null> => (await rows)[0] ?? null

/** `set` of an upsert that overwrites every column with the value that could not be inserted. */
export const excludedColumns = (table: PgTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  )

/*
 * Keyset pagination, newest first. Comparison and order match the indexes, nulls included; otherwise the planner would
 * sort every row.
 */

/** Microseconds as text: the driver's dates have only milliseconds, which would skip rows between pages. */
export const toMicroseconds = (createdAt: AnyPgColumn) =>
  sql<string>`(extract(epoch from ${createdAt}) * 1000000)::bigint::text`

/** A page's last row in a cursor: its creation time in microseconds since 1970, and its id. */
export const createdAtPosition = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

/** The inverse of `toMicroseconds`. */
export const fromMicroseconds = (micros: string) =>
  sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`

/** Selects the rows after a page's last row. Cast `id` to the column's type, such as sql`${id}::uuid`. */
export const afterCursor = (columns: { createdAt: AnyPgColumn; id: AnyPgColumn }, createdAtMicros: string, id: SQL) =>
  sql`(${columns.createdAt}, ${columns.id}) < (${fromMicroseconds(createdAtMicros)}, ${id})`

export const newestFirst = ({ createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn }) => [
  sql`${createdAt} desc nulls last`,
  sql`${id} desc nulls last`,
]

function* causesOf(error: unknown) {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current
    current = current.cause
  }
}

/** SQLSTATE of an error or of its causes, since Drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = cause as Error & { code?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

export const uniqueViolation = '23505'

export const isUndefinedTable = (error: unknown): boolean => sqlState(error) === '42P01'

/** Foreign key violation, deadlock, serialization failure. */
const conflicts: ReadonlySet<string | undefined> = new Set(['23503', '40P01', '40001'])

/** True if a concurrent request caused the failure. Nothing was written, and a retry can succeed. */
export const isConcurrencyConflict = (error: unknown): boolean => conflicts.has(sqlState(error))

/** True if another transaction kept a lock for longer than `lock_timeout`, or a deadlock was ended. Nothing was written. */
export const isLockTaken = (error: unknown): boolean => ['55P03', '40P01'].includes(sqlState(error) ?? '')

const queryCanceled = '57014'
const timeoutMessages =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/

/** True if the database didn't respond in time or no connection was free. pg has no codes for these. */
export const isConnectionTimeout = (error: unknown): boolean =>
  [...causesOf(error)].some(({ message }) => timeoutMessages.test(message))

/** True if the database was too slow for a request. Nothing was written. */
export const isDatabaseTimeout = (error: unknown): boolean =>
  sqlState(error) === queryCanceled || isConnectionTimeout(error)

/** Network errors while the database is down, restarting or failing over. */
const lostConnectionCodes: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)
/**
 * Connection failures, a full disk, too many connections, shutdown, crash and start of the server, and a server that is
 * only a replica.
 */
const outageStates = /^(08...|53100|53300|57P0[1-3]|25006)$/
const lostConnectionMessages =
  /^(Connection terminated( unexpectedly)?|Client has encountered a connection error and is not queryable|Client was closed and is not queryable)$/

/** True if the database can't be reached or can't write. A commit whose response was lost may have been written. */
export const isDatabaseDown = (error: unknown): boolean =>
  outageStates.test(sqlState(error) ?? '') ||
  [...causesOf(error)].some(
    (cause) =>
      lostConnectionMessages.test(cause.message) || lostConnectionCodes.has((cause as NodeJS.ErrnoException).code),
  )
