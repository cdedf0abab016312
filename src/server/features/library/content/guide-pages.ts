import { open, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Deps } from '#server/feature.ts'
import type { GuidePage } from '#shared/contracts/library/library.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'

const purpose = 'guide page'
const directory = fileURLToPath(new URL('../../../../../content/guides/pages/', import.meta.url))
const fileName = /^[a-z0-9-]+\.webp$/

type LinkDeps = Pick<Deps, 'secrets' | 'clock'>

/** Whose links they are. Those of a view, in which staff see the portal as the user, end with it. */
export type PageReader = { userId: string; viewId?: string | undefined }

/** Pages of a guide with links for one reader. Leaves out pages whose file is missing. */
export async function linkGuidePages(
  deps: LinkDeps,
  reader: PageReader,
  files: readonly string[],
): Promise<GuidePage[]> {
  const pages = await Promise.all(files.map(async (file) => ({ file, size: await sizeOf(file) })))
  const token = createPageToken(deps, reader)
  return pages.flatMap(({ file, size }) => (size ? [{ ...size, path: `/guide-pages/${token}/${file}` }] : []))
}

function createPageToken({ secrets, clock }: LinkDeps, { userId, viewId }: PageReader): string {
  // Links change once an hour, so that the browser can cache the images, and work for one to two hours.
  const expiresAt = (Math.floor(clock().getTime() / hourMs) + 2) * hourMs
  const claims = `${userId}.${expiresAt}${viewId ? `.${viewId}` : ''}`
  return `${claims}.${secrets.sign(purpose, claims)}`
}

/** @throws AppError not_found for anything but the name of a page image; PostgreSQL can't search for all characters */
export function requirePageName(file: string): void {
  if (!fileName.test(file)) throw new AppError('not_found')
}

/** Returns whose link it is. @throws AppError not_found for an invalid token; link_expired (410) */
export function verifyPageToken({ secrets, clock }: LinkDeps, token: string): PageReader {
  const [, claims = '', userId = '', expiresAt, viewId, signature = ''] =
    /^(([0-9a-f-]{36})\.(\d+)(?:\.([0-9a-f-]{36}))?)\.([^.]+)$/.exec(token) ?? []
  if (!secrets.verify(purpose, claims, signature)) throw new AppError('not_found')
  if (Number(expiresAt) <= clock().getTime()) throw new AppError('link_expired')
  return { userId, viewId }
}

/** @throws AppError not_found */
export async function readGuidePage(file: string): Promise<Uint8Array<ArrayBuffer>> {
  requirePageName(file)
  try {
    return new Uint8Array(await readFile(`${directory}${file}`))
  } catch (cause) {
    throw new AppError('not_found', { cause })
  }
}

type Size = { width: number; height: number }
/** By file. Files change only with a release. */
const sizes = new Map<string, Promise<Size | null>>()

function sizeOf(file: string): Promise<Size | null> {
  const known = sizes.get(file) ?? readSize(file)
  sizes.set(file, known)
  return known
}

async function readSize(file: string): Promise<Size | null> {
  if (!fileName.test(file)) return null
  const handle = await open(`${directory}${file}`).catch(() => null)
  if (!handle) return null
  try {
    const { buffer } = await handle.read(Buffer.alloc(30), 0, 30, 0)
    return webpSize(buffer)
  } finally {
    await handle.close()
  }
}

/** Size in pixels from the first 30 bytes of a WebP file; null for other files. */
export function webpSize(header: Buffer): Size | null {
  if (header.length < 30 || header.toString('latin1', 8, 12) !== 'WEBP') return null
  switch (header.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = header.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
