import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkKey } from './object-key.ts'

/** Stores images, recordings and guide files. Keys contain the hash of the bytes, so objects never change. */
export type ObjectStore = {
  /** Idempotent. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Does nothing if the key is missing. */
  delete(key: string): Promise<void>
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
}

/** Stores files in a directory. Writes to a temporary file and renames it, so that reads never see a partial file. */
export function createDiskStore(directory: string): ObjectStore {
  return {
    async put(key, bytes) {
      const path = join(directory, checkKey(key))
      await mkdir(dirname(path), { recursive: true })
      const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        await writeFile(temporary, bytes, { flush: true })
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async delete(key) {
      await rm(join(directory, checkKey(key)), { force: true })
    },
    async get(key) {
      try {
        return new Uint8Array(await readFile(join(directory, checkKey(key))))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
  }
}
