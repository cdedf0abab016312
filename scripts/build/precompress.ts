import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Fonts are already compressed. The server compresses HTML after inserting variables. */
const compressible = /\.(js|css|svg|txt|json)$/
const minBytes = 512

/** Writes `.br` and `.gz` versions of each text file, so that the server never compresses during a request. */
export async function precompress(directory: string) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  // Compression runs on Node's threads, so all files together use every processor.
  await Promise.all(files.map(compress))
}

async function compress(file: string) {
  const content = await readFile(file)
  if (content.length < minBytes) return
  await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }).then((packed) => writeFile(`${file}.br`, packed)),
    gzipped(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ])
}

/** Size of the file as served to a browser that accepts Brotli. */
export const compressedSize = async (file: string): Promise<number> =>
  (await stat(`${file}.br`).catch(() => stat(file))).size
