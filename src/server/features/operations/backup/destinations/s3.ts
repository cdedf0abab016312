import { mkdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import type { Config, S3Config } from '#server/config/config.ts'
import { backupTime } from '../backup-name.ts'
import { BackupError } from '../format/backup-header.ts'
import { type BackupDestination, createFolderDestination } from './folder.ts'

/** With at most 10,000 parts, a backup can have 156 GiB. One part at a time is in memory. */
const defaultPartBytes = 16 * 1024 * 1024
const timeoutMs = 120_000

type Send = (path: string, init?: RequestInit & { query?: Record<string, string> }) => Promise<Response>

/** Any S3-compatible store with path-style URLs. Uploads in parts, so that an object appears only when it is complete. */
export function createS3Destination(
  config: S3Config & { prefix: string },
  folder: string,
  { partBytes = defaultPartBytes, retries = 4 } = {},
): BackupDestination {
  const label = `s3://${config.bucket}/${config.prefix}`
  const send = createSender(config, label, retries)
  const pathOf = (name: string) => `/${config.prefix}${name}`.split('/').map(encodeURIComponent).join('/')
  const readText = async (response: Response) => {
    const text = await response.text()
    if (response.ok) return text
    throw new BackupError(`The store ${label} responded with ${response.status}. Check bucket and prefix.`)
  }

  async function uploadParts(file: string, path: string, uploadId: string) {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const parts: string[] = []
      for (let at = 0; at < size; at += partBytes) {
        const body = Buffer.alloc(Math.min(partBytes, size - at))
        await handle.read(body, 0, body.length, at)
        const partNumber = parts.length + 1
        const response = await send(path, {
          method: 'PUT',
          query: { partNumber: String(partNumber), uploadId },
          body,
        })
        await readText(response)
        const tag = response.headers.get('ETag') ?? ''
        parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${tag}</ETag></Part>`)
      }
      return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    } finally {
      await handle.close()
    }
  }

  return {
    label,
    get workFolder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    async list() {
      const found: { name: string; bytes: number }[] = []
      for (let token = ''; ; ) {
        const query = { 'list-type': '2', prefix: config.prefix, ...(token && { 'continuation-token': token }) }
        const text = await readText(await send('', { query }))
        for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const name = tagOf(entry, 'Key').slice(config.prefix.length)
          if (backupTime(name)) found.push({ name, bytes: Number(tagOf(entry, 'Size')) })
        }
        token = tagOf(text, 'NextContinuationToken')
        if (!token) return found.sort((a, b) => (a.name < b.name ? -1 : 1))
      }
    },
    async save(file, name) {
      const path = pathOf(name)
      const started = await readText(await send(path, { method: 'POST', query: { uploads: '' } }))
      const uploadId = tagOf(started, 'UploadId')
      try {
        const body = await uploadParts(file, path, uploadId)
        const completed = await readText(await send(path, { method: 'POST', query: { uploadId }, body }))
        // S3 can report an error after it has started a response with status 200.
        if (completed.includes('<Error>')) throw new BackupError(`The store ${label} couldn’t complete the upload.`)
      } catch (error) {
        await send(path, { method: 'DELETE', query: { uploadId } }).catch(() => {})
        throw error
      }
      await rm(file, { force: true })
    },
    async fetch(name) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${name}.fetched`)
      const target = await open(file, 'w', 0o600)
      try {
        for (let at = 0, size = 1; at < size; at += partBytes) {
          const response = await send(pathOf(name), { headers: { Range: `bytes=${at}-${at + partBytes - 1}` } })
          if (response.status === 404) throw new BackupError(`There is no backup ${name} in ${label}.`)
          const bytes = Buffer.from(await response.arrayBuffer())
          size = Number(response.headers.get('Content-Range')?.split('/')[1] ?? bytes.length)
          await target.write(bytes)
          // A store that ignores ranges sends everything.
          if (response.status === 200) break
        }
        await target.sync()
      } finally {
        await target.close()
      }
      return { file, isTemporary: true }
    },
    delete: async (name) => void (await (await send(pathOf(name), { method: 'DELETE' })).body?.cancel()),
  }
}

/** Sends signed requests with retries. Status 404 is left to the caller. */
function createSender(config: S3Config, label: string, retries: number): Send {
  const client = new AwsClient({
    accessKeyId: config.accessKeyId,
    secretAccessKey: config.secretAccessKey,
    region: config.region,
    service: 's3',
    retries,
  })
  return async (path, { query, ...request } = {}) => {
    const url = `${config.endpoint}/${config.bucket}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
    let response: Response
    try {
      response = await client.fetch(url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
    } catch (cause) {
      throw new BackupError(`The store ${label} can’t be reached.`, { cause })
    }
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new BackupError(`The store ${label} responded with ${response.status}.`)
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** Content of an XML element. */
const tagOf = (xml: string, tag: string): string =>
  (new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(xml)?.[1] ?? '').replaceAll(
    /&\w+;/g,
    (each) => entities[each] ?? each,
  )

/** No I/O until the first call. */
export const openDestination = ({
  backup,
  dataDirectory,
}: Pick<Config, 'backup' | 'dataDirectory'>): BackupDestination =>
  backup.destination.kind === 's3'
    ? createS3Destination(backup.destination, `${dataDirectory}/unsent-backups`)
    : createFolderDestination(backup.destination.directory)
