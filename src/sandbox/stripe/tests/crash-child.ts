import { startStripeSandbox } from '../index.ts'
import { seed } from './support.ts'

/** A sandbox in a process of its own, to be killed in the middle of its work. */
const sandbox = await startStripeSandbox({ dataFile: process.argv[2] ?? ':memory:', port: 0, seed })
process.stdout.write(`${sandbox.port}\n`)
