import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { formatNumber } from '#shared/domain/format-count.ts'

export class ZipError extends Error {}

export type ZipFile = {
  /** Paths in the order of the file, without folders. */
  paths: string[]
  has(path: string): boolean
  bytesOf(path: string): number
  /** @throws ZipError if there is no such file */
  open(path: string): Promise<Readable>
  /** @throws ZipError if it has more than `maxBytes` */
  read(path: string, maxBytes: number): Promise<Buffer>
  close(): void
}

export type ZipLimits = { maxEntries: number; maxTotalBytes: number; maxRatio?: number }

/** The highest ratio of compression accepted. Text reaches about 10:1; a much higher one is made to fill a disk. */
const defaultRatio = 200
const symbolicLink = 0o120000
const fileTypeMask = 0o170000

/**
 * Opens a zip file for random access. Refuses climbing and absolute paths, symbolic links, two files of one name,
 * encryption, and files that unpack to more than the limits. The declared sizes are enforced while reading.
 * @throws ZipError
 */
export async function openZip(
  file: string,
  { maxEntries, maxTotalBytes, maxRatio = defaultRatio }: ZipLimits,
): Promise<ZipFile> {
  const zip = await yauzl.openPromise(file, { strictFileNames: true, autoClose: false }).catch(asZipError)
  const entries = new Map<string, yauzl.Entry>()
  let count = 0
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName
      count += 1
      if (count > maxEntries) throw new ZipError(`It contains more than ${formatNumber(maxEntries)} files`)
      if (((entry.externalFileAttributes >>> 16) & fileTypeMask) === symbolicLink) {
        throw new ZipError(`${path} is a link to another file`)
      }
      if (entry.isEncrypted()) throw new ZipError(`${path} is encrypted`)
      if (path.endsWith('/')) continue
      if (entries.has(path)) throw new ZipError(`It contains ${path} twice`)
      total += entry.uncompressedSize
      if (entry.uncompressedSize > entry.compressedSize * maxRatio + 1_000_000) {
        throw new ZipError(`${path} unpacks to far more than its size`)
      }
      if (total > maxTotalBytes) throw new ZipError('It unpacks to more than the limit')
      entries.set(path, entry)
    }
  } catch (error) {
    zip.close()
    return asZipError(error)
  }
  const find = (path: string) => {
    const entry = entries.get(path)
    if (!entry) throw new ZipError(`${path} is missing`)
    return entry
  }
  const open = async (path: string) => (await zip.openReadStreamPromise(find(path)).catch(asZipError)) as Readable
  return {
    paths: [...entries.keys()],
    has: (path) => entries.has(path),
    bytesOf: (path) => find(path).uncompressedSize,
    open,
    async read(path, maxBytes) {
      if (find(path).uncompressedSize > maxBytes) throw new ZipError(`${path} is too large`)
      const chunks: Buffer[] = []
      try {
        for await (const chunk of await open(path)) chunks.push(chunk as Buffer)
      } catch (error) {
        return asZipError(error)
      }
      return Buffer.concat(chunks)
    },
    close: () => zip.close(),
  }
}

/** Puts the library's errors in words for people. @throws ZipError */
function asZipError(cause: unknown): never {
  if (cause instanceof ZipError) throw cause
  const { message, code } = cause as NodeJS.ErrnoException
  const [, path] = /^(?:invalid relative path|absolute path): (.*)$/s.exec(message) ?? []
  if (path !== undefined) throw new ZipError(`${path} leads out of the file`, { cause })
  const [, name] = /^invalid characters in fileName: (.*)$/s.exec(message) ?? []
  if (name !== undefined) throw new ZipError(`${name} has a backslash in its name`, { cause })
  if (message === 'strong encryption is not supported') throw new ZipError('It’s encrypted', { cause })
  // System errors, for example a missing file.
  if (code?.startsWith('E')) throw new ZipError(message, { cause })
  throw new ZipError('It’s incomplete or damaged', { cause })
}
