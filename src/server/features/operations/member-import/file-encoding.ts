export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

/** Excel's format and other archives, which publishers take for CSV. */
export const isArchive = (bytes: Uint8Array) =>
  startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) ||
  startsWith(bytes, 0x1f, 0x8b) ||
  startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)

/** UTF-16 by its byte order mark, or by the zero bytes of Latin text. */
function detectUtf16(bytes: Uint8Array): FileEncoding | null {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be'
  const start = bytes.subarray(0, 200)
  const zeros = (offset: number) => start.filter((byte, index) => index % 2 === offset && byte === 0).length
  if (zeros(1) > start.length / 4) return 'utf-16le'
  if (zeros(0) > start.length / 4) return 'utf-16be'
  return null
}

/**
 * Determines a file's encoding while it passes by: UTF-16, UTF-8 if all of it is valid or a broken character is the
 * exception, else Windows-1252.
 */
export function createEncodingDetector() {
  let utf16: FileEncoding | null | undefined
  let utf8: InstanceType<typeof TextDecoder> | null = new TextDecoder('utf-8', { fatal: true })
  const lenient = new TextDecoder('utf-8')
  let broken = 0
  let whole = 0
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      utf8?.decode(bytes, { stream })
    } catch {
      utf8 = null
    }
    const characters = lenient.decode(bytes, { stream }).match(/[^\0-\x7f]/gu) ?? []
    const replaced = characters.filter((character) => character === '\ufffd').length
    broken += replaced
    whole += characters.length - replaced
  }
  return {
    read(bytes: Uint8Array) {
      utf16 ??= detectUtf16(bytes)
      if (!utf16) decode(bytes, true)
    },
    end(): FileEncoding {
      decode(new Uint8Array(), false)
      return utf16 ?? (utf8 || whole > broken ? 'utf-8' : 'windows-1252')
    },
  }
}

/** Decodes a file in pieces. Removes the byte order mark; replaces what isn't a character. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: FileEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of bytes) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
