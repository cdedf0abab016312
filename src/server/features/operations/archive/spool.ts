import { type Cipheriv, createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A file of the archive, written to the temporary directory before it is compressed. */
export type SpooledFile = { path: string; bytes: number; sha256: string; rows?: number; read: () => Readable }

/** Either text or bytes: joined texts would fall behind bytes that come after them. */
type Pieces = Iterable<string> | AsyncIterable<string> | AsyncIterable<Uint8Array>

export type Spool = {
  files: SpooledFile[]
  /** Writes one file in pieces and adds it to `files`. */
  write(path: string, pieces: Pieces, options?: { rows?: () => number }): Promise<SpooledFile>
  remove(): Promise<void>
}

/** Pieces of text are joined until they have about this length, so that small ones don't cost a system call each. */
const bufferLength = 256 * 1024

const algorithm = 'aes-256-ctr'

/** Encrypts the files with a key that only this process has, so that a crash leaves nothing readable. */
export async function openSpool(): Promise<Spool> {
  const directory = await mkdtemp(join(tmpdir(), 'archive-'))
  const key = randomBytes(32)
  const files: SpooledFile[] = []
  let count = 0
  return {
    files,
    async write(path, pieces, { rows } = {}) {
      count += 1
      const source = join(directory, String(count))
      const iv = randomBytes(16)
      const handle = await open(source, 'wx', 0o600)
      try {
        const written = await writePieces(handle, createCipheriv(algorithm, key, iv), pieces)
        const read = () => createReadStream(source).compose(createDecipheriv(algorithm, key, iv))
        const file = { path, ...written, read, ...(rows && { rows: rows() }) }
        files.push(file)
        return file
      } finally {
        await handle.close()
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function writePieces(handle: FileHandle, cipher: Cipheriv, pieces: Pieces) {
  const hash = createHash('sha256')
  let bytes = 0
  let text = ''
  const write = async (chunk: Uint8Array) => {
    hash.update(chunk)
    bytes += chunk.byteLength
    await handle.write(cipher.update(chunk))
  }
  const flush = () => {
    const chunk = Buffer.from(text)
    text = ''
    return write(chunk)
  }
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else await write(piece)
    if (text.length >= bufferLength) await flush()
  }
  await flush()
  return { bytes, sha256: hash.digest('hex') }
}
