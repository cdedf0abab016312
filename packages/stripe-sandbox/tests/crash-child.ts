import { startStripeSandbox } from '../index.ts'
import { seed } from './support.ts'

/** A sandbox in a process of its own, to be killed in the middle of its work: file, and where its webhooks go. */
const [, , dataFile = ':memory:', url = seed.webhook?.url ?? ''] = process.argv
const sandbox = await startStripeSandbox({
  dataFile,
  port: 0,
  seed: { ...seed, webhook: { secret: 'whsec_crash', url } },
})
process.stdout.write(`${sandbox.port}\n`)
