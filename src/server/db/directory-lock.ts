import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the data directory for this process or throws one sentence that says who has it. The lock is the operating
 * system's, held through an open SQLite transaction, so it ends with the process, kill -9 included; a file with a
 * process id alone would be left behind and could name somebody else by the next start.
 */
export function lockDataDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true })
  const holderFile = join(directory, 'process.pid')
  const lock = new DatabaseSync(join(directory, 'process.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new Error(
      `The data directory ${directory} is in use by another process (pid ${readHolder(holderFile)}). ` +
        'Stop it, or give this one its own DATA_DIR.',
    )
  }
  writeFileSync(holderFile, String(process.pid))
  return { release: () => lock.close() }
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}
