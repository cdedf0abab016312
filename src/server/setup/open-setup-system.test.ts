import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freeBytes, isPortFree, runCommand } from './open-setup-system.ts'

test('a port is free only while no program listens on it', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await isPortFree(port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
  expect(await isPortFree(port)).toBe(true)
})

test('free space is known for a folder that doesn’t exist yet', () => {
  // Other programs write meanwhile.
  expect(Math.abs(freeBytes('/not/yet') - freeBytes('/'))).toBeLessThan(1e9)
})

test('a command gets its input, and a missing program is code 127', async () => {
  expect(await runCommand('cat', [], { input: 'select 1' })).toEqual({ code: 0, stdout: 'select 1', stderr: '' })
  expect(await runCommand('no-such-program', [])).toMatchObject({ code: 127 })
})
