import Stripe from 'stripe'
import { type App, createApp } from '#server/app.ts'
import type { StripeConfig } from '#server/config/config.ts'
import type { Database, Db } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'

/** How the way to Stripe is: 'deaf' lets calls through and loses their answers. */
export type Network = 'up' | 'down' | 'deaf'

export type NodeOptions = {
  network: () => Network
  /** Keeps back the answers to what is read of subscriptions until it resolves. */
  slowUntil?: Promise<void>
  /** Called when there is an answer to keep back. */
  onSlow?: () => void
}

export type MortalNode = {
  app: App
  deps: Deps
  isDead(): boolean
  /** Lets so many steps pass and dies at the next one, before it has its effect or right after. */
  dieAfter(steps: number, when: 'before' | 'after'): void
}

class Died extends Error {
  override name = 'Died'
}

type Step = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A server process that can be killed between any two of its steps, which are its calls to Stripe, its statements and
 * its commits. From then on nothing that it still does reaches anybody, so its catch and finally blocks are as good as
 * never run; a transaction in progress is rolled back, as the database does when a connection breaks.
 */
export function startMortalNode(base: Deps, stripe: StripeConfig & { port: number }, options: NodeOptions): MortalNode {
  let dead = false
  let death: { left: number; when: 'before' | 'after' } | null = null

  const step: Step = async (work) => {
    if (dead) throw new Died()
    const last = death !== null && death.left-- === 0 ? death.when : null
    if (last) dead = last === 'before'
    if (dead) throw new Died()
    const result = await work()
    if (last) dead = true
    if (dead) throw new Died()
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

/** What the query builder's session hands out, as far as this needs to know it. */
type Prepared = { execute(values?: unknown): Promise<unknown> }
type Session = {
  prepareQuery(...args: unknown[]): Prepared
  transaction(work: (tx: Db) => Promise<unknown>, config?: unknown): Promise<unknown>
}

/** The same database with a session in which every statement and every transaction's end is a step. */
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
