import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { sqlState } from '#server/db/sql-state.ts'
import type { Statement } from './compile-read.ts'
import { RestError } from './rest-error.ts'

/** `total` is null unless the statement was compiled to count. `body` is a JSON array as text, `session` for the check. */
export type ReadResult = { body: string; rows: number; total: number | null; session: string | null }

/** A name each is enough for the texts that clients really send; a connection keeps every one it has seen. */
const maxPrepared = 64

/**
 * Runs compiled reads. The texts seen first, which are those that clients send all the time, are prepared once per
 * connection; the number is bounded, since a caller can make up any number of texts.
 */
export function createRunRead({ db, read }: Pick<Database, 'db' | 'read'>) {
  const names = new Map<string, string>()

  const run = async ({ text, values }: Statement): Promise<ReadResult | undefined> => {
    const name = names.get(text) ?? (names.size < maxPrepared ? `rest_${names.size}` : undefined)
    if (!name) return (await rowsOf<ReadResult>(db, asSql({ text, values })))[0]
    names.set(text, name)
    const [row] = await read<ReadResult>(name, text, values)
    return row
  }

  /** @throws RestError for a value that the column's type does not take */
  return async (statement: Statement): Promise<ReadResult> => {
    if (statement.values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      throw new RestError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00')
    }
    try {
      return (await run(statement)) ?? { body: '[]', rows: 0, total: null, session: null }
    } catch (error) {
      throw asRestError(error) ?? error
    }
  }
}

/** The text has `$1 …` already: it is cut there and the values put in between. */
function asSql({ text, values }: Statement): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
}

/** Data exceptions (class 22) and what a type cannot be compared with (class 42) are the request's fault. */
function asRestError(error: unknown): RestError | null {
  const code = sqlState(error)
  return code && /^(22|42|54)/.test(code) ? new RestError(400, code, databaseMessage(error)) : null
}

function databaseMessage(error: unknown): string {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  return current instanceof Error ? current.message : 'The value is not valid'
}
