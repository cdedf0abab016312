import { sqlState } from './db/database.ts'

/** An error that the operator can fix. Only its message is printed, without a stack. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OperatorError'
  }
}

const diskFull = '53100'

/** Turns errors that the operator can fix into an OperatorError. Returns all others unchanged. */
export function explainStartError(error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  const explain = (message: string) => new OperatorError(message, { cause: error })
  // The embedded database reports a full disk with a message of its own.
  if (code === 'ENOSPC' || sqlState(error) === diskFull || /no space left|ENOSPC/i.test(message)) {
    return explain('The disk is full. Free some space, or set DATA_DIR to a directory on another disk.')
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return explain(
      'This user can’t write to the data directory. Change its owner, or set DATA_DIR to another directory.',
    )
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return explain(
      'The database in DATABASE_URL can’t be reached. Check the address and make sure that PostgreSQL is running.',
    )
  }
  return error
}
