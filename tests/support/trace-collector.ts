import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  links?: { traceId: string; spanId: string }[]
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code: number }
}

export type TraceCollector = {
  url: string
  /** As received, oldest first. */
  bodies: string[]
  /** Headers of the last request. */
  headers: Record<string, unknown>
  /** Answers with this status. */
  status: number
  spans(): ReceivedSpan[]
  close(): Promise<void>
}

type Received = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] }

/** Takes traces over OTLP/HTTP in JSON, as a collector does. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    collector.headers = request.headers
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (isTraces && collector.status === 200) collector.bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(isTraces ? collector.status : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: [],
    headers: {},
    status: 200,
    spans: () =>
      collector.bodies.flatMap((body) =>
        (JSON.parse(body) as Received).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return collector
}
