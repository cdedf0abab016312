import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { OperatorError } from '#server/explain-start-error.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { restoreArchive } from './restore-archive.ts'
import { type ArchiveDeps, writeArchive } from './write-archive.ts'

/**
 * `npm run export`: writes an archive of everything to a new file that only its owner can read.
 * @throws OperatorError
 */
export async function exportToFile(
  deps: ArchiveDeps,
  file: string,
  { withPasswordHashes }: { withPasswordHashes: boolean },
): Promise<string[]> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already. Choose another name.`)
  const partial = `${file}.part`
  try {
    const handle = await open(partial, 'w', 0o600)
    const output = handle.createWriteStream({ flush: true })
    const { members, posts, files, missing } = await writeArchive(deps, output, { withPasswordHashes })
    await rename(partial, file)
    await record(deps, 'archive_requested', withPasswordHashes ? 'with password hashes' : undefined)
    const { size } = await stat(file)
    return [
      `Wrote ${file}: ${formatCount(members, 'member')}, ${formatCount(posts, 'post')}, ${formatCount(files, 'file')}, ${inMegabytes(size)} MB.`,
      ...(missing.length > 0 ? [`Not in the file store, so not in the archive: ${missing.join(', ')}`] : []),
      ...(withPasswordHashes ? ['It contains password hashes. Keep it secret.'] : []),
    ]
  } catch (error) {
    await rm(partial, { force: true })
    throw asOperatorError(error, file)
  }
}

/** `npm run import`. @throws OperatorError */
export async function importFromFile(
  deps: ArchiveDeps,
  file: string,
  options: { trusted: boolean },
): Promise<string[]> {
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`)
  const { members, rows, files, pausedMailings, missing, withoutAccess } = await restoreArchive(deps, file, options)
  await record(deps, 'archive_imported', options.trusted ? 'as trusted' : undefined)
  return [
    `Imported ${formatCount(members, 'member')}, ${formatCount(rows, 'row')} and ${formatCount(files, 'uploaded file')}. No email was sent.`,
    ...(pausedMailings > 0
      ? [`${formatCount(pausedMailings, 'mailing')} that was scheduled or being sent is now a draft or paused.`]
      : []),
    ...(missing.length > 0
      ? [`These files were missing already when the archive was made: ${missing.join(', ')}`]
      : []),
    ...(withoutAccess
      ? [
          'Staff roles and passwords were left out, because this SECRET_KEY didn’t sign the archive. Add an owner with: npm run admin -- grant <email>',
          'If you made the archive yourself, you can also import it into an empty database again, with --trusted.',
        ]
      : []),
  ]
}

const record = ({ database, clock }: ArchiveDeps, event: 'archive_requested' | 'archive_imported', note?: string) =>
  recordSecurityEvent(database.db, { event, userId: null, email: '', by: 'operator', note, now: clock() })

const inMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** Problems of the disk, which the operator can solve. */
function asOperatorError(error: unknown, file: string) {
  const { code } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EACCES: 'no permission to write there',
    EROFS: 'the disk is read-only',
    ENOENT: 'the directory doesn’t exist',
  }
  const reason = reasons[code ?? '']
  return reason ? new OperatorError(`We couldn’t write ${file}: ${reason}.`, { cause: error }) : error
}
