import { imageKey } from '#server/media/object-key.ts'

/** Key of the file of a path below /media. */
export function mediaKey(media: string): string {
  const [, hash = '', extension = ''] = /^\/media\/([0-9a-f]{64})\.(\w+)$/.exec(media) ?? []
  return imageKey(hash, extension)
}

/** Launchers cut maskable icons into their own shape, so the image keeps this part of the square. */
const safePart = 0.8
/** Page background of the light theme, behind transparent icons where no transparency is allowed. */
const paper = '#f9f6f0'

export const icoSize = 32

/** A PNG image of `icoSize` as an .ico file, which browsers ask for that read no SVG. */
export const toIco = (png: Buffer): Buffer => {
  const head = Buffer.alloc(22)
  // One image: its type, count, width and height, color planes and depth, length and place.
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(icoSize, 6)
  head.writeUInt8(icoSize, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** The files of the build that the icon replaces, by path: the tab's icon, the installed app's, and the home screen's. */
export async function renderAppIcons(image: Uint8Array): Promise<[path: string, bytes: Buffer][]> {
  const { default: sharp } = await import('sharp')
  const any = (size: number) =>
    sharp(image)
      .resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer()
  const fullBleed = async (size: number) => {
    const inner = await any(Math.round(size * safePart))
    const background = { width: size, height: size, channels: 3, background: paper } as const
    return sharp({ create: background })
      .composite([{ input: inner }])
      .png()
      .toBuffer()
  }
  const [ico, tab, small, large, maskable, touch] = await Promise.all([
    any(icoSize),
    any(64),
    any(192),
    any(512),
    fullBleed(512),
    fullBleed(180),
  ])
  // Pages link to the name of the build's icon, so the image is inside an SVG.
  const data = `data:image/png;base64,${tab.toString('base64')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image width="64" height="64" href="${data}"/></svg>`
  return [
    ['/favicon.svg', Buffer.from(svg)],
    ['/favicon.ico', toIco(ico)],
    ['/app-icon-192.png', small],
    ['/app-icon-512.png', large],
    ['/app-icon-maskable.png', maskable],
    ['/apple-touch-icon.png', touch],
  ]
}
