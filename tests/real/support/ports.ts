import { connect, createServer } from 'node:net'

/** Returns a port that is free, and whose successor is free too: the sandbox's Stripe uses it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await bind(0)
    if (port !== null && port < 65_535 && (await bind(port + 1)) !== null) return port
  }
}

const bind = (wanted: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })

/** Resolves once something accepts connections on the port. */
export async function untilReachable(port: number, timeoutMs = 120_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await accepts(port))) {
    if (Date.now() > deadline) throw new Error(`Nothing answers on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
