import sharp from 'sharp'
import { expect, test } from 'vitest'
import { webpSize } from './guide-pages.ts'

const picture = (channels: 3 | 4) =>
  sharp({ create: { width: 640, height: 495, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

test.each([
  ['lossy', () => picture(3).webp()],
  ['lossless', () => picture(3).webp({ lossless: true })],
  ['transparent', () => picture(4).webp()],
])('the size of a %s image is read from its header', async (_kind, make) => {
  const bytes = await make().toBuffer()
  expect(webpSize(bytes.subarray(0, 30))).toEqual({ width: 640, height: 495 })
})

test('other files and truncated ones have no size', async () => {
  expect(webpSize(await picture(3).png().toBuffer())).toBeNull()
  expect(webpSize((await picture(3).webp().toBuffer()).subarray(0, 29))).toBeNull()
})
