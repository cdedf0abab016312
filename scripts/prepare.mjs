/**
 * Installs the packages, which include the pinned Node, and builds the pages. Plain JavaScript, because it runs on the
 * machine's Node. All other code is TypeScript on the pinned Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const wantedMajor = 24
/** The oldest Node that can install the packages. */
const oldestMajor = 18
const at = (...parts) => join(root, ...parts)
const startedBy = process.ppid

/** Prints a message and ends the process. */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/**
 * Installs the packages if node_modules doesn't match the lock file. `withDev` includes the development dependencies;
 * without it, those that are installed already are kept.
 */
export function ensureInstalled({ withDev }) {
  if (majorOf(process.version) < oldestMajor) {
    fail(
      `Front Counter needs Node ${oldestMajor} or newer. This is ${process.version}. Install one from https://nodejs.org/en/download.`,
    )
  }
  const present = installedPackages()
  if (present && matchesLock(present, withDev)) return
  const keepDev = withDev || Object.values(present ?? {}).some(({ dev }) => dev)
  const startedAt = Date.now()
  console.log('Installing packages (takes about 15 seconds the first time) …')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  if (!installFromAddresses(args, keepDev)) {
    console.log('Asking the registry for each package …')
    if (npm([...args, keepDev ? '--include=dev' : '--omit=dev'], root).status !== 0)
      fail('The packages couldn’t be installed (see above). Check your connection to the npm registry and try again.')
  }
  console.log(`Packages installed in ${seconds(startedAt)}.`)
}

