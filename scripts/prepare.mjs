/**
 * What must be there before anything of ours can run, on whatever Node the machine has: the packages of the lock file
 * and the pinned runtime among them. Plain JavaScript for that reason; everything else is TypeScript on the pinned Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const wantedMajor = 24
const at = (...parts) => join(root, ...parts)
const startedBy = process.ppid

/** Ends the process with one sentence. */
export function fail(sentence) {
  console.error(`\n${sentence}`)
  process.exit(1)
}

/** Installs when node_modules does not hold what the lock file says. `withDev`: the tools of tests and build, too. */
export function ensureInstalled({ withDev }) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    fail(`Front Counter needs Node 20 or newer to begin with; this is ${process.version}.`)
  }
  if (installedMatchesLock(withDev)) return
  const startedAt = Date.now()
  console.log('Installing packages (the first time takes about half a minute) …')
  const windows = process.platform === 'win32'
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(withDev ? ['--include=dev'] : []),
  ]
  const result = spawnSync(windows ? 'npm.cmd' : 'npm', args, { cwd: root, stdio: 'inherit', shell: windows })
  if (result.status !== 0)
    fail('The packages could not be installed: see above, mend the connection to the registry and try again.')
  console.log(`Packages installed in ${seconds(startedAt)}.`)
}

/** Compares the lock file with what npm noted down after its last install. */
function installedMatchesLock(withDev) {
  const note = at('node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(note, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || (entry.dev && !withDev)) return true
    return present[path]?.version === entry.version
  })
}

/** The pinned Node; the machine's own only where no pinned one fits its system. */
export function findRuntime() {
  const pinned = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(pinned)) {
    const version =
      spawnSync(pinned, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout ?? ''
    if (majorOf(version) >= wantedMajor) return pinned
  }
  if (majorOf(process.version) >= wantedMajor) return process.execPath
  return fail(
    `No Node ${wantedMajor} comes with the packages for ${process.platform}-${process.arch}; install Node ${wantedMajor} and try again.`,
  )
}

const majorOf = (version) => Number(version.trim().replace(/^v/, '').split('.')[0]) || 0
const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

/** Node's flags for our own code: SQLite, which the sandbox keeps its books in, still announces itself as new. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/** Builds the pages when their sources have changed since the last build. */
export function ensureBuilt(runtime) {
  const stamp = at('dist', '.sources')
  const fingerprint = fingerprintOf([
    'src/client',
    'src/shared',
    'content',
    'public',
    'index.html',
    'vite.config.ts',
    'scripts/build.ts',
    'scripts/build',
    'package-lock.json',
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  const startedAt = Date.now()
  console.log('Building the pages …')
  const result = spawnSync(runtime, [...nodeFlags, 'scripts/build.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: withPinnedPath(runtime),
  })
  if (result.status !== 0) fail('The pages could not be built: see above.')
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(stamp, fingerprint)
  console.log(`Pages built in ${seconds(startedAt)}.`)
}

/** Names, sizes and contents of all files below the paths. */
function fingerprintOf(paths) {
  const hash = createHash('sha256')
  const visit = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name))
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
    }
  }
  for (const path of paths) visit(at(path))
  return hash.digest('hex')
}

/** Programs started from here find the pinned Node first. */
export function withPinnedPath(runtime, extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':'
  return {
    ...process.env,
    PATH: `${join(runtime, '..')}${separator}${at('node_modules', '.bin')}${separator}${process.env.PATH}`,
    ...extra,
  }
}

/** Runs a script of ours in place of this process: signals go through, and so does the exit code. */
export function runInstead(runtime, args, env = {}) {
  const child = spawn(runtime, [...nodeFlags, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: withPinnedPath(runtime, env),
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
  stopWithNpm(() => child.kill('SIGTERM'))
}

/**
 * npm hands a SIGTERM to the shell that it started, and that shell ends without a word to us: then nobody is left who
 * could stop the server. Outside of npm a parent may well leave, as a terminal does after `nohup … &`.
 */
function stopWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return
  const timer = setInterval(() => {
    if (process.ppid === startedBy) return
    clearInterval(timer)
    stop()
  }, 500)
}
