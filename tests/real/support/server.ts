import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort, untilReachable } from './ports.ts'

/** A server with sample content, reached through a line that can be cut. */
export async function startServer(env: Record<string, string> = {}) {
  const port = await freePort()
  const linePort = await freePort()
  const url = `http://localhost:${linePort}`
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/e2e-server.ts'], {
    env: { ...process.env, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(server, 'exit')
  const kill = () => server.kill('SIGTERM')
  process.once('exit', kill)
  const line = openLine(linePort, port)
  await Promise.race([
    untilReachable(port),
    gone.then(() => Promise.reject(new Error('The server ended before it was ready'))),
  ])
  await line.restore()
  return {
    url,
    cutLine: line.cut,
    restoreLine: line.restore,
    async stop() {
      await line.cut()
      kill()
      await gone
    },
  }
}

/** Forwards connections. Cut, it refuses new ones and drops the others, as without a network. */
function openLine(from: number, to: number) {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    }
    client.pipe(upstream).pipe(client)
  })
  return {
    restore: () => new Promise<void>((resolve) => listener.listen(from, '127.0.0.1', resolve)),
    cut: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export type RealServer = Awaited<ReturnType<typeof startServer>>
