import { createHash } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import type { ObjectStore } from './disk-store.ts'
import { partKey } from './object-key.ts'

/** A file in parts, since the object store takes and gives objects as a whole. */
export type StoredParts = { parts: number; bytes: number; sha256: string }

export const partBytes = 8 * 1024 * 1024

/** Stores what is written to `output`. `result` is complete when it has finished. */
export function createPartWriter(store: ObjectStore, id: string): { output: Writable; result(): StoredParts } {
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let pending = 0
  let parts = 0
  let bytes = 0
  const flush = async () => {
    const part = Buffer.concat(chunks)
    chunks = []
    pending = 0
    await store.put(partKey(id, parts), part, 'application/octet-stream')
    parts += 1
  }
  const output = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.byteLength
      pending += chunk.byteLength
      chunks.push(chunk)
      try {
        if (pending >= partBytes) await flush()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    async final(done) {
      try {
        if (pending > 0) await flush()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  return { output, result: () => ({ parts, bytes, sha256: hash.copy().digest('hex') }) }
}

/** @throws Error if a part is missing */
export const readParts = (store: ObjectStore, id: string, parts: number): Readable =>
  Readable.from(
    (async function* () {
      for (let part = 0; part < parts; part += 1) {
        const bytes = await store.get(partKey(id, part))
        if (!bytes) throw new Error(`Part ${part} of ${id} is missing`)
        yield Buffer.from(bytes)
      }
    })(),
    { objectMode: false },
  )

/** Does nothing for parts that are missing. */
export async function deleteParts(store: ObjectStore, id: string, parts: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) await store.delete(partKey(id, part))
}
