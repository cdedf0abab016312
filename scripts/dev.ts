/** Runs the server, which restarts on changes, and Vite with hot reload. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const pagesPort = Number(process.env.DEV_PORT ?? 5173)
const env = { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${pagesPort}` }
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))

const children: ChildProcess[] = [
  spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--watch-path=src/server',
      '--watch-path=src/shared',
      '--watch-path=content',
      'src/server/main.ts',
    ],
    { stdio: 'inherit', env },
  ),
  spawn(process.execPath, [vite, '--port', String(pagesPort), '--strictPort'], { stdio: 'inherit', env }),
]
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
