import { Agent, request } from 'node:http'

export type Answer = { status: number; body: string }

/** A keep-alive client with little overhead, for requests that depend on earlier responses. */
export function createClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send(method: string, url: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
      const payload = body === undefined ? undefined : JSON.stringify(body)
      return new Promise((resolve, reject) => {
        const sent = request(
          url,
          {
            method,
            agent,
            headers: {
              'x-supabase-api-version': '2024-01-01',
              ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
              ...headers,
            },
          },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
          },
        )
        sent.on('error', reject)
        sent.end(payload)
      })
    },
    close: () => agent.destroy(),
  }
}

/** Runs `workers` loops in parallel for `seconds`. Each calls `work` again as soon as it has resolved. */
export async function runConcurrently(workers: number, seconds: number, work: (worker: number) => Promise<void>) {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < until) {
        const before = performance.now()
        await work(worker)
        times.push(performance.now() - before)
      }
    }),
  )
  return { perSecond: times.length / ((performance.now() - startedAt) / 1000), times }
}
