import { Agent, request } from 'node:http'

export type Answer = { status: number; body: string }

/** A client with kept connections and little of its own cost, for loads whose requests depend on answers before them. */
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

export type Client = ReturnType<typeof createClient>

/** Runs `lanes` loops side by side for `seconds`; each calls `work` again as soon as it has answered. */
export async function inLanes(lanes: number, seconds: number, work: (lane: number) => Promise<void>) {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < until) {
        const before = performance.now()
        await work(lane)
        times.push(performance.now() - before)
      }
    }),
  )
  return { perSecond: times.length / ((performance.now() - startedAt) / 1000), times }
}
