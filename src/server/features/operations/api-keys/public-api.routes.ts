import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { isConcurrencyConflict } from '#server/db/sql-state.ts'
import type { Deps } from '#server/deps.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { outageCode } from '#server/http/product-calls.ts'
import { parseInput, readBody } from '#server/http/read-json.ts'
import { type ApiEndpoint, apiEndpoints } from '#shared/contracts/operations/public-api.ts'
import { AppError } from '#shared/errors.ts'
import { listApiDrops, listApiMailings, readApiDrop, readApiMailing } from './api-content.ts'
import {
  createApiMember,
  listApiMembers,
  readApiAccess,
  readApiMember,
  setApiMemberFields,
  tagApiMember,
} from './api-members.ts'
import { authorizeApiKey } from './authorize-api-key.ts'
import type { ApiKeyRow } from './manage-api-keys.ts'
import { openApiDocument, pathParameters } from './openapi.ts'
import { runOnce } from './run-once.ts'

type ApiDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>
type Implementation = { endpoint: ApiEndpoint; run(input: never, who: Actor): Promise<unknown> }

const implement = <Input extends z.ZodObject, Output extends z.ZodType>(
  endpoint: ApiEndpoint<Input, Output>,
  run: (input: z.output<Input>, who: Actor) => Promise<z.input<Output>>,
): Implementation => ({ endpoint: endpoint as unknown as ApiEndpoint, run: run as Implementation['run'] })

const implementations = (deps: ApiDeps): Implementation[] => [
  implement(apiEndpoints.listMembers, (query) => listApiMembers(deps, query)),
  implement(apiEndpoints.createMember, (member, who) => createApiMember(deps, who, member)),
  implement(apiEndpoints.getMember, ({ id }) => readApiMember(deps, id)),
  implement(apiEndpoints.setMemberTags, (change, who) => tagApiMember(deps, who, change)),
  implement(apiEndpoints.setMemberFields, (change, who) => setApiMemberFields(deps, who, change)),
  implement(apiEndpoints.getMemberAccess, ({ id }) => readApiAccess(deps, id)),
  implement(apiEndpoints.listDrops, (query) => listApiDrops(deps, query)),
  implement(apiEndpoints.getDrop, ({ id }) => readApiDrop(deps, id)),
  implement(apiEndpoints.listMailings, (query) => listApiMailings(deps, query)),
  implement(apiEndpoints.getMailing, ({ id }) => readApiMailing(deps, id)),
]

const maxIdempotencyKeyLength = 200
const unknownUser = '00000000-0000-0000-0000-000000000000'

/** The staff log shows the key's name; its creator is the account behind the action. */
function actorOf({ name, createdById }: ApiKeyRow): Actor {
  const shown = `API key “${name}”`
  return { userId: createdById ?? unknownUser, email: shown, name: shown }
}

/** The public API for the publisher's own programs. Keys replace sessions. */
export function publicApiRoutes(deps: ApiDeps) {
  const routes = new Hono<AppEnv>().onError((error, c) => {
    const failure = asApiError(error)
    if (!failure) throw error
    const { message, code, extra, status, retryAfterSeconds } = failure
    if (retryAfterSeconds) c.header('Retry-After', String(retryAfterSeconds))
    c.header('Cache-Control', 'no-store')
    return c.json({ error: message, code, ...extra }, status as ContentfulStatusCode)
  })
  routes.get('/api/v1/openapi.json', (c) => c.json(openApiDocument(deps.config)))
  for (const { endpoint, run } of implementations(deps)) {
    const { method, path, scope, input, output } = endpoint
    routes.on(method.toUpperCase(), `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`, async (c) => {
      const key = await authorizeApiKey(deps, c.req.header('authorization'), scope)
      c.header('Cache-Control', 'no-store')
      const given = method === 'get' ? c.req.query() : await readBody(c)
      const params = Object.fromEntries(pathParameters(path).map((name) => [name, c.req.param(name)]))
      const parsed = parseInput(input, { ...(given as object), ...params })
      const answer = async () => output.parse(await run(parsed as never, actorOf(key)))
      const idempotencyKey = c.req.header('idempotency-key')
      if (method === 'get' || !idempotencyKey) return c.json((await answer()) as object)
      if (idempotencyKey.length > maxIdempotencyKeyLength) {
        throw new AppError('validation_failed', { message: 'Idempotency-Key: use at most 200 characters' })
      }
      const fingerprint = JSON.stringify([method, c.req.path, given])
      return c.json((await runOnce(deps, { keyId: key.id, idempotencyKey, fingerprint }, answer)) as object)
    })
  }
  return routes.all('/api/*', () => {
    throw new AppError('not_found')
  })
}

function asApiError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  const outage = outageCode(error)
  if (outage) return new AppError(outage, { cause: error })
  return isConcurrencyConflict(error) ? new AppError('conflict', { cause: error }) : null
}
