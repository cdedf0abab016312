import type { Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type ClockRunner, startClocks } from './clock/clock-runner.ts'
import { type ApiDeps, answerApi } from './http/answer-api-request.ts'
import { ApiError, type Outage, readOutage, refusalOf, slowMs } from './http/errors.ts'
import { listenOnAll, loopbacksOf, portOf } from './http/listen.ts'
import { openServer, refusal, type WebRequest, type WebResponse } from './http/server.ts'
import type { StripeSandbox, StripeSandboxOptions } from './options.ts'
import { pages } from './pages/all-pages.ts'
import { answerPage } from './pages/router.ts'
import { routes } from './routes/all-routes.ts'
import { applySeed, resetToSeed, seededSecret } from './seed.ts'
import { openStore } from './store/store.ts'
import type { Tx } from './tx.ts'
import { type DeliveryQueue, startDeliveries } from './webhooks/queue.ts'

export type { SandboxSeed, StripeSandbox, StripeSandboxOptions } from './options.ts'

/**
 * The addresses to listen on.
 * @throws Error with a message for the user
 */
function requireSafeStart(host: string): string[] {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      'The Stripe sandbox does not start with NODE_ENV=production: it would grant paid subscriptions without payment.',
    )
  }
  const addresses = loopbacksOf(host)
  if (!addresses) {
    throw new Error(
      `The Stripe sandbox listens on loopback addresses only (127.0.0.1, ::1, localhost), not on ${host}.`,
    )
  }
  return addresses
}

/** Allowed Host headers, including the port. */
function knownHosts(port: number, publicUrl: string): Set<string> {
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)
  return new Set([...names, new URL(publicUrl).host])
}

function notFound(request: WebRequest): WebResponse {
  const address = `${request.method}: ${request.path.slice(0, 200)}`
  const error = new ApiError(404, 'invalid_request_error', `Unrecognized request URL (${address}).`)
  return refusal(error)
}

function shut(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/**
 * Starts the Stripe sandbox: API, checkout, portal and invoice pages, clock and webhooks, on one loopback port with one
 * SQLite file.
 */
export async function startStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const addresses = requireSafeStart(options.host ?? 'localhost')
  const now = options.now ?? Date.now
  const log = options.log ?? (() => {})
  const seed = options.seed ?? {}
  const store = openStore(options.dataFile, options.idSeed)
  let port = options.port
  const publicUrl = () => (options.publicUrl ?? `http://localhost:${port}`).replace(/\/$/, '')
  const newTx = (request: Tx['request'] = { id: null, idempotency_key: null }): Tx => ({
    at: Math.floor(now() / 1000),
    publicUrl: publicUrl(),
    request,
    store,
    wallMs: now(),
  })
  const tools = { newTx, reset: (tx: Tx) => resetToSeed(tx, seed) }
  const deps: ApiDeps = { log, newTx, now, routes, store }
  let closing = false
  let queue: DeliveryQueue | undefined
  let clocks: ClockRunner | undefined

  /** Simulated outage of the API; null if it works. */
  async function fail(outage: Exclude<Outage, 'none' | 'answers lost'>): Promise<WebResponse | 'drop' | null> {
    const error = refusalOf(outage)
    if (error) return refusal(error)
    if (outage === 'connection reset') return 'drop'
    await setTimeout(slowMs, undefined, { ref: false })
    return closing ? 'drop' : null
  }

  async function answer(request: WebRequest): Promise<WebResponse | 'drop'> {
    const outage = request.path.startsWith('/v1/') ? readOutage(store) : 'none'
    const failed = outage === 'none' || outage === 'answers lost' ? null : await fail(outage)
    if (failed) return failed

    const response = request.path.startsWith('/v1/')
      ? answerApi(deps, request)
      : (answerPage(pages, request, tools) ?? notFound(request))
    if (request.method !== 'GET') {
      clocks?.kick()
      queue?.wake()
    }
    // Loses only the response, which is what idempotency keys are for.
    return outage === 'answers lost' ? 'drop' : response
  }

  const makeServer = () =>
    openServer(
      () => knownHosts(port, publicUrl()),
      answer,
      (error) => log('a request failed', { error: String(error) }),
    )
  let servers: Server[] = []
  try {
    const opened = await listenOnAll(makeServer, addresses, options.port)
    servers = opened
    port = portOf(opened[0])
    store.transaction(() => applySeed(newTx(), seed))
  } catch (error) {
    for (const server of servers) server.close()
    store.close()
    throw error
  }
  const deliveries = startDeliveries({ log, now, store })
  queue = deliveries
  clocks = startClocks({ changed: deliveries.wake, log, newTx, now, store })
  deliveries.wake()

  return {
    url: publicUrl(),
    port,
    webhookSecret: seededSecret(store),
    close: async () => {
      closing = true
      clocks?.stop()
      await Promise.all([deliveries.stop(), ...servers.map(shut)])
      store.close()
    },
  }
}
