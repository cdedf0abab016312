/** Reads exact numbers of bytes from a stream of buffers of any size. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #buffers: Buffer[] = []
  #available = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** @returns fewer bytes at the end of the stream */
  async read(length: number): Promise<Buffer> {
    while (this.#available < length) {
      const { value, done } = await this.#source.next()
      if (done) break
      this.#buffers.push(value)
      this.#available += value.length
    }
    return this.#take(Math.min(length, this.#available))
  }

  /** Ends the stream early. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #take(length: number): Buffer {
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      const first = this.#buffers[0] as Buffer
      parts.push(first.subarray(0, missing))
      if (first.length > missing) this.#buffers[0] = first.subarray(missing)
      else this.#buffers.shift()
      missing -= Math.min(first.length, missing)
    }
    this.#available -= length
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}
