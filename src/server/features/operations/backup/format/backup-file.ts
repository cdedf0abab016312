import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupError, type BackupHeader, createHeader, damaged, readHeader } from './backup-header.ts'
import { ByteReader, decryptChunks, encryptChunks } from './encrypted-chunks.ts'
import { type BackupRecord, decodeRecords, encodeRecord, type Manifest } from './records.ts'

/** Level 3 is zstd's default. Its checksum isn't needed, because every chunk is authenticated. */
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Compresses, encrypts and writes the records to a new file, which is flushed to disk. */
export async function writeBackupFile(
  path: string,
  facts: Omit<BackupHeader, 'keyId' | 'salt'>,
  key: string,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const { bytes, chunkKey } = createHeader(facts, key)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await once(file, 'open')
  file.write(bytes)
  const plain = async function* () {
    for await (const record of records) yield* encodeRecord(record)
  }
  await pipeline(
    Readable.from(plain(), { objectMode: false }),
    createZstdCompress(zstd),
    (compressed: AsyncIterable<Buffer>) => encryptChunks(chunkKey, compressed),
    file,
  )
}

export type OpenBackup = {
  header: BackupHeader
  /** Starts from the first record on each call. @throws BackupError as soon as a record is damaged */
  records(): AsyncGenerator<BackupRecord>
}

/**
 * Opens a backup file. Reads only its header.
 * @throws BackupError
 */
export async function openBackupFile(path: string, keys: readonly string[]): Promise<OpenBackup> {
  const open = async () => {
    const reader = new ByteReader(createReadStream(path, { highWaterMark: 1024 * 1024 }))
    try {
      return { reader, ...(await readHeader((length) => reader.read(length), keys)) }
    } catch (error) {
      await reader.close()
      throw error
    }
  }
  const { reader: first, header } = await open()
  await first.close()
  return {
    header,
    async *records() {
      const { reader, chunkKey } = await open()
      // An error of the first stream reaches the reader, because `compose` destroys the second one with it.
      const plain = Readable.from(decryptChunks(chunkKey, reader), { objectMode: false }).compose(
        createZstdDecompress(),
      ) as unknown as AsyncIterable<Buffer>
      try {
        yield* decodeRecords(new ByteReader(plain))
      } catch (error) {
        throw error instanceof BackupError ? error : damaged(error)
      } finally {
        await reader.close()
      }
    },
  }
}

/**
 * Reads the whole backup and compares it with its manifest.
 * @throws BackupError
 */
export async function verifyBackup(backup: OpenBackup): Promise<Manifest> {
  const tables: Manifest['tables'] = []
  const files: Manifest['files'] = []
  let hash = createHash('sha256')
  let finish = () => {}
  for await (const record of backup.records()) {
    if (record.kind === 'R') {
      hash.update(record.rows)
      const table = tables.at(-1)
      if (table) table.rows += countRows(record.rows)
      continue
    }
    if (record.kind === 'B') {
      hash.update(record.bytes)
      const file = files.at(-1)
      if (file) file.bytes += record.bytes.length
      continue
    }
    finish()
    hash = createHash('sha256')
    if (record.kind === 'T') {
      const table = { ...record.table, rows: 0, sha256: '' }
      tables.push(table)
      finish = () => {
        table.sha256 = hash.digest('hex')
      }
    } else if (record.kind === 'F') {
      const file = { ...record.file, bytes: 0, sha256: '' }
      files.push(file)
      finish = () => {
        file.sha256 = hash.digest('hex')
      }
    } else {
      const { manifest } = record
      if (JSON.stringify([manifest.tables, manifest.files]) !== JSON.stringify([tables, files])) throw damaged()
      return manifest
    }
  }
  throw damaged()
}

/** In COPY's text format, line breaks inside values are escaped. */
export function countRows(rows: Buffer): number {
  let count = 0
  for (let at = rows.indexOf(10); at !== -1; at = rows.indexOf(10, at + 1)) count += 1
  return count
}
