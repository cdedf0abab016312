/** Prints what an operator's command has to say. */
import { operate } from '../src/server/operate.ts'

const { lines, succeeded } = await operate(process.argv.slice(2), process.env)
for (const line of lines) (succeeded ? console.log : console.error)(line)
process.exit(succeeded ? 0 : 1)
