import { Agent, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import pino from 'pino'
import type { AppEnv } from '#server/http/principal.ts'
import { requestContext } from '#server/http/request-context.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { staticPages } from '#server/http/serve-client-build.ts'

/**
 * Measures each file's response size in bytes, including status line and headers, by requesting it from our own server in
 * production mode as a browser that accepts Brotli.
 */
export async function wireSizes(directory: string, fileNames: readonly string[]): Promise<Map<string, number>> {
  const app = new Hono<AppEnv>()
    .use(requestContext({ config: { trustedProxies: 0 }, logger: pino({ level: 'silent' }) }))
    .use(securityHeaders({ mode: 'production' }))
    .route('/', await staticPages({ directory, mode: 'production' }))
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const sizes = new Map<string, number>()
    for (const fileName of fileNames) sizes.set(fileName, await wireSize(agent, port, fileName))
    return sizes
  } finally {
    agent.destroy()
    server.close()
  }
}

const wireSize = (agent: Agent, port: number, fileName: string) =>
  new Promise<number>((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', path: `/${fileName}`, headers: { 'Accept-Encoding': 'gzip, br' } }
    let before = 0
    const request = get(options, (response) => {
      const { socket, statusCode } = response
      if (statusCode !== 200) reject(new Error(`/${fileName} returned status ${statusCode}`))
      response.resume().on('end', () => resolve(socket.bytesRead - before))
    })
    request.on('socket', (socket) => {
      before = socket.bytesRead
    })
    request.on('error', reject)
  })
