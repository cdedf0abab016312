import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Both addresses of `localhost`. Browsers try the second one first. */
const bothLoopbacks = ['127.0.0.1', '::1']
const addresses: { [host: string]: string[] } = { '127.0.0.1': ['127.0.0.1'], '::1': ['::1'], localhost: bothLoopbacks }

/** The addresses of a host name, or undefined if it isn't a loopback name. */
export const loopbacksOf = (host: string): string[] | undefined =>
  Object.hasOwn(addresses, host) ? addresses[host] : undefined

const tries = 20
const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)
const lacksFamily = (error: unknown): boolean => ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))

const open = (server: Server, port: number, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/**
 * Opens one server per address, all on the same port. Skips an address family that this machine doesn't have, unless it is
 * the only one.
 * @param port 0 picks one that is free on all addresses
 */
export async function listenOnAll(make: () => Server, hosts: string[], port: number): Promise<[Server, ...Server[]]> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = []
    try {
      for (const host of hosts) {
        const wanted = servers[0] ? portOf(servers[0]) : port
        const opened = await open(make(), wanted, host).catch((error: unknown) => {
          if (hosts.length > 1 && lacksFamily(error)) return undefined
          throw error
        })
        if (opened) servers.push(opened)
      }
      const [first, ...others] = servers
      if (!first) throw new Error('This machine has no loopback address.')
      return [first, ...others]
    } catch (error) {
      for (const server of servers) server.close()
      // A port that is free on one address may be in use on the other. Tries another one.
      if (port !== 0 || codeOf(error) !== 'EADDRINUSE' || attempt === tries) throw error
    }
  }
}
