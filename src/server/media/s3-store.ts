import { AwsClient } from 'aws4fetch'
import type { MediaConfig, S3Config } from '#server/config/config.ts'
import { AppError } from '#shared/errors.ts'
import { createDiskStore, type ObjectStore } from './disk-store.ts'
import { checkKey } from './object-key.ts'

const timeoutMs = 20_000

/** Any S3-compatible store, with path-style URLs and Signature Version 4. The bucket can stay private. */
export function createS3Store(config: S3Config): ObjectStore {
  const client = new AwsClient({
    accessKeyId: config.accessKeyId,
    secretAccessKey: config.secretAccessKey,
    region: config.region,
    service: 's3',
    retries: 2,
  })
  const send = async (key: string, init: RequestInit) => {
    const url = `${config.endpoint}/${config.bucket}/${checkKey(key)}`
    try {
      return await client.fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    } catch (cause) {
      throw new AppError('file_store_unavailable', { cause })
    }
  }
  return {
    async put(key, bytes, contentType) {
      // The signature covers a hash of the bytes, so the store rejects corrupted uploads.
      const response = await send(key, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'Content-Type': contentType },
      })
      await response.body?.cancel()
      if (!response.ok) throw storeError(response)
    },
    async delete(key) {
      const response = await send(key, { method: 'DELETE' })
      await response.body?.cancel()
      if (!response.ok && response.status !== 404) throw storeError(response)
    },
    async get(key) {
      const response = await send(key, { method: 'GET' })
      if (response.ok) return new Uint8Array(await response.arrayBuffer())
      await response.body?.cancel()
      if (response.status === 404) return null
      throw storeError(response)
    },
  }
}

const storeError = ({ status }: Response) =>
  new AppError('file_store_unavailable', { cause: new Error(`The store responded with ${status}`) })

/** No I/O until the first call. */
export const openStore = (config: MediaConfig): ObjectStore =>
  config.kind === 's3' ? createS3Store(config) : createDiskStore(config.directory)
