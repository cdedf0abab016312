import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type HandleEmail, maxEmailBytes } from './handle-email.ts'

/** Reads new emails of a local maildir and moves each to `cur` after it was handled. */
export async function readMaildir(directory: string, handle: HandleEmail): Promise<void> {
  const [fresh, done] = [join(directory, 'new'), join(directory, 'cur')]
  await Promise.all([fresh, done].map((folder) => mkdir(folder, { recursive: true })))
  for (const name of (await readdir(fresh)).sort()) {
    const file = join(fresh, name)
    await handle((await readFile(file)).subarray(0, maxEmailBytes), (await stat(file)).mtime)
    await rename(file, join(done, `${name}:2,S`))
  }
}
