import { startStripeSandbox } from '../index.ts'
import { seed } from './support.ts'

/** A sandbox in its own process, to be killed. Arguments: the data file and the webhook URL. */
const [, , dataFile = ':memory:', url = seed.webhook?.url ?? ''] = process.argv
const sandbox = await startStripeSandbox({
  dataFile,
  port: 0,
  seed: { ...seed, webhook: { secret: 'whsec_crash', url } },
})
process.stdout.write(`${sandbox.port}\n`)
