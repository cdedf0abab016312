import { createHash } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { isConcurrencyConflict } from '#server/db/database.ts'
import { apiKeys, apiRequests } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { consumePoint } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { outageCode } from '#server/http/product-calls.ts'
import { parseInput, readBody } from '#server/http/read-json.ts'
import { type ApiEndpoint, type ApiScope, apiEndpoints } from '#shared/contracts/operations/public-api.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import { listApiAnswers, setApiAnswerState } from './api-answers.ts'
import { listApiDrops, listApiMailings, readApiDrop, readApiMailing } from './api-content.ts'
import { checkApiDraft, createApiDraft, editApiDraft, readApiDraft } from './api-drafts.ts'
import {
  createApiMember,
  listApiMembers,
  readApiAccess,
  readApiMember,
  setApiMemberFields,
  tagApiMember,
} from './api-members.ts'
import { type ApiKeyRow, hashApiKey, isActive, scopesOf } from './manage-api-keys.ts'
import { openApiDocument, pathParameters } from './openapi.ts'

/** How long an answer is repeated. */
const retentionMs = 24 * 60 * 60 * 1000
/** A request that took longer has died; its key may be used again. Allows for nodes whose clocks differ by two minutes. */
const abandonedMs = 3 * 60_000

type Request = { keyId: string; idempotencyKey: string; fingerprint: string }

/**
 * Runs a write once for each `Idempotency-Key`: a repeated request gets the first answer again. Failures aren't kept, so
 * that they can be tried again.
 * @throws AppError idempotency_key_reused for another request, conflict while the first is running
 */
async function runOnce(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  { keyId, idempotencyKey, fingerprint }: Request,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const now = clock()
  const requestHash = createHash('sha256').update(fingerprint).digest('hex')
  const mine = and(eq(apiRequests.keyId, keyId), eq(apiRequests.idempotencyKey, idempotencyKey))
  await db.delete(apiRequests).where(lt(apiRequests.createdAt, new Date(now.getTime() - retentionMs)))
  await db
    .delete(apiRequests)
    .where(and(mine, isNull(apiRequests.answer), lt(apiRequests.createdAt, new Date(now.getTime() - abandonedMs))))
  const [taken] = await db
    .insert(apiRequests)
    .values({ keyId, idempotencyKey, requestHash, createdAt: now })
    .onConflictDoNothing()
    .returning({ keyId: apiRequests.keyId })
  if (!taken) {
    const [first] = await db.select().from(apiRequests).where(mine)
    if (first && first.requestHash !== requestHash) throw new AppError('idempotency_key_reused')
    if (!first?.answer) throw new AppError('conflict')
    return first.answer
  }
  try {
    const answer = await run()
    await db.update(apiRequests).set({ answer }).where(mine)
    return answer
  } catch (error) {
    await db.delete(apiRequests).where(mine)
    throw error
  }
}

/** Requests per key. */
const limit = { points: 300, windowSeconds: 60 }

/**
 * The key of a request, from `Authorization: Bearer fc_…`.
 * @throws AppError invalid_api_key, scope_missing, over_request_rate_limit
 */
async function authorizeApiKey(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  authorization: string | undefined,
  scope: ApiScope,
): Promise<ApiKeyRow> {
  const [, given] = /^bearer (fc_[\w-]{43})$/i.exec(authorization ?? '') ?? []
  if (!given) throw new AppError('invalid_api_key')
  const now = clock()
  const [key] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, hashApiKey(given)))
  if (!key || !isActive(key, now)) throw new AppError('invalid_api_key')
  const { points, expiresAt } = await consumePoint(db, `api-key:${key.id}`, limit.windowSeconds, now)
  if (points > limit.points) {
    const retryAfterSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
    throw new AppError('over_request_rate_limit', { retryAfterSeconds })
  }
  if (!scopesOf(key).includes(scope)) throw new AppError('scope_missing', { extra: { scope } })
  // Once a minute, so that not every request writes it.
  const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, new Date(now.getTime() - minuteMs)))
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, key.id), isOld))
  return key
}

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
  implement(apiEndpoints.listAnswers, (query) => listApiAnswers(deps, query)),
  implement(apiEndpoints.setAnswerState, (change, who) => setApiAnswerState(deps, who, change)),
  implement(apiEndpoints.createDraft, (draft, who) => createApiDraft(deps, who, draft)),
  implement(apiEndpoints.getDraft, (key) => readApiDraft(deps, key)),
  implement(apiEndpoints.updateDraft, (change, who) => editApiDraft(deps, who, change)),
  implement(apiEndpoints.checkDraft, (change) => checkApiDraft(deps, change)),
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
