import PQueue from 'p-queue'
import type { Sharp } from 'sharp'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'
import { AppError } from '#shared/errors.ts'

export type ProcessedImage = {
  bytes: Uint8Array
  extension: 'png' | 'jpg'
  contentType: 'image/png' | 'image/jpeg'
  width: number
  height: number
}

/** In pixels. Larger images are scaled down. */
export type ImageSize = { width: number; height: number }

/** One image at a time: each can take a few hundred megabytes of memory. */
const queue = new PQueue({ concurrency: 1 })

const acceptedFormats = ['jpeg', 'png', 'webp', 'gif'] as const

/**
 * Converts an upload to PNG or JPEG, which every email client shows: rotated upright, without metadata (location, camera),
 * and scaled down. The format is detected from the bytes.
 * @throws AppError unsupported_file for other formats such as SVG; invalid_image for corrupt or huge images
 */
export async function processImage(bytes: Uint8Array, maxSize: ImageSize = imageLimits): Promise<ProcessedImage> {
  rejectUnsupportedFormats(bytes)
  return queue.add(async () => {
    try {
      return await transform(bytes, maxSize)
    } catch (error) {
      // Phones and messengers lose a JPEG's last bytes. With a new end, a picture that lacks more than that warns and is refused.
      if (!/premature end of JPEG/.test(String(error))) throw asRefusal(error)
      const ended = Buffer.concat([bytes, Buffer.from([0xff, 0xd9])])
      return await transform(ended, maxSize, 'warning').catch((again) => Promise.reject(asRefusal(again)))
    }
  })
}

function asRefusal(cause: unknown): AppError {
  const message = /pixel/i.test(String(cause)) ? 'This image has too many pixels' : undefined
  return new AppError('invalid_image', { message, cause })
}

const signatures: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x47, 0x49, 0x46, 0x38],
]

/** Runs before any decoder sees the bytes, to limit what an attacker can reach. */
function rejectUnsupportedFormats(bytes: Uint8Array) {
  const begins = (signature: readonly number[]) => signature.every((byte, index) => bytes[index] === byte)
  const isWebp = begins([0x52, 0x49, 0x46, 0x46]) && String.fromCharCode(...bytes.slice(8, 12)) === 'WEBP'
  if (isWebp || signatures.some(begins)) return
  throw new AppError('unsupported_file', { message: 'Images can be JPEG, PNG, WebP or GIF' })
}

async function transform(bytes: Uint8Array, maxSize: ImageSize, failOn: 'error' | 'warning' = 'error') {
  // Loaded on first use to keep server starts fast.
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: imageLimits.pixels, failOn, sequentialRead: true, pages: 1 } as const
  const { format, width, height, hasAlpha } = await sharp(bytes, options).metadata()
  if (!acceptedFormats.some((kind) => kind === format)) throw new Error(`A ${format}`)
  if (!width || !height || width * height > imageLimits.pixels) throw new Error('Too many pixels')
  const upright = sharp(bytes, options)
    .timeout({ seconds: 20 })
    .autoOrient()
    .resize({ width: maxSize.width, height: maxSize.height, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
  // PNG for screenshots, JPEG for photos. Animations keep their first frame.
  const asPng = format === 'png' || format === 'gif' || hasAlpha
  const { data, info } = await encode(upright, asPng)
  return {
    bytes: data,
    extension: asPng ? ('png' as const) : ('jpg' as const),
    contentType: asPng ? ('image/png' as const) : ('image/jpeg' as const),
    width: info.width,
    height: info.height,
  }
}

const encode = (image: Sharp, asPng: boolean) =>
  (asPng ? image.png({ compressionLevel: 9 }) : image.jpeg({ quality: 82, mozjpeg: true })).toBuffer({
    resolveWithObject: true,
  })
