import { Socket } from 'node:net'
import pg from 'pg'
import { sqlState } from './sql-state.ts'

export type SharedConnection = {
  read<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Longer than any read that belongs here; then the connection is given up, since all others wait behind it. */
const readTimeoutMs = 10_000
const noSuchStatement = '26000'

/**
 * One connection for the short reads of all requests. Nobody waits for another's answer before asking (the protocol's
 * pipelining), and what one turn of the event loop asks leaves in one packet: writing to the database and waking it is
 * a good part of what a small read costs. Answers come in the order of the questions, so what writes, locks or may take
 * long belongs to the pool. A connection that breaks fails the reads under way; the next read opens another.
 */
export function openSharedConnection(url: string, onError: (error: Error) => void): SharedConnection {
  let current: Promise<pg.Client> | undefined
  let closed = false

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: readTimeoutMs,
      keepAlive: true,
      pipeline: true,
      stream: () => new BatchingSocket(),
    })
    const opened = client.connect().then(() => client)
    const forget = () => {
      if (current === opened) current = undefined
    }
    client.on('error', (error) => {
      forget()
      onError(error)
    })
    client.on('end', forget)
    opened.catch(forget)
    return opened
  }

  return {
    async read<Row>(name: string, text: string, values: readonly unknown[]) {
      if (closed) throw new Error('The database is closed')
      current ??= connect()
      const client = await current
      const question = { text, values: [...values] }
      try {
        return (await client.query({ name, ...question })).rows as Row[]
      } catch (error) {
        if (sqlState(error) !== noSuchStatement) throw error
        // Another's question with this text, sent just before, was refused when it was prepared: ours tells why.
        return (await client.query(question)).rows as Row[]
      }
    },
    async close() {
      closed = true
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}

/** Holds back what is written until the event loop has heard everybody who is waiting, then writes it at once. */
class BatchingSocket extends Socket {
  #holding = false

  override cork() {
    if (!this.#holding) {
      this.#holding = true
      super.cork()
      setImmediate(() => {
        this.#holding = false
        this.uncork()
      })
    }
    super.cork()
  }
}
