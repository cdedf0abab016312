import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDiskStore } from '#server/media/disk-store.ts'
import { guideKey, imageKey } from '#server/media/object-key.ts'
import { createS3Store } from '#server/media/s3-store.ts'
import { startS3Server } from './s3-server.ts'
import { openAdmin } from './support.ts'

const hash = 'ab'.repeat(32)
const bytes = new Uint8Array([1, 2, 3, 255])
const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret/with+signs', region: 'eu-central-1' }

describe('a store on disk', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'media-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('stores and returns files, and leaves no partial ones', async () => {
    const store = createDiskStore(directory)
    expect(await store.get(guideKey(hash))).toBeNull()
    await Promise.all([1, 2, 3].map(() => store.put(guideKey(hash), bytes, 'application/pdf')))
    expect(await store.get(guideKey(hash))).toEqual(bytes)
    expect(await readdir(join(directory, 'guides'))).toEqual([hash])
  })

  test('deletes files, and deleting twice is fine', async () => {
    const store = createDiskStore(directory)
    await store.put(guideKey(hash), bytes, 'application/pdf')
    await store.delete(guideKey(hash))
    await store.delete(guideKey(hash))
    expect(await store.get(guideKey(hash))).toBeNull()
  })

  test('rejects keys that leave its folder', async () => {
    const store = createDiskStore(directory)
    for (const key of ['../x', `images/../${hash}`, '/etc/passwd', `images/${hash}.png/..`, `guides/${hash}\0`]) {
      await expect(store.get(key)).rejects.toThrow('Not a key')
      await expect(store.put(key, bytes, 'image/png')).rejects.toThrow('Not a key')
      await expect(store.delete(key)).rejects.toThrow('Not a key')
    }
  })
})

describe('a store that speaks S3', () => {
  let s3: Awaited<ReturnType<typeof startS3Server>>
  beforeAll(async () => {
    s3 = await startS3Server(keys)
  })
  afterEach(() => s3.setOutage(false))
  afterAll(() => s3.close())
  const open = (given = {}) =>
    createS3Store({ kind: 's3', endpoint: s3.endpoint, bucket: 'front-counter', ...keys, ...given })

  test('signs requests, and stores files in the bucket with their type', async () => {
    const store = open()
    await store.put(imageKey(hash, 'png'), bytes, 'image/png')
    expect(s3.refusals).toEqual([])
    expect([...s3.objects.keys()]).toEqual([`/front-counter/images/${hash}.png`])
    expect([...s3.objects.values()]).toMatchObject([{ contentType: 'image/png' }])
    expect(await store.get(imageKey(hash, 'png'))).toEqual(bytes)
    expect(await store.get(guideKey(hash))).toBeNull()
    await store.delete(imageKey(hash, 'png'))
    await store.delete(imageKey(hash, 'png'))
    expect(s3.objects.size).toBe(0)
  })

  test('reports a wrong key, another region or an outage as an error, never as a missing file', async () => {
    const wrong = open({ secretAccessKey: 'another' })
    await expect(wrong.put(guideKey(hash), bytes, 'application/pdf')).rejects.toMatchObject({
      code: 'file_store_unavailable',
    })
    await expect(open({ region: 'us-east-1' }).get(guideKey(hash))).rejects.toMatchObject({
      code: 'file_store_unavailable',
    })
    await expect(wrong.delete(guideKey(hash))).rejects.toMatchObject({ code: 'file_store_unavailable' })
    expect(s3.refusals).toEqual(['signature', 'scope', 'signature'])
    s3.setOutage(true)
    await expect(open().get(guideKey(hash))).rejects.toMatchObject({ code: 'file_store_unavailable', status: 502 })
    await expect(open({ endpoint: 'http://127.0.0.1:9' }).get(guideKey(hash))).rejects.toMatchObject({
      code: 'file_store_unavailable',
    })
  })

  test('serves the images of a server; an outage neither saves broken images nor loses any', async () => {
    const admin = await openAdmin({ store: open() })
    const file = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { body } = await admin.upload('admin-upload-image', { name: 'a.png' }, file)
    const answer = await admin.server.request(String(body.path))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    s3.setOutage(true)
    const other = await sharp(file).negate().png().toBuffer()
    const refused = await admin.upload('admin-upload-image', { name: 'b.png' }, other)
    expect(refused).toMatchObject({ status: 502, body: { code: 'file_store_unavailable' } })
    expect(await admin.ask('admin-delete-image', { hash: body.hash })).toMatchObject({ status: 502 })
    expect((await admin.get<{ items: unknown[] }>('admin-images', {})).items).toHaveLength(1)
    expect((await admin.server.request(String(body.path))).status).toBe(502)
    await admin.server.close()
  })
})
