import { apiVersion, readParams } from '../schema/read-params.ts'
import { randomText } from '../store/ids.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../tx.ts'
import type { JsonObject } from '../types.ts'
import { decodeForm, type RawMap } from './decode-form.ts'
import { ApiError, invalid } from './errors.ts'
import { expand } from './expand.ts'
import { type Answer, digestOf, findAnswer, readKey, saveAnswer } from './idempotency.ts'
import { type Found, findRoute, type Route } from './route.ts'

const refuse = (message: string): ApiError => new ApiError(401, 'invalid_request_error', message)

function keyOf(header: string | undefined): string {
  const [scheme = '', value = ''] = (header ?? '').split(/\s+/, 2)
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return ''
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0] ?? ''
}

/**
 * Accepts all test keys, since there is one account. Keys never appear in responses or logs.
 * @throws ApiError 401
 */
function requireTestKey(header: string | undefined): void {
  const key = keyOf(header)
  if (key === '') {
    throw refuse(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    )
  }
  if (/^[a-z]+_live_/.test(key)) {
    throw refuse(
      'This is a local stand-in for Stripe: it refuses live keys. Use a secret key that begins with sk_test_.',
    )
  }
  if (!/^sk_test_[A-Za-z0-9_]{1,240}$/.test(key)) {
    throw refuse('Invalid API Key provided. This sandbox accepts secret test keys, which begin with sk_test_.')
  }
}

export type ApiRequest = {
  method: string
  /** Path without the query. */
  path: string
  query: string
  headers: { [name: string]: string | undefined }
  body: string
}

export type ApiResponse = { status: number; headers: { [name: string]: string }; body: string }

export type ApiDeps = {
  store: Store
  routes: readonly Route[]
  now: () => number
  newTx: (request?: Tx['request']) => Tx
  log: (message: string, fields?: Record<string, unknown>) => void
}

function requireVersion(given: string | undefined): void {
  if (given === undefined || given === apiVersion) return
  throw invalid(
    `This sandbox supports only API version ${apiVersion}. The request uses ${given.slice(0, 60)}. ` +
      'Use the stripe library whose pinned version is this one.',
  )
}

function readForm(request: ApiRequest): RawMap {
  const type = request.headers['content-type'] ?? ''
  const fromBody = request.method === 'GET' ? '' : request.body
  if (fromBody !== '' && type !== '' && !type.includes('application/x-www-form-urlencoded')) {
    throw invalid('Invalid request (check that your POST content type is application/x-www-form-urlencoded).')
  }
  return decodeForm([request.query, fromBody].filter((part) => part !== '').join('&'))
}

type Work = { found: Found; form: RawMap; key: string | null; requestId: string }

/** Runs an operation in one transaction. An ApiError rolls it back unless it has `keepChanges`. */
function execute(deps: ApiDeps, request: ApiRequest, work: Work): { answer: Answer; replayed: boolean } {
  const seconds = Math.floor(deps.now() / 1000)
  const params = readParams(work.found.route.params, work.form)
  const digest = digestOf(work.form)
  return deps.store.transaction(() => {
    const before = work.key === null ? undefined : findAnswer(deps.store, work.key, request.path, digest, seconds)
    if (before) return { answer: before, replayed: true }
    const tx = deps.newTx({ id: work.requestId, idempotency_key: work.key })
    const answer = attempt(tx, work.found, params)
    if (work.key !== null) saveAnswer(deps.store, work.key, request.path, digest, answer, seconds)
    return { answer, replayed: false }
  })
}

/** Returns a declined payment as a response. Other errors are thrown and not stored for idempotency. */
function attempt(tx: Tx, { route, id }: Found, params: JsonObject): Answer {
  let refused: ApiError | undefined
  const run = (): JsonObject => {
    try {
      const body = route.handle(tx, params, id)
      expand(tx, body, (params.expand ?? []) as string[])
      return body
    } catch (error) {
      if (!(error instanceof ApiError) || !error.keepChanges) throw error
      refused = error
      return error.body()
    }
  }
  try {
    const body = tx.store.transaction(run)
    return { status: refused?.status ?? 200, body: JSON.stringify(body) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error
    return { status: error.status, body: JSON.stringify(error.body()) }
  }
}

function answerTo(deps: ApiDeps, request: ApiRequest, requestId: string): { answer: Answer; replayed: boolean } {
  requireTestKey(request.headers.authorization)
  requireVersion(request.headers['stripe-version'])
  const found = findRoute(deps.routes, request.method, request.path)
  if (!found) {
    const address = `${request.method}: ${request.path.slice(0, 200)}`
    throw new ApiError(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${address}). Please see https://docs.stripe.com/api.`,
    )
  }
  const key = request.method === 'POST' ? readKey(request.headers['idempotency-key']) : null
  return execute(deps, request, { form: readForm(request), found, key, requestId })
}

/**
 * Handles one API request. Every response has Stripe's format and a `Request-Id`. A 500 means a bug in the sandbox and is
 * logged.
 */
export function answerApi(deps: ApiDeps, request: ApiRequest): ApiResponse {
  const requestId = `req_${randomText(14)}`
  const headers: { [name: string]: string } = {
    'content-type': 'application/json',
    'cache-control': 'no-cache, no-store',
    'request-id': requestId,
    'stripe-version': apiVersion,
  }
  const key = request.headers['idempotency-key']
  if (key !== undefined && /^[\x20-\x7e]{1,255}$/.test(key)) headers['idempotency-key'] = key
  try {
    const { answer, replayed } = answerTo(deps, request, requestId)
    if (replayed) headers['idempotent-replayed'] = 'true'
    return { status: answer.status, headers, body: answer.body }
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, headers, body: JSON.stringify(error.body()) }
    deps.log('the stripe sandbox made a mistake', {
      error: error instanceof Error ? error.stack : String(error),
      path: request.path,
    })
    const body = new ApiError(
      500,
      'api_error',
      'The sandbox failed to handle this request. See its log for details.',
    ).body()
    return { status: 500, headers, body: JSON.stringify(body) }
  }
}
