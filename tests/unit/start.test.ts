import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
})

test('an old Node is refused with one sentence that says where to get another', async () => {
  const old = `data:text/javascript,Object.defineProperty(process,'version',{value:'v16.20.0'})`
  const start = spawn(process.execPath, ['--import', old, 'scripts/setup.mjs', '--no-install'], { cwd: root })
  expect((await outputOf(start)).trim()).toBe(
    'Front Counter needs Node 18 or newer. This is v16.20.0. Install one from https://nodejs.org/en/download.',
  )
  expect(start.exitCode).toBe(1)
})

test('a first start installs without development packages, and a later one keeps those that are there', async () => {
  const project = join(directory, 'project')
  const write = (path: string, content: unknown) => {
    mkdirSync(join(project, path, '..'), { recursive: true })
    writeFileSync(join(project, path), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 })
  }
  write('package-lock.json', { packages: { 'node_modules/a': { version: '2.0.0' } } })
  write('bin/npm', '#!/bin/sh\necho "npm $@"\nnode -p process.version\nexit 1\n')
  for (const name of ['start.mjs', 'prepare.mjs', 'pinned-version.cjs']) {
    write(`scripts/${name}`, '')
    copyFileSync(join(root, 'scripts', name), join(project, 'scripts', name))
  }
  const env = { PATH: `${join(project, 'bin')}:${process.env.PATH}` }
  const start = () => outputOf(spawn(process.execPath, ['scripts/start.mjs'], { cwd: project, env }))
  // Node of the machine may be older; npm is told the pinned one, because it skips packages that don't support its own.
  expect(await start()).toMatch(/^npm ci .*--omit=dev\nv24\.21\.0$/m)

  const earlier = { 'node_modules/a': { version: '1.0.0' } }
  write('node_modules/.package-lock.json', { packages: earlier })
  expect(await start()).toMatch(/^npm ci .*--omit=dev$/m)
  write('node_modules/.package-lock.json', { packages: { ...earlier, 'node_modules/b': { version: '1', dev: true } } })
  expect(await start()).toMatch(/^npm ci .*--include=dev$/m)
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
