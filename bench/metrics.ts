/** `npm run bench -- metrics`: processor time that counting one request costs, with metrics off and on, and a scrape. */
import { tmpdir } from 'node:os'
import { openPglite } from '#server/db/open-pglite.ts'
import { createLogger } from '#server/http/logger.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import { createMetrics } from '#server/monitoring/prometheus.ts'
import { createReadiness } from '#server/monitoring/readiness.ts'
import { round } from './support/statistics.ts'

const requests = 500_000
const routes = Array.from({ length: 200 }, (_, index) => `/functions/v1/call-${index}`)

function microsPerRequest(): number {
  const before = process.cpuUsage()
  for (let n = 0; n < requests; n += 1) {
    reportEvent('request', { route: routes[n % routes.length] ?? '', method: 'POST', status: 200, seconds: 0.003 })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

const database = await openPglite()
microsPerRequest()
const off = microsPerRequest()
const config = { dataDirectory: tmpdir(), backup: { isScheduled: false } }
const metrics = createMetrics({
  config,
  database,
  logger: createLogger('silent'),
  readReadiness: createReadiness({
    config: { dataDirectory: tmpdir(), mail: { kind: 'outbox', file: '', from: '' } },
    database,
  }),
  clock: () => new Date(),
})
microsPerRequest()
const on = microsPerRequest()
await metrics.read()
const startedAt = performance.now()
const text = await metrics.read()
console.table([
  { what: 'a request, metrics off: CPU µs', value: round(off, 3) },
  { what: 'a request, metrics on: CPU µs', value: round(on, 3) },
  {
    what: `a scrape of ${routes.length} routes (${round(text.length / 1000)} kB): ms`,
    value: round(performance.now() - startedAt, 1),
  },
])
metrics.close()
await database.close()
process.exit()
