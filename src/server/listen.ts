import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { App } from './app.ts'
import { OperatorProblem } from './operator-problem.ts'

export type Listening = {
  /** Stops taking connections, lets running requests finish within `timeoutMs`, then cuts the rest. */
  close(timeoutMs: number): Promise<void>
}

/** `localhost` means both loopback addresses: which of the two a client tries first is not ours to know. */
export async function listen(app: App, host: string, port: number): Promise<Listening> {
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const servers: Server[] = []
  for (const address of hosts) {
    const server = createAdaptorServer({ fetch: app.fetch }) as Server
    // Longer than the idle time of usual proxies, so that they close first; slow headers and bodies are cut.
    server.keepAliveTimeout = 65_000
    server.headersTimeout = 20_000
    server.requestTimeout = 60_000
    try {
      await start(server, address, port)
      servers.push(server)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      // A machine without IPv6 serves localhost on IPv4 alone.
      if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      for (const open of servers) open.close()
      throw asListenError(error, port, 'PORT')
    }
  }
  return { close: async (timeoutMs) => void (await Promise.all(servers.map((server) => stop(server, timeoutMs)))) }
}

/** What the operator can mend as an OperatorProblem that names the variable; anything else as it is. */
export function asListenError(error: unknown, port: number, variable: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorProblem(`Port ${port} is in use. Stop what listens there, or set ${variable} to a free one.`)
    case 'EACCES':
      return new OperatorProblem(`Port ${port} may not be opened by this user. Set ${variable} to one above 1023.`)
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
