import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Copies the project's files, without packages, pages and data, to a new directory. */
export function makeBareCopy(isWanted: (path: string) => boolean = () => true): string {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bare-'))
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0').filter((each) => each && isWanted(each))) {
    cpSync(join(root, path), join(directory, path))
  }
  return directory
}
