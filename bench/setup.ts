/**
 * `npm run bench -- setup`: seconds and questions from a bare directory to a production server that is ready, as
 * `npm run setup` does it. PostgreSQL is local; mail server, DNS, Stripe, apt, systemd and Caddy are stand-ins.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runSetup } from '#server/setup/run-setup.ts'
import { startSetupMachine } from '#tests/support/setup-machine.ts'
import { makeBareCopy } from './support/bare-copy.ts'

const sourceDirectory = makeBareCopy()
const nodePath = join(sourceDirectory, 'node_modules/.bin/node')
const machine = await startSetupMachine({ sourceDirectory, nodePath, buildsPages: true })
const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
try {
  const startedAt = Date.now()
  const install = `import { ensureInstalled } from './scripts/prepare.mjs'; ensureInstalled({ withDev: false })`
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, ['--input-type=module', '-e', install], {
    cwd: sourceDirectory,
    env,
    stdio: 'inherit',
  })
  const installedAt = Date.now()

  const { domain, from, smtp, stripe, owner } = machine.answers
  machine.state.answers = [domain, from, smtp, stripe, owner]
  const { succeeded, asked } = await runSetup(machine.system, ['--port', String(machine.port)], {})
  const readyAt = Date.now()
  const answer = await fetch(`http://127.0.0.1:${machine.port}/readyz`)
  if (!succeeded || answer.status !== 200) throw new Error(machine.log())

  for (const line of machine.state.printed) console.log(`  ${line.slice(0, 140)}`)
  console.log(`packages installed        ${seconds(startedAt, installedAt)} s`)
  console.log(`setup, build and start    ${seconds(installedAt, readyAt)} s`)
  console.log(`bare directory to ready   ${seconds(startedAt, readyAt)} s, ${asked} questions`)
} finally {
  await machine.close()
  rmSync(sourceDirectory, { recursive: true, force: true })
}
process.exit(0)
