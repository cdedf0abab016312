import { OperatorError } from '#server/explain-start-error.ts'
import { openSetupSystem } from '#server/setup/open-setup-system.ts'
import { runSetup } from '#server/setup/run-setup.ts'

const { system, close } = openSetupSystem()
try {
  const { succeeded } = await runSetup(system, process.argv.slice(2), process.env)
  process.exitCode = succeeded ? 0 : 1
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  close()
}
