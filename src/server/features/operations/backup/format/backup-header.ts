import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'

/** Why a backup can't be read: one sentence for the operator. */
export class BackupError extends OperatorError {
  override name = 'BackupError'
}

export const damaged = (cause?: unknown) =>
  new BackupError('The backup is damaged, so nothing was restored. Use another one.', { cause })
export const cutShort = () =>
  new BackupError('The backup is incomplete: its end is missing, so nothing was restored. Use another one.')

/*
 * A backup starts with
 *   the magic bytes, the version of the format (16 bits) and the length of the header (32 bits, big-endian),
 *   the header as JSON, readable without the key,
 *   the SHA-256 of all of this, which the encrypted part authenticates.
 */

const magic = Buffer.from('FCBACKUP')
const formatVersion = 1
const fixedLength = magic.length + 2 + 4
const digestLength = 32
const maxHeaderLength = 64 * 1024

const headerSchema = z.object({
  /** Version of the app that made it. */
  appVersion: z.string(),
  engine: z.enum(['postgres', 'pglite']),
  createdAt: z.iso.datetime(),
  /** The newest migration of the database: its number from 0, and its `when` in the journal. */
  migration: z.object({ number: z.number().int(), when: z.number().int() }),
  /** Identifies the key without revealing it. */
  keyId: z.string(),
  /** Makes the encryption key of each backup different. */
  salt: z.string(),
})
export type BackupHeader = z.infer<typeof headerSchema>

/** 16 characters from the key. */
const keyIdOf = (key: string): string =>
  Buffer.from(hkdfSync('sha256', key, 'front-counter backup', 'id', 12)).toString('base64url')

const encryptionKey = (key: string, salt: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'base64url'), 'front-counter backup', 32))

/** The key that encrypts the chunks after the header, and the digest that binds them to it. */
export type ChunkKey = { key: Buffer; headerDigest: Buffer }

export function createHeader(
  facts: Omit<BackupHeader, 'keyId' | 'salt'>,
  key: string,
): { bytes: Buffer; chunkKey: ChunkKey } {
  const header: BackupHeader = { ...facts, keyId: keyIdOf(key), salt: randomBytes(32).toString('base64url') }
  const json = Buffer.from(JSON.stringify(header))
  const fixed = Buffer.alloc(fixedLength)
  magic.copy(fixed)
  fixed.writeUInt16BE(formatVersion, magic.length)
  fixed.writeUInt32BE(json.length, magic.length + 2)
  const headerDigest = createHash('sha256').update(fixed).update(json).digest()
  return {
    bytes: Buffer.concat([fixed, json, headerDigest]),
    chunkKey: { key: encryptionKey(key, header.salt), headerDigest },
  }
}

type ReadBytes = (length: number) => Promise<Buffer>

/**
 * Reads the header and selects the key.
 * @param read returns fewer bytes at the end of the file
 * @throws BackupError
 */
export async function readHeader(
  read: ReadBytes,
  keys: readonly string[],
): Promise<{ header: BackupHeader; chunkKey: ChunkKey }> {
  const fixed = await read(fixedLength)
  if (!fixed.subarray(0, magic.length).equals(magic.subarray(0, fixed.length))) {
    throw new BackupError('This file isn’t a backup of this software.')
  }
  if (fixed.length < fixedLength) throw cutShort()
  if (fixed.readUInt16BE(magic.length) !== formatVersion) {
    throw new BackupError('The backup is from a newer version. Update, then restore it.')
  }
  const length = fixed.readUInt32BE(magic.length + 2)
  if (length > maxHeaderLength) throw damaged()
  const rest = await read(length + digestLength)
  if (rest.length < length + digestLength) throw cutShort()
  const json = rest.subarray(0, length)
  const headerDigest = createHash('sha256').update(fixed).update(json).digest()
  if (!headerDigest.equals(rest.subarray(length))) throw damaged()
  const header = headerSchema.parse(JSON.parse(json.toString()))
  const key = keys.find((each) => keyIdOf(each) === header.keyId)
  if (!key) {
    throw new BackupError(
      'The backup was encrypted with another BACKUP_KEY. Set that one, or add it to BACKUP_KEY_FORMER.',
    )
  }
  return { header, chunkKey: { key: encryptionKey(key, header.salt), headerDigest } }
}
