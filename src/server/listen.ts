import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { OperatorError } from './explain-start-error.ts'
import type { AppEnv } from './http/principal.ts'

export type Listening = {
  /** Stops accepting connections, waits up to `timeoutMs` for running requests, then closes all connections. */
  close(timeoutMs: number): Promise<void>
}

/** Listens on both loopback addresses for `localhost`, since clients may try either. Errors name `variable`. */
export async function listen(
  app: Pick<Hono<AppEnv>, 'fetch'>,
  host: string,
  port: number,
  variable = 'PORT',
): Promise<Listening> {
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const servers: Server[] = []
  for (const address of hosts) {
    const server = createAdaptorServer({ fetch: app.fetch }) as Server
    // Longer than the idle timeout of common proxies, so that they close connections first.
    server.keepAliveTimeout = 65_000
    server.headersTimeout = 20_000
    server.requestTimeout = 60_000
    try {
      await start(server, address, port)
      servers.push(server)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      // Without IPv6, use IPv4 only.
      if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      for (const open of servers) open.close()
      throw asListenError(error, port, variable)
    }
  }
  return { close: async (timeoutMs) => void (await Promise.all(servers.map((server) => stop(server, timeoutMs)))) }
}

/** Turns errors that the operator can fix into an OperatorError that names the variable. Returns others unchanged. */
export function asListenError(error: unknown, port: number, variable: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} is in use. Stop the process that uses it, or set ${variable} to a free port.`,
      )
    case 'EACCES':
      return new OperatorError(`This user can’t open port ${port}. Set ${variable} to a port above 1023.`)
    default:
      return error
  }
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function stop(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
