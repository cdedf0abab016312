/** Where pictures and the files of guides lie. Keys carry the hash of the bytes, so what is there never changes. */
export type ObjectStore = {
  /** The same key again means the same bytes, and is no error. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** What is not there is no error. */
  delete(key: string): Promise<void>
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>
}
