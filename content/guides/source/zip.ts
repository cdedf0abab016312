/** Just enough of the zip format for the two templates: Office files are zip files. */
import { crc32, deflateRawSync } from 'node:zlib'

/** January 1, 1980, the first date that the format knows; a fixed date keeps rebuilt files equal. */
const fixedDate = 0x0021

/** Packs named texts into a zip file, in the given order. */
export function zip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const raw = Buffer.from(text, 'utf8')
    const packed = deflateRawSync(raw, { level: 9 })
    const path = Buffer.from(name, 'utf8')

    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0) // version needed
    header.writeUInt16LE(0x0800, 2) // names are UTF-8
    header.writeUInt16LE(8, 4) // deflate
    header.writeUInt16LE(0, 6) // time
    header.writeUInt16LE(fixedDate, 8)
    header.writeUInt32LE(crc32(raw), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(raw.length, 18)
    header.writeUInt16LE(path.length, 22)

    const local = [Buffer.from('PK\x03\x04', 'latin1'), header, path, packed]
    parts.push(...local)

    const where = Buffer.alloc(14) // comment length, disk, attributes: zero; then the offset
    where.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, where, path)
    offset += local.reduce((sum, part) => sum + part.length, 0)
  }
  const directorySize = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directorySize, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** Sets the date of every entry of a zip file that a library packed. */
export function withFixedZipDates(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes)
  const end = buffer.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const count = buffer.readUInt16LE(end + 10)
  let entry = buffer.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    const local = buffer.readUInt32LE(entry + 42)
    for (const at of [entry + 12, local + 10]) {
      buffer.writeUInt16LE(0, at)
      buffer.writeUInt16LE(fixedDate, at + 2)
    }
    entry += 46 + buffer.readUInt16LE(entry + 28) + buffer.readUInt16LE(entry + 30) + buffer.readUInt16LE(entry + 32)
  }
  return buffer
}
