import type { Config } from '#server/config/config.ts'
import type { BackupDestination } from './destination.ts'
import { createFolderDestination } from './folder.ts'
import { createS3Destination } from './s3.ts'

/** No I/O until the first call. */
export const openDestination = ({
  backup,
  dataDirectory,
}: Pick<Config, 'backup' | 'dataDirectory'>): BackupDestination =>
  backup.destination.kind === 's3'
    ? createS3Destination(backup.destination, `${dataDirectory}/unsent-backups`)
    : createFolderDestination(backup.destination.directory)
