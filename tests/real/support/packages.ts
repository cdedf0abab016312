import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const cache = join(import.meta.dirname, '../../../.cache/real')

/** Runs a program and returns what it prints, while this process goes on. @throws with the program's message */
export async function run(
  program: string,
  args: readonly string[],
  { env, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 100_000_000 }
  const running = promisify(execFile)(program, args, options)
  // It may end without reading its input.
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout
}

function execute(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    env: { ...process.env, ...options.env },
    encoding: 'utf8',
  })
  if (error || status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? (stderr || stdout).trim()}`)
  return stdout
}

const isInstalled = (name: string) =>
  spawnSync('dpkg-query', ['-W', '-f', '$' + '{db:Status-Status}', name], { encoding: 'utf8' }).stdout === 'installed'

/** Installs Debian packages that are missing. Throws with the command to run if this isn't root on Debian or Ubuntu. */
export function installDebian(...names: string[]): void {
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  if (process.getuid?.() !== 0) throw new Error(`run as root: apt-get install ${missing.join(' ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  execute('apt-get', ['update', '-qq'], { env })
  execute('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
}

/** Returns the installed version of a Debian package. */
export const debianVersion = (name: string) => execute('dpkg-query', ['-W', '-f', '$' + '{Version}', name])

/** Installs npm packages, named with their versions, outside the project's own. Returns the directory for `createRequire`. */
export function installNpm(part: string, ...packages: string[]): string {
  const directory = join(cache, part)
  const stamp = join(directory, packages.join(' ').replace(/[^\w.@-]+/g, '+'))
  if (existsSync(stamp)) return directory
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"private":true}')
  execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', ...packages], {
    cwd: directory,
  })
  writeFileSync(stamp, '')
  return directory
}
