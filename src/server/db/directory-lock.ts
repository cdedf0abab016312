import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#server/explain-start-error.ts'

/**
 * Locks the data directory for this process. The lock is an open SQLite transaction, so the operating system releases it
 * when the process ends, even after kill -9.
 * @throws OperatorError that names the process that holds it, or why the directory can't be used
 */
export function lockDataDirectory(directory: string): { release(): void } {
  const holderFile = join(directory, 'process.pid')
  const lock = openLock(directory)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new OperatorError(
      `The data directory ${directory} is in use by another process (pid ${readHolder(holderFile)}). ` +
        'Stop that process, or set DATA_DIR to another directory.',
    )
  }
  writeFileSync(holderFile, String(process.pid))
  return { release: () => lock.close() }
}

function openLock(directory: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK)
    return new DatabaseSync(join(directory, 'process.lock'), { timeout: 0 })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason'
    throw new OperatorError(
      `The data directory ${directory} can’t be used (${reason}). Set DATA_DIR to another directory.`,
      { cause },
    )
  }
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}
