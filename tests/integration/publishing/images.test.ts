import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailings, mediaImage } from '#server/db/schema/index.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { imageLimits, type MediaImage } from '#shared/contracts/publishing/publishing-library.ts'
import { drop, openAdmin, section } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

const send = (file: Uint8Array, name = 'photo.png') => admin.upload('admin-upload-image', { name }, file)
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f5d50' } })
const fetchMedia = (path: unknown) => admin.server.request(String(path))
const imageCount = async () => (await admin.get<{ items: unknown[] }>('admin-images', {})).items.length

describe('an uploaded image', () => {
  test('loses its metadata, is rotated upright and scaled down', async () => {
    const photo = await plain(3_000, 1_500)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
      .toBuffer()
    const { status, body } = await send(photo, 'IMG_0001.heic')
    expect([status, body]).toMatchObject([200, { width: 1_200, height: 2_400, originalName: 'IMG_0001.heic' }])
    const answer = await fetchMedia(body.path)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.includes('SecretCamera')).toBe(false)
    const facts = await sharp(bytes).metadata()
    expect(facts).toMatchObject({ format: 'jpeg', width: 1_200, height: 2_400 })
    expect([facts.exif, facts.icc, facts.xmp, facts.iptc, facts.orientation]).toEqual(Array(5).fill(undefined))
  })

  test.each([1, 2])('is accepted as a JPEG that lacks the last %i bytes, which mark its end', async (missing) => {
    const whole = await plain(240, 160).jpeg().toBuffer()
    const { status, body } = await send(whole.subarray(0, whole.length - missing), 'photo.jpg')
    expect([status, body]).toMatchObject([200, { width: 240, height: 160 }])
  })

  test('is served by its hash, cacheable forever, with a strict policy', async () => {
    const { body } = await send(await plain(40, 30).png().toBuffer())
    expect(body.path).toBe(`/media/${body.hash}.png`)
    const answer = await fetchMedia(body.path)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(answer.headers.get('content-length')).toBe(String(body.bytes))
    const again = await admin.server.request(String(body.path), {
      headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('is stored once when uploaded twice; WebP and GIF are converted for email clients', async () => {
    const png = await plain(50, 50).png().toBuffer()
    const first = await send(png)
    const before = await imageCount()
    expect((await send(png, 'again.png')).body).toEqual(first.body)
    expect(await imageCount()).toBe(before)
    const webp = await send(await plain(60, 60).webp().toBuffer())
    expect(webp.body.path).toMatch(/\.jpg$/)
    const gif = await send(await plain(70, 70).gif().toBuffer())
    expect(gif.body.path).toMatch(/\.png$/)
  })
})

test('the list is paged, newest first, without duplicates, and rejects invalid cursors', async () => {
  const other = await openAdmin()
  const createdAt = new Date()
  await other.server.database.db.insert(mediaImage).values(
    Array.from({ length: 100 }, (_, n) => ({
      hash: n.toString(16).padStart(64, '0'),
      contentType: 'image/png',
      width: 1,
      height: 1,
      bytes: 1,
      originalName: `${n}.png`,
      // Sixty with the same timestamp, more than one page.
      createdAt: new Date(createdAt.getTime() + Math.max(0, n - 60)),
    })),
  )
  type Page = { items: MediaImage[]; nextCursor: string | null }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Page = await other.get('admin-images', { cursor })
    seen.push(...page.items.map(({ originalName }) => originalName))
    cursor = page.nextCursor
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => `${99 - n}.png`))
  for (const made of ['x', new Date().toISOString(), `${new Date().toISOString()} ${'a'.repeat(64)}`]) {
    expect(await other.ask('admin-images', { cursor: made })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
  await other.server.close()
})

describe('deleting an image', () => {
  let shade = 0
  const upload = async () => {
    const color = `#${(++shade).toString(16).padStart(6, '0')}`
    const file = await sharp({ create: { width: 20, height: 20, channels: 3, background: color } })
      .png()
      .toBuffer()
    return (await send(file)).body as unknown as MediaImage
  }
  const remove = ({ hash }: MediaImage, who = admin.ann) => admin.ask('admin-delete-image', { hash }, who)
  const markdown = ({ path }: MediaImage) => `![The till](${path}#20x20)`
  const write = async (title: string, intro: string) => {
    const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
    const { body } = await admin.save(made, drop({ title, slug: made.id, intro }))
    return body as unknown as StoredDocument
  }

  test('deletes the file too if nothing uses it, and it can be uploaded again', async () => {
    const image = await upload()
    const before = await imageCount()
    expect((await fetchMedia(image.path)).status).toBe(200)
    expect(await remove(image)).toMatchObject({ status: 200 })
    expect((await fetchMedia(image.path)).status).toBe(404)
    expect(await imageCount()).toBe(before - 1)
    expect(await remove(image)).toMatchObject({ status: 404 })
    shade -= 1
    expect((await upload()).hash).toBe(image.hash)
    expect((await fetchMedia(image.path)).status).toBe(200)
  })

  test('fails while a draft, published text, block or mailing uses it, and names each', async () => {
    const image = await upload()
    const refused = (title: string, kind: string) =>
      expect(remove(image)).resolves.toMatchObject({
        status: 409,
        body: {
          code: 'image_in_use',
          error: expect.stringContaining(`“${title}”`),
          usedIn: [{ kind, title }],
        },
      })
    const written = await write('With a till', markdown(image))
    await refused('With a till', 'issue')
    expect(await admin.publish(written)).toMatchObject({ status: 200 })
    const published = await admin.read('issue', written.id)
    // Readers see it until the drop is published again.
    await admin.save(published, drop({ title: 'Another title', slug: written.id, sections: [section()] }))
    await refused('With a till', 'issue')
    await admin.publish(await admin.read('issue', written.id))

    const block = { id: 'till', title: 'The till', body: markdown(image) }
    await admin.get('admin-save-block', { ...block, version: 0 })
    await refused('The till', 'block')
    await admin.get('admin-delete-block', { id: 'till' })

    const now = new Date()
    const mailing = {
      id: '11111111-1111-4111-8111-111111111111',
      kind: 'news',
      preheader: '',
      status: 'sent',
      audience: everyone,
      createdAt: now,
      updatedAt: now,
      startedAt: now,
    }
    await admin.server.database.db
      .insert(mailings)
      .values({ ...mailing, subject: 'What is out', content: { intro: markdown(image) } })
    await refused('What is out', 'mailing')
    await admin.server.database.db.update(mailings).set({ status: 'stopped', startedAt: null })
    expect(await remove(image)).toMatchObject({ status: 200 })
  })

  test('ignores revisions, but a restored revision can’t be published without it', async () => {
    const image = await upload()
    const first = await write('A slip', markdown(image))
    const second = (await admin.save(first, drop({ title: 'A slip', slug: first.id }), admin.ben)).body
    expect(await remove(image)).toMatchObject({ status: 200 })
    const { items: revisions } = await admin.get<{ items: { revision: number }[] }>('admin-revisions', {
      kind: 'issue',
      id: first.id,
    })
    const restored = await admin.get<StoredDocument>('admin-restore-revision', {
      kind: 'issue',
      id: first.id,
      revision: revisions.at(-1)?.revision,
      version: second.version,
    })
    expect(restored.document).toMatchObject({ intro: markdown(image) })
    expect(await admin.publish(restored)).toMatchObject({
      status: 422,
      body: { problems: [{ path: 'intro', message: 'An image was deleted. Insert it again.' }] },
    })
  })

  test('is for admins, and only by hash', async () => {
    const image = await upload()
    expect(await remove(image, admin.reader)).toMatchObject({ status: 403 })
    for (const hash of ['', '../x', `${image.hash}%`, image.hash.toUpperCase()]) {
      expect(await admin.ask('admin-delete-image', { hash })).toMatchObject({ status: 400 })
    }
    expect((await fetchMedia(image.path)).status).toBe(200)
  })
})

describe('a rejected upload leaves nothing behind', () => {
  const crcTable = Array.from({ length: 256 }, (_, n) =>
    Array.from({ length: 8 }).reduce<number>((c) => (c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1), n),
  )
  const crc = (bytes: Buffer) =>
    (bytes.reduce((c, byte) => (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  /** A PNG that claims these dimensions, around the given pixel data. */
  const png = (width: number, height: number, data: Buffer) => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header.set([8, 2], 8)
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
  }
  const noise = () =>
    sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
  const half = (file: Buffer) => file.subarray(0, file.length / 2)
  const bomb = () => deflateSync(Buffer.alloc(20_000_000), { level: 9 })

  const hostile: [name: string, make: () => Buffer | Promise<Buffer>, status: number][] = [
    ['an SVG with a script', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 415],
    ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
    ['an HTML page after a byte order mark', () => Buffer.from('\ufeff<html>'), 415],
    ['an empty file', () => Buffer.alloc(0), 415],
    ['a ZIP archive', () => Buffer.from('PK\u0003\u0004'), 415],
    ['an executable', () => Buffer.from('MZ\u0090'), 415],
    ['a TIFF', async () => plain(10, 10).tiff().toBuffer(), 415],
    ['an AVIF', async () => plain(16, 16).avif().toBuffer(), 415],
    ['a PNG header followed by HTML', () => Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1'), 422],
    ['a JPEG header followed by noise', () => Buffer.from('\xff\xd8\xff\xe0<script>', 'latin1'), 422],
    ['a truncated PNG', async () => (await plain(200, 200).png().toBuffer()).subarray(0, 120), 422],
    ['half a JPEG', async () => half(await noise().jpeg().toBuffer()), 422],
    ['half a progressive JPEG', async () => half(await noise().jpeg({ progressive: true }).toBuffer()), 422],
    ['huge dimensions', () => png(65_000, 65_000, bomb()), 422],
    ['an image one pixel high and endlessly wide', () => png(2_000_000_000, 1, bomb()), 422],
    ['a decompression bomb', () => png(20, 20, bomb().subarray(0, 50)), 422],
  ]

  test.each(hostile)('%s', async (_name, make, status) => {
    const before = await imageCount()
    const answer = await send(await make())
    expect(answer.status).toBe(status)
    expect(answer.body.code).toBe(status === 415 ? 'unsupported_file' : 'invalid_image')
    expect(await imageCount()).toBe(before)
  })

  test('a file above the limit is rejected before it is read, and other calls keep their lower limit', async () => {
    const tooLarge = Buffer.alloc(imageLimits.bytes + 1)
    expect((await send(tooLarge)).status).toBe(413)
    const inPieces = await admin.server.request('/functions/v1/admin-upload-image?name=x', {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.ann.token}`, 'Transfer-Encoding': 'chunked' },
      body: tooLarge,
    })
    expect(inPieces.status).toBe(413)
    const elsewhere = await admin.upload('admin-content', {}, Buffer.alloc(2 * 1024 * 1024))
    expect(elsewhere.status).toBe(413)
  })

  test('uploads are for admins', async () => {
    const file = await plain(10, 10).png().toBuffer()
    expect((await admin.upload('admin-upload-image', { name: 'x' }, file, admin.reader)).status).toBe(403)
  })

  test('any other media URL is 404', async () => {
    const hash = 'a'.repeat(64)
    for (const name of ['', hash, `${hash}.png`, `${hash}.svg`, `..%2f${hash}.png`, `${hash}.png/x`, 'x.png', '%00']) {
      expect([name, (await fetchMedia(`/media/${name}`)).status]).toEqual([name, 404])
    }
  })
})
