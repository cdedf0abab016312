/**
 * One database session for backups. Rows are in the text format of COPY, which both engines read and write alike.
 */
export type CopySession = {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs several statements. */
  execute(text: string): Promise<void>
  /** The rows of a SELECT, in blocks of whole rows. */
  copyOut(select: string): AsyncIterable<Buffer>
  /** Appends blocks of whole rows. @param table with its columns, such as `t (a, b)` */
  copyIn(table: string, blocks: AsyncIterable<Uint8Array>): Promise<void>
  /** Rows that one `copyOut` may return. PGlite keeps all of them in memory. */
  maxRowsPerCopy: number
}

export const copyBlockBytes = 256 * 1024

/** Settings that change how values are written as text. */
export const copySettings = `
  set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local lock_timeout = 0;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;`

/** Starts a transaction that sees the database as it is now, whatever others write meanwhile. */
export const snapshotSettings = `set transaction isolation level repeatable read, read only; ${copySettings}`
