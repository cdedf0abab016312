import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { isConcurrencyConflict, isDatabaseDown, isDatabaseTimeout } from '#server/db/database.ts'
import type { AnyCall, Audience, Call } from '#shared/contracts/define-call.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { FileLimit } from './body-size.ts'
import { callerInfo } from './caller-info.ts'
import { setDefaultHeader } from './default-header.ts'
import type { AppEnv, Caller, Principal, ReadPrincipal } from './principal.ts'
import { parseInput, readFileBody, readJson, streamFileBody } from './read-json.ts'

/** @throws AppError role_not_allowed with the caller's role, so that a client notices when it has changed */
export function requireRole(roles: readonly StaffRole[], { staffRole }: Pick<Principal, 'staffRole'>): void {
  if (!staffRole || !roles.includes(staffRole)) throw new AppError('role_not_allowed', { extra: { role: staffRole } })
}

/** The code of a failure that a retry may get past, because the database is slow or down; otherwise null. */
export function outageCode(error: unknown): 'server_busy' | 'service_unavailable' | null {
  if (isDatabaseTimeout(error)) return 'server_busy'
  return isDatabaseDown(error) ? 'service_unavailable' : null
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compressing smaller outputs costs more time than it saves. */
const minBytes = 2_000

/** Brotli at level 4 is fast enough to compress each response. */
const brotliQuality = 4

/**
 * Sends the output of a call. Compresses large ones of subscribers' calls, which carry content and the reader's own state,
 * but no others: a compressed length can reveal secrets. Without the access token, other sites can't make these requests.
 */
async function sendJson(c: Context<AppEnv>, output: object, audience: Audience): Promise<Response> {
  const text = JSON.stringify(output)
  const accepted = c.req.header('accept-encoding') ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
  const headers = { 'Content-Type': 'application/json' }
  if (audience !== 'subscriber' || text.length < minBytes || !encoding) return c.body(text, 200, headers)
  const body =
    encoding === 'br'
      ? await toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : await toGzip(text)
  return c.body(new Uint8Array(body), 200, { ...headers, 'Content-Encoding': encoding, Vary: 'Accept-Encoding' })
}

/** Request data that a call may need besides its input. */
export type CallRequest = {
  clientAddress: string
  userAgent: string | undefined
  requestId: string
  logger: AppEnv['Variables']['logger']
  /** True if a device stores the answer for later, so that no one looks at it now. */
  isDeviceSync?: boolean
  readFile(): Promise<Uint8Array<ArrayBuffer>>
  /** The body of a call that takes a streamed file. A disconnect throws bad_json. */
  streamFile(): AsyncIterable<Uint8Array>
}

type Who<A extends Audience> = A extends 'public' ? null : Caller

export type Implementation = {
  call: AnyCall
  run(input: unknown, who: Caller | null, request: CallRequest): Promise<unknown>
}

/** What a call answers; nothing, if the contract's output has no fields. */
type Answer<C extends AnyCall> =
  | Promise<z.input<C['output']>>
  | (Record<string, never> extends z.input<C['output']> ? Promise<void> : never)

/** Connects a contract to the function that implements it. */
export const implement = <C extends Call<string, z.ZodType, z.ZodType>>(
  call: C,
  run: (input: z.output<C['input']>, who: Who<C['audience']>, request: CallRequest) => Answer<C>,
): Implementation => ({
  call,
  run: async (input, who, request) => {
    const answer = await run(input as never, who as never, request)
    return answer === undefined ? {} : answer
  },
})

/** Makes a call for another call or an assistant, without a request of its own. Checks input and output, not the caller. */
export async function makeCall<C extends AnyCall>(
  implementations: readonly Implementation[],
  call: C,
  input: z.input<C['input']>,
  who: Caller,
  request: CallRequest,
): Promise<z.output<C['output']>> {
  const implementation = implementations.find((other) => other.call.name === call.name)
  if (!implementation) throw new Error(`There is no call ${call.name}`)
  return call.output.parse(await implementation.run(parseInput(call.input, input), who, request)) as never
}

/** Body limits by path, for calls that take a file. */
export const fileLimits = (implementations: readonly Implementation[]): ReadonlyMap<string, FileLimit> =>
  new Map(implementations.flatMap(({ call }) => (call.file ? [[`/functions/v1/${call.name}`, call.file]] : [])))

/** Staff who view the portal as a member. Implemented by the feature view-as. */
export type Viewing = {
  /** True if the header has a token of a view. No other API accepts one. */
  isViewing(authorization: string | undefined): boolean
  read: ReadPrincipal
  /** The calls that a view may make; all others are refused. */
  calls: ReadonlyMap<string, ViewableCall>
}

/** `true` runs the call; fields of `input` replace those given; `answer` replaces the answer. */
export type ViewableCall = true | { input: object } | { answer: object }

type FunctionsDeps = AudienceDeps & {
  readPrincipal: ReadPrincipal
  viewing: Viewing
  /** @throws AppError step_up_required unless the session has authenticated recently */
  requireStepUp(who: Principal): Promise<void>
}

type AudienceDeps = {
  /** @throws AppError mfa_setup_required if admins need two-factor authentication and this one hasn't set it up */
  requireAdminSecondFactor(who: Principal): Promise<void>
  /** True if the portal is open to the caller now. */
  hasAccess(who: Principal): boolean
  /** True if the caller bought a single item. */
  ownsItem(who: Principal): Promise<boolean>
}

/**
 * Serves product calls at `/functions/v1/<name>`. Checks the audience before reading the body. Parses the output as well,
 * so that responses contain only fields of the contract.
 */
export function functionRoutes(deps: FunctionsDeps, implementations: readonly Implementation[]) {
  const byName = new Map(implementations.map((implementation) => [implementation.call.name, implementation]))
  return new Hono<AppEnv>()
    .onError((error, c) => {
      const failure = asFunctionError(error)
      if (failure?.code === 'conflict')
        c.var.logger.warn({ err: error, requestId: c.var.requestId }, 'concurrent requests conflicted')
      if (failure?.code === 'server_busy' || failure?.code === 'service_unavailable')
        c.var.logger.warn({ err: error, requestId: c.var.requestId }, 'the database is slow or down')
      if (!failure) throw error
      const { message, code, extra, retryAfterSeconds } = failure
      if (retryAfterSeconds) c.header('Retry-After', String(retryAfterSeconds))
      return c.json({ error: message, code, ...extra }, failure.status as ContentfulStatusCode)
    })
    .all('/functions/v1/:name', async (c) => {
      const implementation = byName.get(c.req.param('name'))
      if (!implementation) throw new AppError('not_found')
      c.set('metricRoute', `/functions/v1/${implementation.call.name}`)
      if (c.req.method !== 'POST') throw new AppError('method_not_allowed')
      const { call, run } = implementation
      const authorization = c.req.header('authorization')
      const isViewing = deps.viewing.isViewing(authorization)
      const readPrincipal = isViewing ? deps.viewing.read : deps.readPrincipal
      // A view is checked for public calls too, which could change something.
      const who = call.audience === 'public' && !isViewing ? null : await readPrincipal(authorization)
      const viewable = isViewing ? deps.viewing.calls.get(call.name) : true
      if (!viewable) throw new AppError('read_only_view')
      const respond = async () => {
        if (who) await requireAudience(deps, call, who)
        if (viewable !== true && 'answer' in viewable) return call.output.parse(viewable.answer) as object
        const given = call.file ? parseInput(call.input, c.req.query()) : await readJson(c, call.input)
        const input = viewable === true ? given : call.input.parse({ ...(given as object), ...viewable.input })
        if (who && call.saveRoles && isSave(input)) requireRole(call.saveRoles, who)
        if (who && (call.stepUp === 'save' ? isSave(input) : call.stepUp)) await deps.requireStepUp(who)
        const origin = { clientAddress: c.get('clientAddress'), userAgent: c.req.header('user-agent') }
        const output = await run(input, who && { ...who, client: callerInfo(origin) }, {
          ...origin,
          requestId: c.get('requestId'),
          logger: c.get('logger'),
          readFile: () => readFileBody(c),
          streamFile: () => streamFileBody(c),
        })
        return call.output.parse(output) as object
      }
      const output = await respond().catch(async (error: unknown) => {
        // If the session has ended meanwhile, report that instead: the error is only a consequence.
        if (who && isRefusal(error)) await readPrincipal(authorization)
        throw error
      })
      setDefaultHeader(c, 'Cache-Control', 'no-store')
      return sendJson(c, output, call.audience)
    })
}

/** @throws AppError mfa_required, not_admin, role_not_allowed, not_subscribed */
export async function requireAudience(
  deps: AudienceDeps,
  { audience, roles, duringSecondStep, forBuyers }: AnyCall,
  who: Principal,
): Promise<void> {
  if (who.awaitsSecondFactor && !duringSecondStep) throw new AppError('mfa_required')
  if (audience === 'admin') {
    if (!who.staffRole) throw new AppError('not_admin')
    requireRole(roles ?? [], who)
  }
  if (audience === 'subscriber' && !deps.hasAccess(who) && !(forBuyers && (await deps.ownsItem(who)))) {
    throw new AppError('not_subscribed')
  }
  if (audience === 'admin') await deps.requireAdminSecondFactor(who)
}

const isSave = (input: unknown) =>
  typeof input === 'object' && input !== null && 'save' in input && input.save !== undefined

const isRefusal = (error: unknown) => error instanceof AppError || isConcurrencyConflict(error)

/** Errors that product calls report as 401 'Not authenticated'. */
const signedOut: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'no_authorization',
  'bad_jwt',
  'user_not_found',
  'session_not_found',
  'user_banned',
])

function asFunctionError(error: unknown): AppError | null {
  if (!(error instanceof AppError)) {
    const outage = outageCode(error)
    if (outage) return new AppError(outage, { cause: error })
    return isConcurrencyConflict(error) ? new AppError('conflict') : null
  }
  return signedOut.has(error.code) ? new AppError('not_authenticated') : error
}
