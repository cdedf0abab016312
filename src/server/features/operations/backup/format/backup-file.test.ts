import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, openBackupFile, verifyBackup, writeBackupFile } from './backup-file.ts'
import type { BackupRecord, Manifest } from './records.ts'

const key = 'a backup key that is long enough for tests'
const facts = {
  appVersion: '1.0.0',
  engine: 'pglite',
  createdAt: '2026-11-22T03:17:00.000Z',
  migration: { number: 45, when: 1 },
} as const

/** Random text, so that it can't be compressed and the file has several chunks. */
const rows = Buffer.from(
  randomBytes(1_200_000)
    .toString('base64')
    .replaceAll(/(.{80})/g, '$1\n'),
)
const file = randomBytes(1_000_000)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const manifest: Manifest = {
  tables: [
    { name: 'public.a', columns: ['id', 'body'], rows: countRows(rows), sha256: hashOf(rows) },
    { name: 'public.b', columns: ['id'], rows: 0, sha256: hashOf(Buffer.alloc(0)) },
  ],
  sequences: [{ name: 'public.a_seq', value: '7' }],
  files: [{ key: 'images/a', contentType: 'image/png', bytes: file.length, sha256: hashOf(file) }],
  missingFiles: [],
  secretKeyId: 'id',
  secretKey: null,
}

async function* records(last: Manifest = manifest): AsyncGenerator<BackupRecord> {
  const [a, b] = manifest.tables
  const [saved] = manifest.files
  if (!a || !b || !saved) return
  yield { kind: 'T', table: { name: a.name, columns: a.columns } }
  yield { kind: 'R', rows: rows.subarray(0, 500_000) }
  yield { kind: 'R', rows: rows.subarray(500_000) }
  yield { kind: 'T', table: { name: b.name, columns: b.columns } }
  yield { kind: 'F', file: { key: saved.key, contentType: saved.contentType } }
  yield { kind: 'B', bytes: file }
  yield { kind: 'M', manifest: last }
}

describe('A backup file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-backup-'))
  const path = join(directory, 'whole')
  let whole: Buffer
  beforeAll(async () => {
    await writeBackupFile(path, facts, key, records())
    whole = readFileSync(path)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  const verify = async (bytes: Buffer, keys = [key]) => {
    const changed = join(directory, 'changed')
    writeFileSync(changed, bytes)
    return verifyBackup(await openBackupFile(changed, keys))
  }

  test('returns the records as they were written', async () => {
    const backup = await openBackupFile(path, ['an earlier key, which is also long enough', key])
    expect(backup.header).toMatchObject(facts)
    expect(await verifyBackup(backup)).toEqual(manifest)
    const collect = async (all: AsyncIterable<BackupRecord>) => {
      const collected: BackupRecord[] = []
      for await (const record of all) collected.push(record)
      return collected
    }
    expect(await collect(backup.records())).toEqual(await collect(records()))
  })

  test('doesn’t contain its rows in the clear', () => {
    expect(whole.includes(rows.subarray(0, 20))).toBe(false)
    expect(whole.includes('public.a')).toBe(false)
  })

  test('is refused after a byte was flipped anywhere', async () => {
    const position = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: whole.length - 1 }))
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const flipped = Buffer.from(whole)
        flipped.writeUInt8(flipped.readUInt8(at) ^ mask, at)
        await expect(verify(flipped)).rejects.toThrow(/^(The backup|This file)/)
      }),
      { numRuns: 60 },
    )
  })

  test('is refused when it was cut at a chunk’s end, or anywhere else', async () => {
    const ends: number[] = []
    const headerLength = 8 + 2 + 4 + whole.readUInt32BE(10) + 32
    for (let at = headerLength; at < whole.length; at += 4 + (whole.readUInt32BE(at) % 0x8000_0000) + 16) ends.push(at)
    expect(ends.length).toBeGreaterThan(2)
    for (const end of [
      ...ends,
      ...ends.map((each) => each + 2),
      ...ends.map((each) => each - 1),
      whole.length - 1,
      5,
    ]) {
      await expect(verify(whole.subarray(0, end)), `cut at ${end}`).rejects.toThrow('its end is missing')
    }
    await expect(verify(Buffer.alloc(0))).rejects.toThrow('its end is missing')
  })

  test('is refused with something added, or with chunks in another order', async () => {
    await expect(verify(Buffer.concat([whole, Buffer.from([0])]))).rejects.toThrow('damaged')
    const headerLength = 8 + 2 + 4 + whole.readUInt32BE(10) + 32
    const chunk = 4 + whole.readUInt32BE(headerLength) + 16
    const [header, one, two, rest] = [
      whole.subarray(0, headerLength),
      whole.subarray(headerLength, headerLength + chunk),
      whole.subarray(headerLength + chunk, headerLength + 2 * chunk),
      whole.subarray(headerLength + 2 * chunk),
    ]
    await expect(verify(Buffer.concat([header, two, one, rest]))).rejects.toThrow('damaged')
    await expect(verify(Buffer.concat([header, two, rest]))).rejects.toThrow('damaged')
  })

  test('is refused with another key, and if a newer version made its format', async () => {
    await expect(verify(whole, ['another key, which is long enough as well'])).rejects.toThrow('another BACKUP_KEY')
    const newer = Buffer.from(whole)
    newer.writeUInt16BE(2, 8)
    await expect(verify(newer)).rejects.toThrow('from a newer version')
    await expect(verify(Buffer.from('PK\u0003\u0004 something else'))).rejects.toThrow(
      'isn’t a backup of this software',
    )
  })

  test('is refused if it doesn’t contain what its manifest says', async () => {
    const lying = join(directory, 'lying')
    const [table] = manifest.tables
    const fewer = { ...manifest, tables: [{ ...table, rows: 3 } as Manifest['tables'][number]] }
    await writeBackupFile(lying, facts, key, records(fewer))
    await expect(verifyBackup(await openBackupFile(lying, [key]))).rejects.toThrow('damaged')
  })
})
