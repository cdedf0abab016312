import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { OperatorError } from '#server/explain-start-error.ts'

export type Variables = Record<string, string>

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/

/**
 * Reads `NAME=value` lines, in the subset that systemd, the shell and Compose read alike.
 * @throws OperatorError that names the first line that isn't one, for example because the file was cut off
 */
export function readEnvironmentFile(file: string): Variables {
  const text = readText(file)
  if (text === null) return {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const value = assignment.exec(line)?.[2]?.trim()
    if (value !== undefined && /^('[^']*'|"[^"]*"|[^'"\s]*)$/.test(value)) continue
    throw new OperatorError(`Line ${index + 1} of ${file} isn’t NAME=value. Correct or delete it, and run setup again.`)
  }
  return Object.fromEntries(Object.entries(parseEnv(text)).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

function readText(file: string): string | null {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  } catch {
    throw new OperatorError(`${file} can’t be read. Run the command as root.`)
  }
}

const header = `# Configuration, written by npm run setup. Lines that you add or change are kept.
# Keep a copy of SECRET_KEY and BACKUP_KEY outside this machine: without them, no backup can be restored.
`

/**
 * Sets variables and keeps all other lines. Replaces the file in one step with mode 0600.
 * @returns whether anything changed
 */
export function writeEnvironmentFile(file: string, values: Variables): boolean {
  const before = readText(file)
  const missing = new Map(Object.entries(values))
  const current = before === null ? {} : parseEnv(before)
  const lines = (before ?? header).replace(/\n+$/, '').split('\n')
  const kept = lines.map((line) => {
    const name = assignment.exec(line)?.[1]
    const value = name === undefined ? undefined : missing.get(name)
    if (name === undefined || value === undefined) return line
    missing.delete(name)
    return current[name] === value ? line : `${name}=${quote(value)}`
  })
  const added = [...missing].map(([name, value]) => `${name}=${quote(value)}`)
  const after = `${[...kept, ...added].join('\n')}\n`
  if (after === before && (statSync(file).mode & 0o777) === 0o600) return false
  replacePrivately(file, after)
  return true
}

function replacePrivately(file: string, text: string) {
  const fresh = `${file}.${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : 'this user has no permission'
    throw new OperatorError(`${file} can’t be written, because ${reason}. Nothing in it was changed.`, { cause: error })
  }
}

/** Single quotes mean the same to systemd, the shell, Node and Compose. */
function quote(value: string): string {
  if (/^[\w@%+=:,./~-]*$/.test(value)) return value
  if (!/['\n\r]/.test(value)) return `'${value}'`
  throw new OperatorError('A value contains a quotation mark or line break. In a URL, write ’ as %27.')
}
