import type { Database, Db } from '#server/db/database.ts'
import { traced } from '../traced.ts'

/** The parts of Drizzle's session that run statements. */
type Prepared = { execute(...args: unknown[]): Promise<unknown> }
type Session = { prepareQuery(query: { sql: string }, ...args: unknown[]): Prepared }

/** The same database, whose statements and transactions become spans. */
export const traceDatabase = (database: Database): Database => ({
  ...database,
  db: traceDb(database.db),
  background: traceDb(database.background),
  prepared: (name, text, values) => traced('statement', { text }, () => database.prepared(name, text, values)),
  read: (name, text, values) => traced('statement', { text }, () => database.read(name, text, values)),
})

function traceDb(db: Db): Db {
  const { session } = db as unknown as { session: Session }
  const tracedSession = Object.create(session, {
    prepareQuery: {
      value: (query: { sql: string }, ...args: unknown[]) => {
        const prepared = session.prepareQuery(query, ...args)
        const execute = prepared.execute.bind(prepared)
        prepared.execute = (...values) => traced('statement', { text: query.sql }, () => execute(...values))
        return prepared
      },
    },
  })
  const transaction: Db['transaction'] = (work, options) =>
    traced('transaction', {}, () => db.transaction((tx) => work(traceDb(tx as unknown as Db) as typeof tx), options))
  return Object.create(db, { session: { value: tracedSession }, transaction: { value: transaction } })
}
