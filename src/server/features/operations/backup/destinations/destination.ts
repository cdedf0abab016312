/** Where backups are stored. */
export type BackupDestination = {
  /** For people: the folder, or s3://bucket/prefix. */
  label: string
  /** Local folder in which a backup is written before `save`. Created when it is read. */
  workFolder: string
  list(): Promise<{ name: string; bytes: number }[]>
  /** Moves a local file to the destination. An unfinished one never appears in `list`. */
  save(file: string, name: string): Promise<void>
  /** @returns a local file; if `isTemporary`, the caller deletes it */
  fetch(name: string): Promise<{ file: string; isTemporary: boolean }>
  /** Does nothing if it is missing. */
  delete(name: string): Promise<void>
}
