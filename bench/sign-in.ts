import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { createClient, runConcurrently } from './support/http-client.ts'
import { startProgram, temporaryDirectory } from './support/server.ts'
import { median, quantile, round } from './support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const accounts = 200
const signingIn = 20
const probeEveryMs = 2
const password = 'a password for measuring'
const argon2id = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const addressOf = (index: number) => `reader-${index % accounts}@bench.test`

async function measure(url: string) {
  const client = createClient(signingIn + 2)
  const signUp = async (index: number) => {
    const { status, body } = await client.send(
      'POST',
      `${url}/auth/v1/signup`,
      {},
      { email: addressOf(index), password },
    )
    if (status !== 200) throw new Error(`sign-up answered ${status}: ${body}`)
    return (JSON.parse(body) as { access_token: string }).access_token
  }
  const tokens: string[] = []
  for (let index = 0; index < accounts; index += 1) tokens.push(await signUp(index))

  let next = 0
  const signIns = () =>
    runConcurrently(signingIn, seconds, async () => {
      next += 1
      const path = `${url}/auth/v1/token?grant_type=password`
      const { status } = await client.send('POST', path, {}, { email: addressOf(next), password })
      if (status !== 200) throw new Error(`sign-in answered ${status}`)
    })
  const hashes = () =>
    runConcurrently(availableParallelism(), seconds, async () => void (await hash(password, argon2id)))
  const probes = () =>
    runConcurrently(1, seconds, async () => {
      const token = tokens[Math.floor(Math.random() * tokens.length)]
      const { status } = await client.send('GET', `${url}/auth/v1/user`, { authorization: `Bearer ${token}` })
      if (status !== 200) throw new Error(`GET /user answered ${status}`)
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs))
    })

  const results = []
  for (let turn = 0; turn < rounds + 1; turn += 1) {
    const bare = await hashes()
    const quiet = await probes()
    const alone = await signIns()
    const [busy, probe] = await Promise.all([signIns(), probes()])
    if (turn === 0) continue
    results.push({ bare, quiet, alone, busy, probe })
  }
  client.close()
  return results
}

const postgres = await startPostgres({ durable: true })
const directory = temporaryDirectory()
const server = await startProgram(builtServer, {
  DATABASE_URL: postgres.url,
  DATA_DIR: directory,
  LIMIT_TOKEN: '1000000/300',
  LIMIT_SIGN_UP: '1000000/300',
})
try {
  const results = await measure(server.url)
  const bare = median(results.map((result) => result.bare.perSecond))
  const alone = median(results.map((result) => result.alone.perSecond))
  const busy = median(results.map((result) => result.busy.perSecond))
  // Excludes the delay between two requests.
  const withoutDelay = (times: readonly number[]) => times.map((time) => time - probeEveryMs)
  const probeOf = (name: 'quiet' | 'probe') => results.flatMap((result) => withoutDelay(result[name].times))
  console.table([
    { what: 'argon2id alone', 'per second': round(bare), 'ratio to the hash': 1 },
    { what: 'sign-in', 'per second': round(alone), 'ratio to the hash': round(alone / bare, 2) },
    { what: 'sign-in, with other requests', 'per second': round(busy), 'ratio to the hash': round(busy / bare, 2) },
  ])
  console.table(
    (['quiet', 'probe'] as const).map((name) => ({
      'GET /user': name === 'quiet' ? 'no sign-ins' : `${signingIn} users sign in`,
      'p50 ms': round(quantile(probeOf(name), 0.5), 1),
      'p99 ms': round(quantile(probeOf(name), 0.99), 1),
    })),
  )
} finally {
  await server.stop()
  await postgres.stop()
}
