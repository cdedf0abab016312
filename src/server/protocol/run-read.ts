import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { sqlState } from '#server/db/sql-state.ts'
import type { Statement } from './compile-read.ts'
import { RestError } from './rest-error.ts'

/** `body` is a JSON array as text. `total` is null unless a count was requested. `session` is input for the session check. */
export type ReadResult = { body: string; rows: number; total: number | null; session: string | null }

/** Limit of prepared statements per connection; connections never discard them. */
const maxPrepared = 64

/** Runs compiled reads. The first distinct statements are prepared once per connection, the rest run unprepared. */
export function createRunRead({ db, read }: Pick<Database, 'db' | 'read'>) {
  const names = new Map<string, string>()

  const run = async ({ text, values }: Statement): Promise<ReadResult | undefined> => {
    const name = names.get(text) ?? (names.size < maxPrepared ? `rest_${names.size}` : undefined)
    if (!name) return (await queryRows<ReadResult>(db, asSql({ text, values })))[0]
    names.set(text, name)
    const [row] = await read<ReadResult>(name, text, values)
    return row
  }

  /** @throws RestError if a value doesn't fit the column's type */
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

/** Splits the text at `$1`, `$2` … and binds the values. */
function asSql({ text, values }: Statement): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
}

/** Data exceptions (class 22), type and syntax errors (42) and exceeded limits (54) are caused by the request. */
function asRestError(error: unknown): RestError | null {
  const code = sqlState(error)
  return code && /^(22|42|54)/.test(code) ? new RestError(400, code, databaseMessage(error)) : null
}

function databaseMessage(error: unknown): string {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  return current instanceof Error ? current.message : 'The value isn’t valid'
}
