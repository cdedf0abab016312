import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runRestoreCommand } from '#server/features/operations/backup/restore-command.ts'
import { runCommand } from '#server/features/operations/operator/commands.ts'
import { sendToControlServer } from '#server/features/operations/operator/control-server.ts'
import { type Config, readConfig } from './config/config.ts'
import { createSecretBox, loadSecret } from './config/secret-box.ts'
import { lockDataDirectory } from './db/directory-lock.ts'
import { openDatabase } from './db/open-database.ts'
import { OperatorError } from './explain-start-error.ts'
import { createLogger } from './http/logger.ts'
import { createLoggingEnqueue, emailJob } from './jobs/email-job.ts'
import { openJobSender } from './jobs/jobs.ts'
import { openStore } from './media/s3-store.ts'

/**
 * Runs an operator's command with the server's environment. With PostgreSQL it connects to the database. The embedded
 * database can be open only once, so the command goes to the running server if there is one.
 * @returns the lines to print, and whether the command succeeded
 */
export async function runOperatorCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<{ lines: string[]; succeeded: boolean }> {
  const inCallersWords = (lines: readonly string[]) => lines.map((line) => nameCommands(line, env.OPERATOR_COMMAND))
  try {
    const config = readConfig(env)
    const [command, ...rest] = args
    // A restore opens the database in its own way, and never goes to a running server.
    const run =
      command === 'restore' ? runRestoreCommand(config, rest) : runOnServerOrHere(config, withAbsolutePath(args, env))
    return { lines: inCallersWords(await run), succeeded: true }
  } catch (error) {
    if (error instanceof OperatorError) return { lines: inCallersWords([error.message]), succeeded: false }
    throw error
  }
}

/** @param command what stands for `npm run` where it doesn't work, such as `sudo front-counter` */
const nameCommands = (text: string, command: string | undefined): string =>
  command
    ? text.replaceAll(/npm run (admin|backup|export|import|keys:rotate|restore)\b( \[?)?(?:-- )?/g, `${command} $1$2`)
    : text

/** The server may run in another directory than the command. npm names the caller's in INIT_CWD. */
function withAbsolutePath(
  [command = '', ...rest]: readonly string[],
  env: Record<string, string | undefined>,
): string[] {
  if (command !== 'export' && command !== 'import') return [command, ...rest]
  return [command, ...rest.map((word) => (word.startsWith('-') ? word : resolve(env.INIT_CWD ?? '.', word)))]
}

async function runOnServerOrHere(config: Config, args: readonly string[]): Promise<string[]> {
  if (config.database.kind === 'postgres') return runHere(config, args)
  // An archive is imported into a new database.
  if (args[0] !== 'import' && !existsSync(config.database.directory)) {
    throw new OperatorError(
      `There is no database in ${config.dataDirectory} yet. Start the server once, or set DATA_DIR.`,
    )
  }
  const lock = takeLock(config.dataDirectory)
  if (!lock) return sendToControlServer(config.dataDirectory, args)
  try {
    return await runHere(config, args)
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

async function runHere(config: Config, args: readonly string[]): Promise<string[]> {
  const database = await openDatabase(
    config.database.kind === 'postgres' ? { ...config.database, poolSize: 2 } : config.database,
  ).catch((cause: unknown) => {
    throw new OperatorError(`The database can’t be reached: ${cause instanceof Error ? cause.message : cause}`)
  })
  try {
    const logger = createLogger('error')
    const jobs = await openJobSender(database, logger, [emailJob])
    try {
      const secrets = createSecretBox(loadSecret(config.secretKey), config.previousSecretKeys)
      const clock = () => new Date()
      const enqueue = createLoggingEnqueue(jobs.enqueue, clock)
      const store = openStore(config.media)
      return await runCommand({ config, database, secrets, clock, enqueue, logger, store }, args)
    } finally {
      await jobs.stop()
    }
  } finally {
    await database.close()
  }
}
