import Stripe from 'stripe'
import { type App, createApp } from '#server/app.ts'
import type { StripeConfig } from '#server/config/config.ts'
import type { Database, Db } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'

/** State of the connection to Stripe. 'deaf' delivers requests and loses the responses. */
export type Network = 'up' | 'down' | 'deaf'

export type NodeOptions = {
  network: () => Network
  /** Delays responses to subscription reads until it resolves. */
  slowUntil?: Promise<void>
  /** Called when a response is being delayed. */
  onSlow?: () => void
}

export type CrashableNode = {
  app: App
  deps: Deps
  isDead(): boolean
  /** Crashes at the step after `steps` more, before or after it takes effect. */
  dieAfter(steps: number, when: 'before' | 'after'): void
}

class Crashed extends Error {
  override name = 'Crashed'
}

type Step = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A server that can crash between any two steps: Stripe calls, statements and commits. After the crash none of its calls
 * take effect, including those in catch and finally blocks, and its open transaction is rolled back.
 */
export function startCrashableNode(
  base: Deps,
  stripe: StripeConfig & { port: number },
  options: NodeOptions,
): CrashableNode {
  let dead = false
  let death: { left: number; when: 'before' | 'after' } | null = null

  const step: Step = async (work) => {
    if (dead) throw new Crashed()
    const last = death !== null && death.left-- === 0 ? death.when : null
    if (last) dead = last === 'before'
    if (dead) throw new Crashed()
    const result = await work()
    if (last) dead = true
    if (dead) throw new Crashed()
    return result
  }

  const deps: Deps = {
    ...base,
    database: guardDatabase(base.database, step),
    stripe: new Stripe(stripe.secretKey, {
      host: '127.0.0.1',
      port: stripe.port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: guardedHttp(step, options),
    }),
  }
  return {
    app: createApp(deps),
    deps,
    isDead: () => dead,
    dieAfter(left, when) {
      death = { left, when }
    },
  }
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>

function guardedHttp(step: Step, { network, slowUntil, onSlow }: NodeOptions): HttpClient {
  const http = Stripe.createNodeHttpClient()
  const request = async (...args: Parameters<HttpClient['makeRequest']>) => {
    if (network() === 'down') throw new Error('connect ECONNREFUSED')
    const answer = await http.makeRequest(...args)
    const [, , path, method] = args
    if (slowUntil && method === 'GET' && path.startsWith('/v1/subscriptions')) {
      onSlow?.()
      await slowUntil
    }
    if (network() !== 'deaf') return answer
    await answer.toJSON()
    throw new Error('socket hang up')
  }
  return {
    getClientName: () => http.getClientName(),
    makeRequest: (...args) => step(() => request(...args)),
  }
}

const guardDatabase = (database: Database, step: Step): Database => ({
  ...database,
  db: guardDb(database.db, step),
  prepared: (...args) => step(() => database.prepared(...args)),
  read: (...args) => step(() => database.read(...args)),
})

/** The parts of Drizzle's session that we wrap. */
type Prepared = { execute(values?: unknown): Promise<unknown> }
type Session = {
  prepareQuery(...args: unknown[]): Prepared
  transaction(work: (tx: Db) => Promise<unknown>, config?: unknown): Promise<unknown>
}

/** Wraps the database's session so that each statement and each commit is a step. */
function guardDb(db: Db, step: Step): Db {
  const { session } = db as unknown as { session: Session }
  const guarded = Object.create(session, {
    prepareQuery: {
      value: (...args: unknown[]) => {
        const prepared = session.prepareQuery(...args)
        const execute = prepared.execute.bind(prepared)
        prepared.execute = (values) => step(() => execute(values))
        return prepared
      },
    },
    transaction: {
      value: (work: (tx: Db) => Promise<unknown>, config?: unknown) =>
        step(() => session.transaction((tx) => work(guardDb(tx, step)), config)),
    },
  })
  return Object.create(db, { session: { value: guarded } })
}
