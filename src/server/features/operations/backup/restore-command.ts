import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Config } from '#server/config/config.ts'
import { loadSecret } from '#server/config/secret-box.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { openStore } from '#server/media/s3-store.ts'
import { openDestination } from './destinations/s3.ts'
import { openBackupFile, verifyBackup } from './format/backup-file.ts'
import type { FileStart, Manifest } from './format/records.ts'
import { holdAutomaticEmail } from './hold-after-restore.ts'
import { requireKnownMigration, restoreDatabase } from './restore-database.ts'
import { openRestoreTarget } from './restore-target.ts'
import { loadRestoreKeys } from './run-backup.ts'
import { secretKeyIdOf } from './write-backup.ts'

const usage = `Usage:
  npm run restore -- latest
  npm run restore -- <name or file>
  npm run restore -- <name or file> --replace <database>    replaces everything in that database`

/**
 * Restores a backup into the configured database. Checks everything first: the whole backup, both keys, and that the
 * database is empty or named, and in use by no server.
 * @returns lines to print
 * @throws OperatorError
 */
export async function runRestoreCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const { wanted, replace } = readArgs(args)
  const keys = loadRestoreKeys(config)
  const { file, isTemporary } = await findBackup(config, wanted)
  try {
    const backup = await openBackupFile(file, keys)
    requireKnownMigration(backup.header)
    const manifest = await verifyBackup(backup)
    requireSecretKey(config, manifest)
    let leftOut: string[]
    const target = await openRestoreTarget(config, { replace, backup: manifest })
    try {
      const store = openStore(config.media)
      const saveFile = ({ key, contentType }: FileStart, bytes: Buffer) => store.put(key, bytes, contentType)
      leftOut = await restoreDatabase(target.session, backup, manifest, saveFile, (session) =>
        holdAutomaticEmail(session, backup.header.createdAt),
      )
      await target.commit()
      restoreSecretKey(config, manifest)
    } finally {
      await target.close()
    }
    return report(backup.header.createdAt, manifest, leftOut)
  } finally {
    if (isTemporary) await rm(file, { force: true })
  }
}

function readArgs(args: readonly string[]) {
  try {
    const options = { replace: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [wanted] = positionals
    if (wanted && positionals.length === 1) return { wanted, replace: values.replace ?? null }
  } catch {
    // Unknown options get the same answer.
  }
  throw new OperatorError(usage)
}

/** @param wanted a path, a name at the destination, or `latest` */
async function findBackup(config: Config, wanted: string): Promise<{ file: string; isTemporary: boolean }> {
  const found = wanted === 'latest' ? undefined : statSync(wanted, { throwIfNoEntry: false })
  if (found?.isFile()) return { file: wanted, isTemporary: false }
  if (found) throw new OperatorError(`${wanted} isn’t a file.`)
  const destination = openDestination(config)
  const names = (await destination.list()).map(({ name }) => name)
  const name = wanted === 'latest' ? names.at(-1) : names.find((each) => each === wanted)
  if (name) return destination.fetch(name)
  throw new OperatorError(
    wanted === 'latest'
      ? `There is no backup in ${destination.label}. Set BACKUP_DESTINATION, or name a file.`
      : `There is no file ${wanted}, and no backup of that name in ${destination.label}.`,
  )
}

/** The restored sign-in keys and two-step secrets are encrypted with the SECRET_KEY of then. */
function requireSecretKey({ secretKey, previousSecretKeys }: Config, manifest: Manifest) {
  if (secretKey.kind === 'file' && manifest.secretKey !== null) return
  const own = secretKey.kind === 'given' || existsSync(secretKey.file) ? [loadSecret(secretKey)] : []
  if ([...own, ...previousSecretKeys].some((secret) => secretKeyIdOf(secret) === manifest.secretKeyId)) return
  throw new OperatorError(
    'The backup was made with another SECRET_KEY, which its sign-in keys need. Set that one, or add it to SECRET_KEY_FORMER.',
  )
}

/** The data directory's own secret is part of the backup. A replaced one is kept beside it. */
function restoreSecretKey({ secretKey }: Config, { secretKey: secret }: Manifest) {
  if (secretKey.kind !== 'file' || secret === null) return
  if (existsSync(secretKey.file)) {
    if (readFileSync(secretKey.file, 'utf8').trim() === secret) return
    renameSync(secretKey.file, `${secretKey.file}.before-restore`)
  }
  writeFileSync(secretKey.file, secret, { mode: 0o600, flush: true })
  chmodSync(secretKey.file, 0o600)
}

function report(createdAt: string, { tables, files, missingFiles }: Manifest, leftOut: readonly string[]): string[] {
  const ours = tables.filter(({ name }) => !leftOut.includes(name))
  const rows = ours.reduce((sum, table) => sum + table.rows, 0)
  return [
    `Restored the backup of ${createdAt}: ${rows} rows in ${ours.length} tables, ${files.length} files.`,
    ...(leftOut.length > 0 ? [`Left out, because another program made them: ${leftOut.join(', ')}.`] : []),
    ...(missingFiles.length > 0 ? [`${missingFiles.length} files were already missing when the backup was made.`] : []),
    'Automatic email is on hold, because some of it may have been sent after the backup. Start the server, and turn it on again under Admin > Settings > Backups.',
  ]
}
