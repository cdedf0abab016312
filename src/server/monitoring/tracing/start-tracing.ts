import { randomUUID } from 'node:crypto'
import type { TracingConfig } from '#server/config/tracing.ts'
import type { Database } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'
import { readPackageVersion } from '../server-version.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import { traceDatabase } from './trace-database.ts'
import { startTracer } from './tracer.ts'

export type Tracing = {
  traceDatabase(database: Database): Database
  /** Sends what waits. */
  close(): Promise<void>
}

/** Sends traces of requests, statements, jobs, email and calls of Stripe. Loaded only if an endpoint is set. */
export function startTracing(config: TracingConfig, { logger }: { logger: Logger }): Tracing {
  const exporter = createOtlpExporter({ ...config, version: readPackageVersion(), instanceId: randomUUID(), logger })
  const stop = startTracer({ ...config, onSpan: exporter.add })
  return {
    traceDatabase,
    async close() {
      stop()
      await exporter.close()
    },
  }
}
