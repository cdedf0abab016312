import { mkdirSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupTime } from '../backup-name.ts'
import type { BackupDestination } from './destination.ts'

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
