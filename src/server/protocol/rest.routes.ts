import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Deps } from '#server/deps.ts'
import { setDefaultHeader } from '#server/http/default-header.ts'
import type { AppEnv, Bearer, SessionCheck } from '#server/http/principal.ts'
import { outageCode } from '#server/http/product-calls.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import { compileRead, type Statement } from './compile-read.ts'
import type { Resource } from './define-resource.ts'
import { negotiate, objectType, type Wanted } from './negotiate.ts'
import { parseQuery, type ReadQuery } from './parse-query.ts'
import { readBearer, requireSession } from './read-bearer.ts'
import { RestError, restErrors } from './rest-error.ts'
import { createRunRead, type ReadResult } from './run-read.ts'

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
