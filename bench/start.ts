/** `npm run bench -- start`: from spawn to the first 200 of /healthz, first and later starts, and memory at rest. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.ts'
import { residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const later = 5

async function measure(name: string, env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
  const times: number[] = []
  let memory = 0
  let first = 0
  for (let turn = 0; turn <= later; turn += 1) {
    const server = await startProgram('src/server/main.ts', { ...env, DATA_DIR: directory })
    if (turn === 0) first = server.startMs
    else times.push(server.startMs)
    if (turn === later) {
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      memory = residentMb(server.pid)
    }
    await server.stop()
  }
  rmSync(directory, { recursive: true, force: true })
  return {
    database: name,
    'first start ms': round(first),
    'later start ms (median)': round(median(times)),
    'slowest ms': round(Math.max(...times)),
    'idle MB after 10 s': round(memory),
  }
}

const postgres = await startPostgres({ durable: true })
try {
  console.table([
    await measure('PGlite', { DATABASE_URL: '' }),
    await measure('PostgreSQL', { DATABASE_URL: postgres.url }),
  ])
} finally {
  await postgres.stop()
}
