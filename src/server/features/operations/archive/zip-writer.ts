import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'

export type ZipSource = {
  path: string
  /** Reads the content when its turn comes, so that only one file is in memory. */
  read(): Promise<Uint8Array> | Promise<Readable> | Readable
  /** Images and office files don't get smaller. Default: true. */
  compress?: boolean
}

/** The same for every file, in local time, which the format uses: equal contents give equal bytes. */
const fileTime = new Date(1980, 0, 1)

/** Writes a zip file to `output` and ends it. */
export async function writeZip(output: Writable, sources: readonly ZipSource[]): Promise<void> {
  const zip = new yazl.ZipFile()
  let isOpen = true
  const failed = new Promise<never>((_, reject) => zip.on('error', reject))
  for (const { path, read, compress = true } of sources) {
    const options = { mtime: fileTime, mode: 0o100644, compress, forceDosTimestamp: true }
    zip.addReadStreamLazy(path, options, async (done) => {
      // After a failure of the output, the rest isn't read.
      if (!isOpen) return
      try {
        const content = await read()
        const stream = content instanceof Uint8Array ? Readable.from([Buffer.from(content)]) : content
        stream.on('error', (error) => zip.emit('error', error))
        done(null, stream)
      } catch (error) {
        zip.emit('error', error)
      }
    })
  }
  zip.end()
  try {
    await Promise.race([pipeline(zip.outputStream as Readable, output), failed])
  } finally {
    isOpen = false
    // An output that was written in full may still be read.
    if (!output.writableFinished) output.destroy()
  }
}
