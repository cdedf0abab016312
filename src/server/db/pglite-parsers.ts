import { type PGlite, type Results, type Transaction, types } from '@electric-sql/pglite'
import type { PGliteLike } from 'pg-boss'

/** The types that Drizzle parses itself: timestamp, timestamptz, interval, date, their arrays, and numeric arrays. */
const parsedByDrizzle = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1115, 1185, 1187, 1182, 1231]

const dateTypes: number[] = [types.TIMESTAMP, types.TIMESTAMPTZ, types.DATE]

/** The part of a connection that the job queue uses. Without `listen`, the queue would only poll. */
export type PgliteForQueue = Required<Pick<PGliteLike, 'query' | 'exec' | 'listen'>>

/**
 * Returns a client for Drizzle, and one for others, who expect dates. Drizzle passes its parsers with every query, and
 * PGlite then copies its own 300 parsers each time, which takes longer than a simple query.
 */
export function setParsersOnce(client: PGlite): { forDrizzle: PGlite; withDates: PgliteForQueue } {
  for (const type of parsedByDrizzle) client.parsers[type] = (text) => text
  const forDrizzle = {
    query: queryWithoutParsers(client),
    transaction: <Result>(run: (tx: Transaction) => Promise<Result>) =>
      client.transaction((tx) => run({ ...tx, query: queryWithoutParsers(tx) })),
  }
  const withDates: PgliteForQueue = {
    query: async <Row>(text: string, values?: unknown[]) => parseDates(await client.query<Row>(text, values)),
    exec: async (text) => (await client.exec(text)).map(parseDates),
    listen: (channel, onNotification) => client.listen(channel, onNotification),
  }
  return { forDrizzle: forDrizzle as PGlite, withDates }
}

const queryWithoutParsers =
  (client: PGlite | Transaction): Transaction['query'] =>
  (text, values, options) =>
    client.query(text, values, options?.rowMode && { rowMode: options.rowMode })

function parseDates<Row>(result: Results<Row>): Results<Row> {
  const names = result.fields.filter(({ dataTypeID }) => dateTypes.includes(dataTypeID)).map(({ name }) => name)
  if (names.length === 0) return result
  for (const row of result.rows as Record<string, string | null>[]) {
    for (const name of names) row[name] = types.parseType(row[name] ?? null, types.TIMESTAMPTZ)
  }
  return result
}
