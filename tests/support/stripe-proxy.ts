import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProxiedCall = { method: string; path: string; idempotencyKey: string | undefined; body: string }

export type StripeProxy = {
  port: number
  pointTo(port: number): void
  /** All requests so far, oldest first. Set its length to 0 to clear it. */
  calls: ProxiedCall[]
  /** 'refused' responds with 503, 'silent' never responds. Lasts until set to null. */
  outage: 'refused' | 'silent' | null
  /** Responds with 429 until set to null, or once. */
  rateLimited: { retryAfterSeconds: number; once?: boolean } | null
  /** Fails the next matching request, before or after it takes effect. Default: 503, before. */
  failOnce(fits: (call: ProxiedCall) => boolean, when?: 'before' | 'after', status?: 400 | 503): void
  /** Holds back the sandbox's response to the next matching request. */
  holdResponse(fits: (call: ProxiedCall) => boolean): HeldResponse
  close(): Promise<void>
}

export type HeldResponse = {
  /** Resolves when the response is held back. */
  held: Promise<void>
  release(): void
  /** Breaks the connection without a response. */
  dropConnection(): void
}

type Hold = { fits: (call: ProxiedCall) => boolean; reached: () => void; released: Promise<Release> }
type Release = 'given' | 'lost' | 'refused'

/** A proxy in front of the Stripe sandbox that simulates network problems. */
export async function openStripeProxy(): Promise<StripeProxy> {
  let target = 0
  const holds: Hold[] = []
  const failures: { fits: (call: ProxiedCall) => boolean; status: number }[] = []

  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming)
    const call: ProxiedCall = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      idempotencyKey: incoming.headers['idempotency-key']?.toString(),
      body: body.toString(),
    }
    proxy.calls.push(call)
    if (proxy.outage === 'silent') return
    if (proxy.outage === 'refused') return refuse(outgoing)
    if (proxy.rateLimited) {
      const headers = { 'retry-after': String(proxy.rateLimited.retryAfterSeconds) }
      if (proxy.rateLimited.once) proxy.rateLimited = null
      return refuse(outgoing, 429, headers)
    }
    const failure = removeFirst(failures, ({ fits }) => fits(call))
    if (failure) return refuse(outgoing, failure.status)
    const hold = removeFirst(holds, ({ fits }) => fits(call))
    forward(target, incoming, body, outgoing, hold)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const proxy: StripeProxy = {
    port: (server.address() as AddressInfo).port,
    pointTo: (port) => {
      target = port
    },
    calls: [],
    outage: null,
    rateLimited: null,
    failOnce(fits, when = 'before', status = 503) {
      if (when === 'before') failures.push({ fits, status })
      else holds.push({ fits, reached: () => {}, released: Promise.resolve('refused') })
    },
    holdResponse(fits) {
      const released = Promise.withResolvers<Release>()
      const reached = Promise.withResolvers<void>()
      holds.push({ fits, reached: reached.resolve, released: released.promise })
      return {
        held: reached.promise,
        release: () => released.resolve('given'),
        dropConnection: () => released.resolve('lost'),
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

/** Responds like Stripe during an outage, with the header that stops the SDK from retrying. */
function refuse(outgoing: ServerResponse, status = 503, headers: Record<string, string> = {}) {
  outgoing.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false', ...headers })
  outgoing.end(
    JSON.stringify({ error: { type: status < 500 ? 'invalid_request_error' : 'api_error', message: 'Out of order' } }),
  )
}

function removeFirst<T>(all: T[], fits: (one: T) => boolean): T | undefined {
  const index = all.findIndex(fits)
  return index === -1 ? undefined : all.splice(index, 1)[0]
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function forward(port: number, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, hold?: Hold) {
  const onward = request(
    {
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host: `127.0.0.1:${port}` },
    },
    async (answer) => {
      const answered = await readAll(answer)
      if (hold) {
        hold.reached()
        const release = await hold.released
        if (release === 'lost') return outgoing.destroy()
        if (release === 'refused') return refuse(outgoing)
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.end(answered)
    },
  )
  onward.on('error', () => outgoing.destroy())
  onward.end(body)
}
