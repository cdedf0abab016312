import { sqlState } from './db/sql-state.ts'
import { OperatorProblem } from './operator-problem.ts'

const diskFull = '53100'

/** What an operator can fix as an OperatorProblem in one sentence; anything else as it is. */
export function explainStartError(error: unknown): unknown {
  if (error instanceof OperatorProblem || !(error instanceof Error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  const explain = (sentence: string) => new OperatorProblem(sentence, { cause: error })
  // The embedded database reports a full disk in the words of its own file system.
  if (code === 'ENOSPC' || sqlState(error) === diskFull || /no space left|ENOSPC/i.test(message)) {
    return explain('The disk is full: free some space where DATA_DIR is, or set DATA_DIR to another disk.')
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return explain(
      "The data directory can't be written by this user. Change its owner, or set DATA_DIR to another folder.",
    )
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return explain("The database in DATABASE_URL can't be reached. Check the address, and that PostgreSQL is running.")
  }
  return error
}
