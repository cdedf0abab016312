import { OperatorError } from '#server/operator-error.ts'

/** Why a backup can't be read: one sentence for the operator. */
export class BackupError extends OperatorError {
  override name = 'BackupError'
}

export const damaged = (cause?: unknown) =>
  new BackupError('The backup is damaged, so nothing was restored. Use another one.', { cause })
export const cutShort = () =>
  new BackupError('The backup is incomplete: its end is missing, so nothing was restored. Use another one.')
