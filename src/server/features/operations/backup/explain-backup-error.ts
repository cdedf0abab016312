import { isDatabaseTimeout } from '#server/db/sql-state.ts'
import { OperatorError } from '#server/operator-error.ts'
import { AppError } from '#shared/errors.ts'

/** A sentence for the owner. Details of other errors are only in the log. */
export function explainBackupError(error: unknown): string {
  if (error instanceof OperatorError || error instanceof AppError) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'The disk is full.'
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return 'The server can’t write to the backup folder.'
  if (isDatabaseTimeout(error)) return 'The database didn’t respond.'
  return 'Something went wrong. See the server log for details.'
}
