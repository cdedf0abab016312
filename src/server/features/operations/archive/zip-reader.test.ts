import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yazl from 'yazl'
import { openZip, type ZipLimits } from './zip-reader.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zip-reader-test-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

type Entry = { path: string; bytes: Buffer; mode?: number }

async function zipOf(entries: readonly Entry[]): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const { path, bytes, mode } of entries) zip.addBuffer(bytes, path, mode ? { mode } : {})
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as Readable) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const text = (path: string, content = 'x'): Entry => ({ path, bytes: Buffer.from(content) })

async function open(zip: Buffer, limits: Partial<ZipLimits> = {}) {
  const file = join(directory, `${crypto.randomUUID()}.zip`)
  await writeFile(file, zip)
  return openZip(file, { maxEntries: 10, maxTotalBytes: 10_000_000, ...limits })
}

/** Overwrites bytes of the entry in its own header and in the directory at the end, which both describe it. */
function patchHeaders(zip: Buffer, patch: { local: [offset: number, value: number]; central: [number, number] }) {
  const changed = Buffer.from(zip)
  const local = changed.indexOf(Buffer.from([0x50, 0x4b, 3, 4]))
  const central = changed.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  changed.writeUInt32LE(patch.local[1], local + patch.local[0])
  changed.writeUInt32LE(patch.central[1], central + patch.central[0])
  return changed
}

test('reads a zip file', async () => {
  const zip = await open(await zipOf([text('a/b.md', 'Hello')]))
  expect(zip.paths).toEqual(['a/b.md'])
  expect(String(await zip.read('a/b.md', 5))).toBe('Hello')
  await expect(zip.read('a/b.md', 4)).rejects.toThrow('a/b.md is too large')
  await expect(zip.open('../a/b.md')).rejects.toThrow('is missing')
  zip.close()
})

test('refuses a file that unpacks to far more than its size, and files that together unpack to more than the limit', async () => {
  const zeros = { path: 'bomb.md', bytes: Buffer.alloc(5_000_000) }
  await expect(open(await zipOf([zeros]))).rejects.toThrow('bomb.md unpacks to far more than its size')
  const small = Array.from({ length: 9 }, (_, n) => ({ path: `${n}.md`, bytes: Buffer.alloc(900_000) }))
  await expect(open(await zipOf(small), { maxTotalBytes: 8_000_000 })).rejects.toThrow('more than the limit')
})

test('never unpacks more than the directory declares', async () => {
  const bytes = Buffer.alloc(900_000)
  const declared = patchHeaders(await zipOf([{ path: 'liar.md', bytes }]), { local: [22, 100], central: [24, 100] })
  const zip = await open(declared)
  await expect(zip.read('liar.md', 1_000)).rejects.toThrow()
  zip.close()
})

test('leaves a zip file in a zip file packed', async () => {
  const inner = await zipOf([{ path: 'bomb.md', bytes: Buffer.alloc(5_000_000) }])
  const zip = await open(await zipOf([{ path: 'inner.zip', bytes: inner }]))
  expect(zip.bytesOf('inner.zip')).toBe(inner.byteLength)
  zip.close()
})

test('refuses symbolic links', async () => {
  const link = { path: 'posts.csv', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }
  await expect(open(await zipOf([link]))).rejects.toThrow('posts.csv is a link to another file')
})

test('refuses more entries than the limit, folders included, and two files of one name', async () => {
  const files = Array.from({ length: 11 }, (_, n) => text(`${n}.md`))
  await expect(open(await zipOf(files))).rejects.toThrow('more than 10 files')
  await expect(open(await zipOf(files), { maxEntries: 11 })).resolves.toMatchObject({ paths: { length: 11 } })
  const zip = new yazl.ZipFile()
  for (let n = 0; n < 11; n += 1) zip.addEmptyDirectory(`${n}`)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream as Readable) chunks.push(chunk as Buffer)
  await expect(open(Buffer.concat(chunks))).rejects.toThrow('more than 10 files')
  await expect(open(await zipOf([text('a.md'), text('a.md')]))).rejects.toThrow('a.md twice')
})

test.each(['../evil.md', '/xx/evil.md', 'C:/vil.md'])('refuses the path %s', async (path) => {
  const zip = await zipOf([text('a'.repeat(path.length))])
  const changed = Buffer.from(zip.toString('latin1').replaceAll('a'.repeat(path.length), path), 'latin1')
  await expect(open(changed)).rejects.toThrow(`${path} leads out of the file`)
})

test('refuses encrypted files', async () => {
  const zip = await zipOf([text('a.md')])
  const flags = zip.readUInt16LE(6) | 1
  zip.writeUInt16LE(flags, 6)
  zip.writeUInt16LE(flags, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 8)
  await expect(open(zip)).rejects.toThrow('a.md is encrypted')
})

test('says in plain words that a file was cut or is no zip file', async () => {
  const zip = await zipOf([text('a.md', 'Hello. '.repeat(100)), text('b.md')])
  for (const broken of [zip.subarray(0, -30), zip.subarray(0, 40), deflateRawSync(Buffer.alloc(1_000))]) {
    await expect(open(broken)).rejects.toThrow('It’s incomplete or damaged')
  }
})
