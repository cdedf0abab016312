import { mkdirSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupTime } from '../backup-name.ts'

/** Where backups are stored. */
export type BackupDestination = {
  /** For people: the folder, or s3://bucket/prefix. */
  label: string
  /** Local folder in which a backup is written before `save`. Created when it is read. */
  workFolder: string
  list(): Promise<{ name: string; bytes: number }[]>
  /** Moves a local file to the destination. An unfinished one never appears in `list`. */
  save(file: string, name: string): Promise<void>
  /** @returns a local file; if `isTemporary`, the caller deletes it */
  fetch(name: string): Promise<{ file: string; isTemporary: boolean }>
  /** Does nothing if it is missing. */
  delete(name: string): Promise<void>
}

export function createFolderDestination(directory: string): BackupDestination {
  return {
    label: directory,
    get workFolder() {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    async list() {
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const backups = names.filter((name) => backupTime(name) !== null).sort()
      return Promise.all(backups.map(async (name) => ({ name, bytes: (await stat(join(directory, name))).size })))
    },
    async save(file, name) {
      await rename(file, join(directory, name))
      // Makes the new name durable.
      const folder = await open(directory)
      await folder.sync().finally(() => folder.close())
    },
    fetch: async (name) => ({ file: join(directory, name), isTemporary: false }),
    delete: (name) => rm(join(directory, name), { force: true }),
  }
}
