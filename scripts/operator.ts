import { runOperatorCommand } from '../src/server/run-operator-command.ts'

const { lines, succeeded } = await runOperatorCommand(process.argv.slice(2), process.env)
for (const line of lines) (succeeded ? console.log : console.error)(line)
process.exit(succeeded ? 0 : 1)
