import { Hono } from 'hono'
import type { FeatureDeps } from '#server/feature.ts'
import { consumePoints } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { readConnectedPrincipal } from '#server/features/identity/auth/sessions/read-principal.ts'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { callerInfo } from '#server/http/caller-info.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { rightsLeft } from '#shared/domain/connection-rights.ts'
import { AppError } from '#shared/errors.ts'
import { assistantOf } from './assistant.ts'
import type { AnswerMcp } from './mcp-server.ts'
import { countRequest } from './usage.ts'

/** Requests of one connection. */
const limit = { points: 300, windowSeconds: 60 }

const refuse = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

/**
 * The Model Context Protocol for connected assistants. The protocol's implementation is loaded with the first request:
 * most servers have no connection, and it would cost memory and time at the start.
 */
export function mcpRoutes(
  deps: FeatureDeps,
  loadAnswer = async () => (await import('./mcp-server.ts')).createAnswerMcp(deps),
) {
  const { origin } = new URL(deps.config.publicUrl)
  const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  let answering: Promise<AnswerMcp> | undefined
  return new Hono<AppEnv>().all('/mcp', async (c) => {
    c.header('Cache-Control', 'no-store')
    const from = c.req.header('origin')
    // A page elsewhere could reach a server on this machine by rebinding its name.
    if (from !== undefined && from !== origin && !isLoopback(from)) {
      return c.json(refuse(-32000, 'Requests from this origin aren’t allowed'), 403)
    }
    const [, token] = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const connection = token && (await readConnection(deps, token))
    const person = connection && (await readConnectedPrincipal(deps, connection).catch(asEnded))
    if (!connection || !person) {
      c.header('WWW-Authenticate', token ? `${challenge}, error="invalid_token"` : challenge)
      return c.json(refuse(-32001, 'Connect this assistant first: it needs the person’s consent'), 401)
    }
    const choice = deps.config.settings.publication.assistants
    const rights = rightsLeft(connection.rights, choice)
    if (choice === 'off' || (rights.size === 0 && connection.rights.size > 0)) {
      return c.json(refuse(-32003, 'The publisher has turned this off'), 403)
    }
    const [retryAfter] = await Promise.all([secondsToWait(deps, connection.connectionId), countRequest(deps)])
    if (retryAfter > 0) {
      c.header('Retry-After', String(retryAfter))
      return c.json(refuse(-32002, `Too many requests. Try again in ${retryAfter} seconds.`), 429)
    }
    // Only requests have a body. Batches are gone from the protocol, and one could hold a thousand calls.
    const body = c.req.method === 'POST' ? await readMessage(c.req.raw) : undefined
    if (Array.isArray(body)) return c.json(refuse(-32600, 'Send one message per request'), 400)
    const request = { clientAddress: c.get('clientAddress'), userAgent: c.req.header('user-agent') }
    answering ??= loadAnswer()
    const assistant = assistantOf(deps, {
      connectionId: connection.connectionId,
      rights,
      who: { ...person, client: callerInfo(request) },
      request: { ...request, requestId: c.get('requestId'), logger: c.get('logger'), ...noFile },
    })
    return (await answering)(assistant, c.req.raw, body)
  })
}

const isLoopback = (origin: string) => /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin)

/** An account that was deleted or disabled has no connections. */
function asEnded(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

async function secondsToWait({ database, clock }: FeatureDeps, connectionId: string): Promise<number> {
  const now = clock()
  const counter = { points: 1, windowSeconds: limit.windowSeconds, now }
  const { points, expiresAt } = await consumePoints(database, `connection:${connectionId}`, counter)
  return points > limit.points ? Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)) : 0
}

/** A body that isn't JSON is left to the protocol's own answer. */
async function readMessage(request: Request): Promise<unknown> {
  const text = await request.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const noFile = {
  readFile: () => Promise.reject(new AppError('method_not_allowed')),
  streamFile: () => {
    throw new AppError('method_not_allowed')
  },
}
