import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type ChunkKey, cutShort, damaged } from './backup-header.ts'

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

/*
 * The encrypted part is a sequence of chunks: length (32 bits, the highest bit marks the last chunk), ciphertext, tag.
 * AES-256-GCM with a nonce of chunk number and last mark, so chunks can't be changed, moved, added or cut off.
 */

const algorithm = 'aes-256-gcm'
const chunkBytes = 1024 * 1024
const tagLength = 16
const lastMark = 0x8000_0000

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(isLast ? 1 : 0, 0)
  bytes.writeUIntBE(number, 6, 6)
  return bytes
}

export async function* encryptChunks({ key, headerDigest }: ChunkKey, plain: AsyncIterable<Buffer>) {
  let number = 0
  const encrypt = (bytes: Buffer, isLast: boolean) => {
    const cipher = createCipheriv(algorithm, key, nonce(number, isLast), { authTagLength: tagLength })
    number += 1
    cipher.setAAD(headerDigest)
    const length = Buffer.alloc(4)
    length.writeUInt32BE((isLast ? lastMark : 0) + bytes.length)
    return Buffer.concat([length, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  const reader = new ByteReader(plain)
  for (;;) {
    const bytes = await reader.read(chunkBytes)
    const isLast = bytes.length < chunkBytes
    yield encrypt(bytes, isLast)
    if (isLast) return
  }
}

/** @throws BackupError for anything but the whole sequence */
export async function* decryptChunks({ key, headerDigest }: ChunkKey, reader: ByteReader): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const mark = await reader.read(4)
    if (mark.length < 4) throw cutShort()
    const isLast = mark.readUInt32BE() >= lastMark
    const length = mark.readUInt32BE() % lastMark
    if (length > chunkBytes) throw damaged()
    const sealed = await reader.read(length + tagLength)
    if (sealed.length < length + tagLength) throw cutShort()
    let plain: Buffer
    try {
      const decipher = createDecipheriv(algorithm, key, nonce(number, isLast), { authTagLength: tagLength })
      decipher.setAAD(headerDigest)
      decipher.setAuthTag(sealed.subarray(length))
      plain = Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()])
    } catch (cause) {
      throw damaged(cause)
    }
    yield plain
    if (!isLast) continue
    if ((await reader.read(1)).length > 0) throw damaged()
    return
  }
}