/** npm leaves out optional packages, such as compiled parts, that don't support the Node that runs it. */
function npm(args, cwd, stdio = 'inherit') {
  const windows = process.platform === 'win32'
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ./${relative(cwd, at('scripts')).replaceAll('\\', '/')}/pinned-version.cjs`
  const env = { ...process.env, NODE_OPTIONS }
  return spawnSync(windows ? 'npm.cmd' : 'npm', args, { cwd, stdio, shell: windows, env, encoding: 'utf8' })
}

/** What only compiling, debugging, type checking and a library's own tests read: a quarter of what is installed. */
export const unusedByServer = /^node-[^/\\]+[/\\]include$|domino[/\\]test$|\.([cm]?[jt]s|css)\.map$|\.d\.[cm]?ts$/

/**
 * Installs beside node_modules and then takes its place, from a lock file with two differences: it has the address of each
 * package, without which npm asks the registry about every one of them, and without `withDev` it has no package that only
 * development uses, of which npm keeps some. Returns false if that fails, for example with a registry of other addresses.
 */
function installFromAddresses(args, withDev) {
  const place = at('.cache', 'install')
  try {
    rmSync(place, { recursive: true, force: true })
    writeInstallation(place, withDev)
    if (npm([...args, '--include=dev'], place).status !== 0) return false
    const installed = join(place, 'node_modules')
    const unused = withDev
      ? []
      : readdirSync(installed, { recursive: true }).filter((path) => unusedByServer.test(path))
    for (const path of unused) rmSync(join(installed, path), { recursive: true, force: true })
    rmSync(at('node_modules'), { recursive: true, force: true })
    renameSync(installed, at('node_modules'))
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function writeInstallation(place, withDev) {
  const registry = npm(['config', 'get', 'registry'], root, 'pipe').stdout.trim().replace(/\/?$/, '/')
  const { packages, ...lock } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
  const wanted = Object.entries(packages).filter(([, { dev, devOptional }]) => withDev || !(dev || devOptional))
  for (const [path, entry] of wanted) {
    if (path.includes('node_modules/')) {
      const name = entry.name ?? path.split('node_modules/').pop()
      entry.resolved ??= `${registry}${name}/-/${name.split('/').pop()}-${entry.version}.tgz`
    } else {
      const manifest = JSON.parse(readFileSync(at(path, 'package.json'), 'utf8'))
      if (!withDev) entry.devDependencies = manifest.devDependencies = {}
      mkdirSync(join(place, path), { recursive: true })
      writeFileSync(join(place, path, 'package.json'), JSON.stringify(manifest))
    }
  }
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(wanted) }))
}

/** Npm's record of the last installation. Null if there is none. */
function installedPackages() {
  const note = at('node_modules', '.package-lock.json')
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).packages : null
}

function matchesLock(present, withDev) {
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || (entry.dev && !withDev)) return true
    return present[path]?.version === entry.version
  })
}

/** Returns the pinned Node, or the machine's own if none is available for its platform. */
export function findRuntime() {
  const linked = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  // npm 9 doesn't link it.
  const pinned = existsSync(linked)
    ? linked
    : at('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(pinned)) {
    const version =
      spawnSync(pinned, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout ?? ''
    if (majorOf(version) >= wantedMajor) return pinned
  }
  if (majorOf(process.version) >= wantedMajor) return process.execPath
  return fail(
    `The packages include no Node ${wantedMajor} for ${process.platform}-${process.arch}. Install Node ${wantedMajor} and try again.`,
  )
}

const majorOf = (version) => Number(version.trim().replace(/^v/, '').split('.')[0]) || 0
const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

/** Hides the warning that node:sqlite, which the Stripe sandbox uses, is experimental. */
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

/** The server's bundle. `npm run dev` and tests run the sources: src/server/main.ts. */
export const builtServer = 'dist/server/main.js'

/**
 * What a server starts with, unless the environment says otherwise: compiled code is kept from its very first file on, without
 * which Node loads its TypeScript compiler, and glibc returns freed memory to the system. Together 35 MB (decision 94).
 */
export const serverEnvironment = {
  NODE_COMPILE_CACHE: at('.cache', 'compiled'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
}

/** What the parts of the build are made from. */
const sourcesOf = {
  pages: ['src/client', 'src/shared', 'content', 'public', 'index.html', 'vite.config.ts'],
  server: ['src/server', 'src/shared', 'packages/stripe-sandbox'],
}

/**
 * Builds the pages and the server, each only if its sources have changed since the last build. Returns null if nothing has,
 * otherwise a promise that resolves when all is built. A failed build ends the process.
 */
export function ensureBuilt(runtime, parts = Object.keys(sourcesOf)) {
  const changed = parts
    .map((part) => ({
      part,
      stamp: at('dist', `.sources-${part}`),
      fingerprint: fingerprintOf([...sourcesOf[part], 'scripts/build.ts', 'scripts/build', 'package-lock.json']),
    }))
    .filter(({ stamp, fingerprint }) => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint)
  if (changed.length === 0) return null
  const startedAt = Date.now()
  const names = changed.map(({ part }) => part)
  console.log(`Building the ${names.join(' and the ')} …`)
  const build = runPinned(runtime, ['scripts/build.ts', ...names])
  return new Promise((resolve) => {
    build.on('exit', (code) => {
      if (code !== 0) fail('The build failed (see above).')
      for (const { stamp, fingerprint } of changed) writeFileSync(stamp, fingerprint)
      console.log(`Built the ${names.join(' and the ')} in ${seconds(startedAt)}.`)
      resolve()
    })
  })
}

/** Hashes the names and contents of all files below the paths. */
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

/** Puts the pinned Node first in PATH. */
export function withPinnedPath(runtime, extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':'
  return {
    ...process.env,
    PATH: `${join(runtime, '..')}${separator}${at('node_modules', '.bin')}${separator}${process.env.PATH}`,
    ...extra,
  }
}

/** Starts a script with the pinned Node. It ends with this process. */
function runPinned(runtime, args, env = {}, channel = []) {
  const child = spawn(runtime, [...nodeFlags, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', ...channel],
    env: withPinnedPath(runtime, env),
  })
  process.on('exit', () => child.kill())
  return child
}

/**
 * Runs a script with the pinned Node. Forwards signals and the exit code. With `pages`, a running build, the script gets
 * `--await-pages` and a message when they are built.
 */
export function runInstead(runtime, args, env = {}, pages = null) {
  const child = pages ? runPinned(runtime, [...args, '--await-pages'], env, ['ipc']) : runPinned(runtime, args, env)
  pages?.then(() => child.connected && child.send('built'))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
  stopWithNpm(() => child.kill('SIGTERM'))
}

/**
 * npm sends SIGTERM to its shell, which ends without forwarding it, so the server would keep running. This stops it when
 * the parent process is gone. Outside npm a parent may end first, for example after `nohup … &`.
 */
function stopWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return
  const timer = setInterval(() => {
    if (process.ppid === startedBy) return
    clearInterval(timer)
    stop()
  }, 500)
}
