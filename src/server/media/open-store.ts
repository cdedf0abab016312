import type { MediaConfig } from '#server/config/config.ts'
import { createDiskStore } from './disk-store.ts'
import { createS3Store } from './s3-store.ts'
import type { ObjectStore } from './store.ts'

/** No I/O until the first call. */
export const openStore = (config: MediaConfig): ObjectStore =>
  config.kind === 's3' ? createS3Store(config) : createDiskStore(config.directory)
