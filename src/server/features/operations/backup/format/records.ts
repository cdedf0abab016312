import { z } from 'zod'
import { damaged } from './backup-header.ts'
import type { ByteReader } from './encrypted-chunks.ts'

/*
 * Decrypted and decompressed, a backup is a sequence of records: kind (one letter), length (32 bits), content.
 *   T  a table starts: name and columns as JSON. Its rows follow.
 *   R  whole rows in the text format of COPY
 *   F  a file starts: key and content type as JSON. Its bytes follow.
 *   B  bytes of the file
 *   M  the manifest as JSON, the last record
 */

const digest = z.string().length(64)
const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) })
const fileSchema = z.object({ key: z.string(), contentType: z.string() })

export const manifestSchema = z.object({
  /** `rows` counts them, `sha256` is the hash of all R records. */
  tables: z.array(tableSchema.extend({ rows: z.number().int(), sha256: digest })),
  /** Last values of sequences; null if never used. */
  sequences: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  files: z.array(fileSchema.extend({ bytes: z.number().int(), sha256: digest })),
  /** Keys of files that the file store didn't have. */
  missingFiles: z.array(z.string()),
  /** Identifies the SECRET_KEY that stored secrets are encrypted with. */
  secretKeyId: z.string(),
  /** The key itself, if the data directory contains it; null if it is a variable. */
  secretKey: z.string().nullable(),
})

export type TableStart = z.infer<typeof tableSchema>
export type FileStart = z.infer<typeof fileSchema>
export type Manifest = z.infer<typeof manifestSchema>

export type BackupRecord =
  | { kind: 'T'; table: TableStart }
  | { kind: 'R'; rows: Buffer }
  | { kind: 'F'; file: FileStart }
  | { kind: 'B'; bytes: Buffer }
  | { kind: 'M'; manifest: Manifest }

const prefix = (kind: BackupRecord['kind'], length: number) => {
  const bytes = Buffer.alloc(5)
  bytes.write(kind, 'latin1')
  bytes.writeUInt32BE(length, 1)
  return bytes
}

export function* encodeRecord(record: BackupRecord): Generator<Buffer> {
  const content = contentOf(record)
  yield prefix(record.kind, content.length)
  yield content
}

function contentOf(record: BackupRecord): Buffer {
  switch (record.kind) {
    case 'T':
      return Buffer.from(JSON.stringify(record.table))
    case 'R':
      return record.rows
    case 'F':
      return Buffer.from(JSON.stringify(record.file))
    case 'B':
      return record.bytes
    case 'M':
      return Buffer.from(JSON.stringify(record.manifest))
  }
}

export async function* decodeRecords(reader: ByteReader): AsyncGenerator<BackupRecord> {
  for (;;) {
    const start = await reader.read(5)
    if (start.length === 0) return
    const length = start.length === 5 ? start.readUInt32BE(1) : 0
    const content = await reader.read(length)
    if (start.length < 5 || content.length < length) throw damaged()
    yield parseRecord(start.toString('latin1', 0, 1), content)
  }
}

function parseRecord(kind: string, content: Buffer): BackupRecord {
  const json = (): unknown => JSON.parse(content.toString())
  switch (kind) {
    case 'T':
      return { kind, table: tableSchema.parse(json()) }
    case 'R':
      return { kind, rows: content }
    case 'F':
      return { kind, file: fileSchema.parse(json()) }
    case 'B':
      return { kind, bytes: content }
    case 'M':
      return { kind, manifest: manifestSchema.parse(json()) }
    default:
      throw damaged()
  }
}
