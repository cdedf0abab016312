import { PGlite, type Transaction } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type CopySession, copyBlockBytes, snapshotSettings } from './copy-session.ts'

/** About 20 MB of the largest table. */
const maxRowsPerCopy = 20_000

const newline = 10

export const pgliteSession = (client: PGlite | Transaction): CopySession => ({
  maxRowsPerCopy,
  query: async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(text, [...values])).rows,
  execute: async (text) => void (await client.exec(text)),
  async *copyOut(select) {
    const { blob } = await client.query(`copy (${select}) to '/dev/blob'`)
    // An empty table has none.
    if (!blob) return
    const bytes = Buffer.from(await blob.arrayBuffer())
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(newline, Math.min(start + copyBlockBytes, bytes.length - 1)) + 1
      yield bytes.subarray(start, end)
      start = end
    }
  },
  async copyIn(table, blocks) {
    for await (const block of blocks) {
      await client.query(`copy ${table} from '/dev/blob'`, [], { blob: new Blob([Uint8Array.from(block)]) })
    }
  },
})

/** Other queries of the process wait until `work` is done. */
export const withPgliteSnapshot = <T>(client: PGlite, work: (session: CopySession) => Promise<T>): Promise<T> =>
  client.transaction(async (tx) => {
    await tx.exec(snapshotSettings)
    return work(pgliteSession(tx))
  })

/** Opens an empty database, in memory without a directory. Doesn't migrate. */
export async function openPgliteSession(directory?: string): Promise<CopySession & { close(): Promise<void> }> {
  const client = await PGlite.create({ ...(directory && { dataDir: directory }), extensions: { pg_trgm } })
  return { ...pgliteSession(client), close: () => client.close() }
}
