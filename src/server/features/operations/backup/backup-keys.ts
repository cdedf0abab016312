import { existsSync } from 'node:fs'
import type { Config } from '#server/config/config.ts'
import { loadSecret } from '#server/config/secret-box.ts'
import { OperatorError } from '#server/operator-error.ts'

type KeyConfig = Pick<Config, 'backup'>

/**
 * The key that encrypts new backups. The sandbox generates one in the data directory.
 * @throws OperatorError in production without BACKUP_KEY
 */
export function loadBackupKey({ backup }: KeyConfig): string {
  if (backup.key) return loadSecret(backup.key)
  throw new OperatorError(
    'Set BACKUP_KEY to at least 32 random characters first, and keep a copy elsewhere: without it, no backup can be restored.',
  )
}

/**
 * All keys that can decrypt backups.
 * @throws OperatorError if there is none
 */
export function loadRestoreKeys({ backup }: KeyConfig): string[] {
  const { key, previousKeys } = backup
  const hasKey = key?.kind === 'given' || (key?.kind === 'file' && existsSync(key.file))
  const keys = [...(hasKey ? [loadSecret(key)] : []), ...previousKeys]
  if (keys.length > 0) return keys
  throw new OperatorError('Set BACKUP_KEY to the key of the backup. Without it, the backup can’t be restored.')
}
