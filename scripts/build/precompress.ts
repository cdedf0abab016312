import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Fonts are compressed already. HTML is left out: the server writes its mode into it when it starts. */
const worthwhile = /\.(js|css|svg|txt|json)$/
const smallestBytes = 512

/** Leaves `.br` and `.gz` beside each text file, so that the server compresses nothing while somebody waits. */
export async function precompress(directory: string) {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !worthwhile.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file)
    if (content.length < smallestBytes) continue
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
}

/** Bytes of the file as it is served to a browser; what was too small to compress goes out as it is. */
export const compressedSize = async (file: string): Promise<number> =>
  (await stat(`${file}.br`).catch(() => stat(file))).size
