import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

export async function hashStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

export const hashFile = (path: string) => hashStream(createReadStream(path))
