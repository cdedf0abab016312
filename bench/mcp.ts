/**
 * `npm run bench -- mcp`: searches per second by a connected assistant compared with the portal's call, in alternating rounds
 * on one PostgreSQL, 10 connections, with both revisions of the protocol. Compare the ratios. Also the memory before the
 * first request to /mcp, which loads the protocol, and after it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { readConfig } from '../src/server/config/config.ts'
import { createSecretBox } from '../src/server/config/secret-box.ts'
import { openPostgres } from '../src/server/db/open-postgres.ts'
import { rightNames } from '../src/shared/domain/connection-rights.ts'
import { buildConnection } from '../tests/support/build-connection.ts'
import { residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const secret = 'x'.repeat(64)
const searches = ['reply to a bad review', 'schedule', 'no-shows', 'food cost', 'opening week', 'hiring']

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = (query: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query, limit: 10 }, ...more },
})
const newer = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search' }

const postgres = await startPostgres()
const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const env = { DATABASE_URL: postgres.url, SECRET_KEY: secret, DATA_DIR: directory }
const server = await startProgram(builtServer, env)
const publicUrl = `http://localhost:${new URL(server.url).port}`
const database = await openPostgres(postgres.url)
try {
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'pro@frontcounter.test', password: 'front-counter' }),
  })
  const session = (await answer.json()) as { access_token: string; user: { id: string } }
  const config = { ...readConfig({ NODE_ENV: 'test' }), publicUrl }
  const deps = { config, database, clock: () => new Date(), secrets: createSecretBox(secret) }
  // Each connection has a limit of its own.
  const connections = await Promise.all(
    Array.from({ length: 200 }, () =>
      buildConnection({ deps } as never, { userId: session.user.id, rights: rightNames }),
    ),
  )
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (path: string, headers: object, body: object) => ({
    ...{ method: 'POST' as const, path },
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })
  const each = (request: (query: string, headers: object) => object) =>
    connections.map(({ headers }, index) => request(searches[index % searches.length] ?? '', headers))
  const own = { authorization: `Bearer ${session.access_token}` }
  const targets = {
    portal: each((query) => post('/functions/v1/search', own, { query, limit: 10 })),
    'mcp 2026-07-28': each((query, headers) => post('/mcp', { ...newer, ...headers }, call(query, { _meta: meta }))),
    'mcp 2025-11-25': each((query, headers) =>
      post('/mcp', { 'mcp-protocol-version': '2025-11-25', ...headers }, call(query)),
    ),
  }
  const before = residentMb(server.pid)
  const perSecond: Record<string, number[]> = { portal: [], 'mcp 2026-07-28': [], 'mcp 2025-11-25': [] }
  for (let number = 0; number <= rounds; number += 1) {
    for (const [name, requests] of Object.entries(targets)) {
      const result = await autocannon({
        url: server.url,
        connections: 10,
        duration: number === 0 ? 2 : seconds,
        requests,
      })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`)
      // The first round only warms up.
      if (number > 0) perSecond[name]?.push(result.requests.average)
    }
  }
  const base = median(perSecond.portal ?? [])
  console.table(
    Object.entries(perSecond).map(([name, values]) => ({
      search: name,
      'per second': round(median(values)),
      ratio: round(median(values) / base, 2),
    })),
  )
  console.log(
    `Memory ${round(before)} MB before the first request to /mcp, ${round(residentMb(server.pid))} MB at the end`,
  )
} finally {
  await database.close()
  await server.stop()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
