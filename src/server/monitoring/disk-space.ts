import { statfs } from 'node:fs/promises'

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
