/** Stores images and guide files. Keys contain the hash of the bytes, so objects never change. */
export type ObjectStore = {
  /** Idempotent. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Does nothing if the key is missing. */
  delete(key: string): Promise<void>
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
}
