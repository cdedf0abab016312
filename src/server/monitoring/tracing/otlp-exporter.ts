import type { TracingConfig } from '#server/config/tracing.ts'
import type { Logger } from '#server/http/logger.ts'
import type { Span } from './tracer.ts'

const maxBatch = 512
/** About 2 MB. While the collector doesn't answer, the oldest spans are dropped beyond this. */
const maxWaiting = 4_096
const intervalMs = 5_000
const timeoutMs = 10_000
/** Statuses after which OTLP allows another attempt. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

export type OtlpExporter = { add(span: Span): void; close(): Promise<void> }

type ExporterOptions = Pick<TracingConfig, 'url' | 'headers' | 'serviceName'> & {
  version: string
  instanceId: string
  logger: Logger
}

/** Sends spans in batches to a collector, as OTLP over HTTP in JSON. Never makes the server wait. */
export function createOtlpExporter({ url, headers, logger, ...service }: ExporterOptions): OtlpExporter {
  let waiting: Span[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> | null = null

  async function sendBatch(): Promise<boolean> {
    const batch = waiting.slice(0, maxBatch)
    let reason: string
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(encodeSpans(batch, service)),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      })
      await answer.arrayBuffer()
      if (answer.ok || !retryableStatuses.has(answer.status)) remove(batch)
      if (answer.ok) {
        if (isFailing) logger.info({ dropped }, 'traces are sent again')
        isFailing = false
        dropped = 0
        return true
      }
      if (!retryableStatuses.has(answer.status)) dropped += batch.length
      reason = `status ${answer.status}`
    } catch (error) {
      reason = (error as { cause?: { code?: string } }).cause?.code ?? String(error)
    }
    if (!isFailing) logger.warn({ reason }, 'traces couldn’t be sent')
    isFailing = true
    return false
  }

  /** Newer spans may have pushed some of the batch out meanwhile. */
  function remove(batch: readonly Span[]) {
    const sent = new Set(batch)
    waiting = waiting.filter((span) => !sent.has(span))
  }

  function flush(): Promise<void> {
    sending ??= (async () => {
      while (waiting.length > 0 && (await sendBatch()));
    })().finally(() => {
      sending = null
    })
    return sending
  }

  const timer = setInterval(() => void flush(), intervalMs).unref()

  return {
    add(span) {
      waiting.push(span)
      if (waiting.length > maxWaiting) {
        waiting.shift()
        dropped += 1
      }
      if (waiting.length >= maxBatch && !isFailing) void flush()
    },
    async close() {
      clearInterval(timer)
      await sending
      await flush()
    },
  }
}

type Service = { serviceName: string; version: string; instanceId: string }

function encodeSpans(spans: readonly Span[], { serviceName, version, instanceId }: Service) {
  const resource = { 'service.name': serviceName, 'service.version': version, 'service.instance.id': instanceId }
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'front-counter', version }, spans: spans.map(encodeSpan) }],
      },
    ],
  }
}

const encodeSpan = ({ parentSpanId, links, startMs, endMs, attributes, isError, ...span }: Span) => ({
  ...span,
  ...(parentSpanId && { parentSpanId }),
  ...(links.length > 0 && { links }),
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: encodeAttributes(attributes),
  status: { code: isError ? 2 : 0 },
})

const encodeAttributes = (attributes: Span['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
  }))

const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`
