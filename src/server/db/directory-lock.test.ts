import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockDataDirectory } from './directory-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'front-counter-lock-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Starts another process that holds the lock. */
async function holder() {
  const source = `import { lockDataDirectory } from ${JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)}
    globalThis.lock = lockDataDirectory(${JSON.stringify(directory)}); console.log('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source])
  await once(child.stdout, 'data')
  return child
}

test('a second process gets an error that names the first one', async () => {
  const child = await holder()
  expect(() => lockDataDirectory(directory)).toThrow(`in use by another process (pid ${child.pid})`)
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('a killed process leaves no lock behind', async () => {
  const child = await holder()
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDataDirectory(directory).release()
})

test('a released lock can be taken again', () => {
  lockDataDirectory(directory).release()
  lockDataDirectory(directory).release()
})

test('a directory that can’t be created gives an error that names the variable', () => {
  const file = join(directory, 'a-file')
  writeFileSync(file, '')
  expect(() => lockDataDirectory(file)).toThrow(/^The data directory .* can’t be used .*DATA_DIR/)
  expect(() => lockDataDirectory(join(file, 'below'))).toThrow(/^The data directory .* can’t be used/)
})
