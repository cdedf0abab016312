import { type SQL, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Database, queryRows, sqlState } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { setDefaultHeader } from '#server/http/default-header.ts'
import type { AppEnv, Bearer, SessionCheck } from '#server/http/principal.ts'
import { outageCode } from '#server/http/product-calls.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import type { Resource } from './define-resource.ts'
import { compileRead, parseQuery, type ReadQuery, type Statement } from './parse-query.ts'
import { readBearer, requireSession } from './read-bearer.ts'
import { RestError, restErrors } from './rest-error.ts'

/** `body` is a JSON array as text. `total` is null unless a count was requested. `session` is input for the session check. */
type ReadResult = { body: string; rows: number; total: number | null; session: string | null }

/** Limit of prepared statements per connection; connections never discard them. */
const maxPrepared = 64

/** Runs compiled reads. The first distinct statements are prepared once per connection, the rest run unprepared. */
function createRunRead({ db, read }: Pick<Database, 'db' | 'read'>) {
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

type Wanted = { single: boolean; count: boolean; range: { offset: number; limit: number } | null }

type ReadHeader = (name: string) => string | undefined

const objectType = 'application/vnd.pgrst.object+json'
const arrayTypes = new Set(['*/*', 'application/*', 'application/json', 'application/vnd.pgrst.array+json'])

/**
 * Reads response format, count and range from the request headers.
 * @throws RestError PGRST106 unknown schema, PGRST107 media type, PGRST103 range
 */
function negotiate(header: ReadHeader): Wanted {
  for (const profile of [header('accept-profile'), header('content-profile')]) {
    if (profile !== undefined && profile.trim() !== 'public') throw restErrors.unknownSchema()
  }
  return {
    single: wantsObject(header('accept') || '*/*'),
    count: /(^|[,\s])count=(exact|planned|estimated)\b/.test(header('prefer') ?? ''),
    range: parseRange(header('range')),
  }
}

/** The first supported media type wins. */
function wantsObject(accept: string): boolean {
  for (const part of accept.split(',')) {
    const type = part.split(';')[0]?.trim().toLowerCase() ?? ''
    if (type === objectType) return true
    if (arrayTypes.has(type)) return false
  }
  throw restErrors.notAcceptable(accept)
}

/** A row range such as `0-9`, inclusive. Other units are ignored. */
function parseRange(text: string | undefined): Wanted['range'] {
  const match = /^(\d{1,9})-(\d{1,9})?$/.exec(text?.trim() ?? '')
  if (!match) return null
  const first = Number(match[1])
  const last = match[2] === undefined ? Number.MAX_SAFE_INTEGER : Number(match[2])
  if (last < first) throw restErrors.badRange('The lower boundary must be lower than or equal to the upper boundary.')
  return { offset: first, limit: last - first + 1 }
}

type RestDeps = Pick<Deps, 'database'> & { sessionCheck: SessionCheck }

/** `/rest/v1/<table>`: read access to declared tables, compatible with postgrest-js. All writes go through functions. */
export function restRoutes({ database, sessionCheck }: RestDeps, resources: readonly Resource[]) {
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const runRead = createRunRead(database)

  /** Reads rows and session in one statement. A session error takes precedence over a query error. */
  async function readRows(who: Bearer, statement: Statement): Promise<ReadResult> {
    const result = await runRead(statement).catch(async (error) => {
      const alone = { text: `select ${sessionCheck.column} as session`, values: [who.userId, who.sessionId] }
      if (error instanceof RestError) requireSession(sessionCheck, (await runRead(alone)).session, who)
      throw error
    })
    requireSession(sessionCheck, result.session, who)
    return result
  }

  return new Hono<AppEnv>()
    .onError(answerRestError)
    .get('/rest/v1/:table', async (c) => {
      setDefaultHeader(c, 'Cache-Control', 'no-store')
      const name = c.req.param('table')
      const resource = byName.get(name)
      if (!resource) throw restErrors.unknownTable(name)
      c.set('metricRoute', `/rest/v1/${resource.name}`)
      const wanted = negotiate((header) => c.req.header(header))
      const query = withRange(parseQuery(resource, new URL(c.req.url).searchParams), wanted)
      const who = await readBearer(sessionCheck, c.req.header('authorization'))
      if (!who) throw restErrors.noPrivilege(name)
      const result = await readRows(who, compileRead(resource, who, query, wanted.count, sessionCheck.column))
      return answer(c, wanted, query, result)
    })
    .all('/rest/v1/*', (c) => refuse(c))
    .all('/rest/v1', (c) => refuse(c))
}

/** Formats an error for `/rest/v1`. The app also uses it for errors before routing. */
export function answerRestError(error: unknown, c: Context<AppEnv>): Response {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) c.var.logger?.error({ err: error, requestId: c.var.requestId }, 'unexpected failure')
  return c.json(refusal.body, refusal.status as ContentfulStatusCode)
}

/** Applies the Range header on top of `limit` and `offset`. */
const withRange = (query: ReadQuery, { range }: Wanted): ReadQuery =>
  range ? { ...query, offset: query.offset + range.offset, limit: Math.min(query.limit, range.limit) } : query

function answer(c: Context<AppEnv>, wanted: Wanted, { offset }: ReadQuery, { body, rows, total }: ReadResult) {
  if (wanted.single && rows !== 1) throw restErrors.notOneRow(rows)
  if (total !== null && offset > total) {
    throw restErrors.badRange(`An offset of ${offset} was requested, but there are only ${total} rows.`)
  }
  const shown = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`
  const isPart = total !== null && rows > 0 && rows < total
  return c.body(wanted.single ? body.slice(1, -1) : body, isPart ? 206 : 200, {
    'Content-Type': `${wanted.single ? objectType : 'application/json'}; charset=utf-8`,
    'Content-Range': `${shown}/${total ?? '*'}`,
    ...(wanted.count && { 'Preference-Applied': 'count=exact' }),
  })
}

function refuse(c: Context<AppEnv>): never {
  const { method, path } = c.req
  if (method !== 'GET' && method !== 'HEAD') {
    c.header('Allow', 'GET, HEAD, OPTIONS')
    throw restErrors.readOnly(method)
  }
  const call = /^\/rest\/v1\/rpc\/([^/]+)$/.exec(path)?.[1]
  throw call ? restErrors.unknownFunction(call) : restErrors.unknownPath()
}

function asRefusal(error: unknown): RestError {
  if (error instanceof RestError) return error
  if (error instanceof AppError) return new RestError(error.status, error.code, error.message)
  const outage = outageCode(error)
  if (outage) return new RestError(errorTable[outage][0], outage, errorTable[outage][1])
  return restErrors.unexpected(errorTable.unexpected_failure[1])
}
