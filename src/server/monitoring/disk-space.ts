import { statfs } from 'node:fs/promises'

const lowBytes = 1_000_000_000
const fullBytes = 100_000_000

/** Bytes that this process may still write where local files are; null if the folder doesn't exist yet. */
export async function readFreeDiskBytes(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Below a gigabyte is `low`, below 100 MB `full`. */
export function diskState(freeBytes: number | null): 'ok' | 'low' | 'full' {
  if (freeBytes === null || freeBytes >= lowBytes) return 'ok'
  return freeBytes >= fullBytes ? 'low' : 'full'
}
