import { existsSync } from 'node:fs'
import { type Config, readConfig } from './config/config.ts'
import { createSecretBox, loadSecret } from './config/secret-box.ts'
import { lockDataDirectory } from './db/directory-lock.ts'
import { openDatabase } from './db/open-database.ts'
import { runCommand } from './features/operator/commands.ts'
import { sendToControlServer } from './features/operator/control-server.ts'
import { createLogger } from './http/logger.ts'
import { createLoggingEnqueue, emailJob } from './jobs/email-job.ts'
import { openJobSender } from './jobs/jobs.ts'
import { OperatorProblem } from './operator-problem.ts'

/**
 * The operator's commands from a shell, with the environment of the server: on PostgreSQL directly, while any number of
 * nodes run; on the embedded database through the server that holds it, or directly when none does.
 * @returns what to print, and whether it went well
 */
export async function operate(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<{ lines: string[]; succeeded: boolean }> {
  try {
    return { lines: await perform(readConfig(env), args), succeeded: true }
  } catch (error) {
    if (error instanceof OperatorProblem) return { lines: [error.message], succeeded: false }
    throw error
  }
}

async function perform(config: Config, args: readonly string[]): Promise<string[]> {
  if (config.database.kind === 'postgres') return performHere(config, args)
  if (!existsSync(config.database.directory)) {
    throw new OperatorProblem(
      `There is no database in ${config.dataDirectory} yet: start the server once, or set DATA_DIR.`,
    )
  }
  const lock = takeLock(config.dataDirectory)
  if (!lock) return sendToControlServer(config.dataDirectory, args)
  try {
    return await performHere(config, args)
  } finally {
    lock.release()
  }
}

function takeLock(directory: string) {
  try {
    return lockDataDirectory(directory)
  } catch {
    return null
  }
}

async function performHere(config: Config, args: readonly string[]): Promise<string[]> {
  const database = await openDatabase(
    config.database.kind === 'postgres' ? { ...config.database, poolSize: 2 } : config.database,
  ).catch((cause: unknown) => {
    throw new OperatorProblem(`The database cannot be reached: ${cause instanceof Error ? cause.message : cause}`)
  })
  try {
    const jobs = await openJobSender(database, createLogger('error'), [emailJob])
    try {
      const secrets = createSecretBox(loadSecret(config.secretKey), config.formerSecretKeys)
      const clock = () => new Date()
      const enqueue = createLoggingEnqueue(jobs.enqueue, clock)
      return await runCommand({ config, database, secrets, clock, enqueue }, args)
    } finally {
      await jobs.stop()
    }
  } finally {
    await database.close()
  }
}
