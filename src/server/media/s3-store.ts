import { AwsClient } from 'aws4fetch'
import type { S3Config } from '#server/config/config.ts'
import { AppError } from '#shared/errors.ts'
import { checkKey } from './object-key.ts'
import type { ObjectStore } from './store.ts'

const patienceMs = 20_000

/** Any store that speaks S3, addressed by path, each request signed (version 4). The bucket stays private: we serve. */
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
      return await client.fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    } catch (cause) {
      throw new AppError('file_store_unavailable', { cause })
    }
  }
  return {
    async put(key, bytes, contentType) {
      // Signed with the hash of the bytes: what was changed on the way is refused by the store.
      const answer = await send(key, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'Content-Type': contentType },
      })
      await answer.body?.cancel()
      if (!answer.ok) throw refusal(answer)
    },
    async delete(key) {
      const answer = await send(key, { method: 'DELETE' })
      await answer.body?.cancel()
      if (!answer.ok && answer.status !== 404) throw refusal(answer)
    },
    async get(key) {
      const answer = await send(key, { method: 'GET' })
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer())
      await answer.body?.cancel()
      if (answer.status === 404) return null
      throw refusal(answer)
    },
  }
}

const refusal = ({ status }: Response) =>
  new AppError('file_store_unavailable', { cause: new Error(`The store answered ${status}`) })
