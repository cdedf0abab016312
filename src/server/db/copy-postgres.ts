import { once } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { type CopySession, copyBlockBytes, snapshotSettings } from './copy-session.ts'

/** Unread bytes at which `copyOut` stops reading from the network. */
const maxUnreadBytes = 4 * 1024 * 1024

/** The parts of pg's connection that COPY needs. Its types don't include them. */
type Connection = {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Methods that pg calls for a query that handles its messages itself. */
abstract class CopyQuery {
  protected connection!: Connection
  readonly text: string
  callback = () => {}

  constructor(text: string) {
    this.text = text
  }
  submit(connection: pg.Connection) {
    this.connection = connection as unknown as Connection
    this.connection.query(this.text)
  }
  abstract handleError(error: Error): void
  abstract handleReadyForQuery(): void
  handleCommandComplete() {}
  handleRowDescription() {}
  handleDataRow() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
  handleCopyData(_message: { chunk: Buffer }) {}
  handleCopyInResponse() {
    this.connection.sendCopyFail('No rows to copy')
  }
}

/** Collects rows in blocks and pauses the connection while they aren't read. */
class CopyOut extends CopyQuery {
  #blocks: Buffer[] = []
  #unreadBytes = 0
  #block = Buffer.allocUnsafe(copyBlockBytes)
  #filled = 0
  #done = false
  #error: Error | null = null
  #wake = Promise.withResolvers<void>()

  override handleCopyData({ chunk }: { chunk: Buffer }) {
    if (this.#filled + chunk.length > this.#block.length) this.#flush()
    if (chunk.length > this.#block.length) this.#push(Buffer.from(chunk))
    // pg reuses the buffer of the message.
    else this.#filled += chunk.copy(this.#block, this.#filled)
  }
  override handleError(error: Error) {
    this.#error = error
    this.#wake.resolve()
  }
  override handleReadyForQuery() {
    this.#flush()
    this.#done = true
    this.#wake.resolve()
  }
  #flush() {
    if (this.#filled === 0) return
    const block = this.#block.subarray(0, this.#filled)
    this.#block = Buffer.allocUnsafe(copyBlockBytes)
    this.#filled = 0
    this.#push(block)
  }
  #push(block: Buffer) {
    this.#blocks.push(block)
    this.#unreadBytes += block.length
    if (this.#unreadBytes > maxUnreadBytes) this.connection.stream.pause()
    this.#wake.resolve()
  }

  async *blocks(): AsyncGenerator<Buffer> {
    for (;;) {
      const block = this.#blocks.shift()
      if (block) {
        this.#unreadBytes -= block.length
        yield block
        continue
      }
      if (this.#error) throw this.#error
      if (this.#done) return
      this.#wake = Promise.withResolvers()
      this.connection?.stream.resume()
      await this.#wake.promise
    }
  }
}

class CopyIn extends CopyQuery {
  readonly #blocks: AsyncIterable<Uint8Array>
  readonly #ended = Promise.withResolvers<void>()
  #error: unknown = null

  constructor(text: string, blocks: AsyncIterable<Uint8Array>) {
    super(text)
    this.#blocks = blocks
  }
  done = () => this.#ended.promise

  override handleCopyInResponse() {
    this.#send().catch((error: unknown) => {
      this.#error ??= error
      this.connection.sendCopyFail('The rows could not be read')
    })
  }
  async #send() {
    const { stream } = this.connection
    for await (const block of this.#blocks) {
      if (this.#error) return
      this.connection.sendCopyFromChunk(block)
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), this.#ended.promise.catch(() => {})])
    }
    this.connection.endCopyFrom()
  }
  override handleError(error: Error) {
    // pg drops a failed query, so `handleReadyForQuery` is never called for it.
    this.#error ??= error
    this.#ended.reject(this.#error)
  }
  override handleReadyForQuery() {
    this.#ended.resolve()
  }
}

/** A session on its own connection, without timeouts. */
export async function openPostgresSession(url: string): Promise<CopySession & { close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })
  // Queries fail with the same error.
  client.on('error', () => {})
  await client.connect()
  return {
    maxRowsPerCopy: Number.POSITIVE_INFINITY,
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    execute: async (text) => void (await client.query(text)),
    copyOut: (select) => client.query(new CopyOut(`copy (${select}) to stdout`)).blocks(),
    copyIn: (table, blocks) => client.query(new CopyIn(`copy ${table} from stdin`, blocks)).done(),
    close: () => client.end(),
  }
}

export async function withPostgresSnapshot<T>(url: string, work: (session: CopySession) => Promise<T>): Promise<T> {
  const session = await openPostgresSession(url)
  try {
    await session.execute(`begin; ${snapshotSettings}`)
    return await work(session)
  } finally {
    await session.close()
  }
}
