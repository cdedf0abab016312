import { Socket } from 'node:net'
import pg from 'pg'
import { sqlState } from './database.ts'

export type SharedConnection = {
  read<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** After this time the connection is closed, since all other reads wait behind the slow one. */
const readTimeoutMs = 10_000
const invalidStatementName = '26000'

/**
 * Sends the short reads of all requests over one pipelined connection, and those of one event loop turn in one packet:
 * socket writes are a large part of a small read's cost. Results arrive in order, so slow, writing or locking statements
 * belong on the pool. If the connection breaks, pending reads fail and the next read reconnects.
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
      const query = { text, values: [...values] }
      try {
        return (await client.query({ name, ...query })).rows as Row[]
      } catch (error) {
        if (sqlState(error) !== invalidStatementName) throw error
        // Preparing the same text failed for an earlier query in the pipeline. Run it unnamed to get the actual error.
        return (await client.query(query)).rows as Row[]
      }
    },
    async close() {
      closed = true
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}

/** Buffers writes until the end of the event loop turn. */
class BatchingSocket extends Socket {
  #isBuffering = false

  override cork() {
    if (!this.#isBuffering) {
      this.#isBuffering = true
      super.cork()
      setImmediate(() => {
        this.#isBuffering = false
        this.uncork()
      })
    }
    super.cork()
  }
}
