import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file of the archive, written to the temporary directory before it is compressed. */
export type SpooledFile = { path: string; source: string; bytes: number; sha256: string; rows?: number }

export type Spool = {
  directory: string
  files: SpooledFile[]
  /** Writes one file in pieces. Adds it to `files` unless it is only needed for another file. */
  write(
    path: string,
    pieces: AsyncIterable<string> | Iterable<string>,
    options?: { rows?: () => number },
  ): Promise<SpooledFile>
  remove(): Promise<void>
}

/** Pieces are joined until they have about this length, so that small ones don't cost a system call each. */
const bufferLength = 256 * 1024

export async function openSpool(): Promise<Spool> {
  const directory = await mkdtemp(join(tmpdir(), 'archive-'))
  const files: SpooledFile[] = []
  let count = 0
  return {
    directory,
    files,
    async write(path, pieces, { rows } = {}) {
      count += 1
      const source = join(directory, String(count))
      const handle = await open(source, 'wx', 0o600)
      try {
        const written = await writePieces(handle, pieces)
        const file = { path, source, ...written, ...(rows && { rows: rows() }) }
        files.push(file)
        return file
      } finally {
        await handle.close()
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function writePieces(handle: FileHandle, pieces: AsyncIterable<string> | Iterable<string>) {
  const hash = createHash('sha256')
  let bytes = 0
  let text = ''
  const flush = async () => {
    const chunk = Buffer.from(text)
    text = ''
    hash.update(chunk)
    bytes += chunk.byteLength
    await handle.write(chunk)
  }
  for await (const piece of pieces) {
    text += piece
    if (text.length >= bufferLength) await flush()
  }
  await flush()
  return { bytes, sha256: hash.digest('hex') }
}
