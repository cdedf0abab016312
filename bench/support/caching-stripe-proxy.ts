/**
 * A proxy between the server and the Stripe sandbox that caches responses. Without it, the benchmark would mostly measure
 * the sandbox, which shares the machine.
 */
import { createServer } from 'node:http'

const target = `http://127.0.0.1:${process.env.STRIPE_PORT}`
const cache = new Map<string, { status: number; body: string }>()

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  if (path === '/healthz') return response.end('ok')
  const cached = cache.get(path) ?? (await fetchFromStripe(path, request.headers.authorization ?? ''))
  cache.set(path, cached)
  response.writeHead(cached.status, { 'Content-Type': 'application/json' }).end(cached.body)
})

async function fetchFromStripe(path: string, authorization: string) {
  const answer = await fetch(target + path, { headers: { authorization } })
  return { status: answer.status, body: await answer.text() }
}

server.listen(Number(process.env.PORT), '127.0.0.1')
