import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorProblem } from '#server/operator-problem.ts'

/**
 * Takes the data directory for this process. The lock is the operating system's, held through an open SQLite
 * transaction, so it ends with the process, kill -9 included; a file with a process id alone would be left behind and
 * could name somebody else by the next start.
 * @throws OperatorProblem that says who has it, or why it cannot be used
 */
export function lockDataDirectory(directory: string): { release(): void } {
  const holderFile = join(directory, 'process.pid')
  const lock = openLock(directory)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new OperatorProblem(
      `The data directory ${directory} is in use by another process (pid ${readHolder(holderFile)}). ` +
        'Stop it, or give this one its own DATA_DIR.',
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
    throw new OperatorProblem(
      `The data directory ${directory} cannot be used (${reason}). Set DATA_DIR to one that can.`,
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
