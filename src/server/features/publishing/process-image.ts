import PQueue from 'p-queue'
import type { Sharp } from 'sharp'
import { imageLimits } from '#shared/contracts/publishing-library.ts'
import { AppError } from '#shared/errors.ts'

export type ProcessedImage = {
  bytes: Uint8Array
  extension: 'png' | 'jpg'
  contentType: 'image/png' | 'image/jpeg'
  width: number
  height: number
}

/** One picture at a time: each may take some hundred megabytes for a moment, whoever uploads at once. */
const queue = new PQueue({ concurrency: 1 })

const acceptedFormats = ['jpeg', 'png', 'webp', 'gif'] as const

/**
 * A picture as it may be shown: turned upright, without its metadata (places, cameras, names), not larger than needed,
 * as PNG or JPEG, which every mail program shows. What it is is read from the bytes, whatever the file was called.
 * @throws AppError unsupported_file for other kinds, SVG and HTML among them; invalid_image for broken or huge ones
 */
export async function processImage(bytes: Uint8Array): Promise<ProcessedImage> {
  rejectUnsupportedFormats(bytes)
  return queue.add(() => transform(bytes))
}

const signatures: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x47, 0x49, 0x46, 0x38],
]

/** Decided before any decoder sees the bytes: the fewer kinds it has to try, the less can be done to it. */
function rejectUnsupportedFormats(bytes: Uint8Array) {
  const begins = (signature: readonly number[]) => signature.every((byte, index) => bytes[index] === byte)
  const isWebp = begins([0x52, 0x49, 0x46, 0x46]) && String.fromCharCode(...bytes.slice(8, 12)) === 'WEBP'
  if (isWebp || signatures.some(begins)) return
  throw new AppError('unsupported_file', { message: 'Pictures can be JPEG, PNG, WebP or GIF' })
}

async function transform(bytes: Uint8Array): Promise<ProcessedImage> {
  // Loaded with the first picture: most servers start and stop without one.
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: imageLimits.pixels, failOn: 'error', sequentialRead: true, pages: 1 } as const
  try {
    const { format, width, height, hasAlpha } = await sharp(bytes, options).metadata()
    if (!acceptedFormats.some((kind) => kind === format)) throw new Error(`A ${format}`)
    if (!width || !height || width * height > imageLimits.pixels) throw new Error('Too many pixels')
    const upright = sharp(bytes, options)
      .timeout({ seconds: 20 })
      .autoOrient()
      .resize({ width: imageLimits.width, height: imageLimits.height, fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
    // Screenshots stay sharp as PNG, photos small as JPEG; of what moves the first picture is kept.
    const asPng = format === 'png' || format === 'gif' || hasAlpha
    const { data, info } = await encode(upright, asPng)
    return {
      bytes: data,
      extension: asPng ? 'png' : 'jpg',
      contentType: asPng ? 'image/png' : 'image/jpeg',
      width: info.width,
      height: info.height,
    }
  } catch (cause) {
    const message = /pixel/i.test(String(cause)) ? 'This picture is too large: too many pixels' : undefined
    throw new AppError('invalid_image', { message, cause })
  }
}

const encode = (image: Sharp, asPng: boolean) =>
  (asPng ? image.png({ compressionLevel: 9 }) : image.jpeg({ quality: 82, mozjpeg: true })).toBuffer({
    resolveWithObject: true,
  })
