const office = 'application/vnd.openxmlformats-officedocument'

const kinds = {
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  docx: { extension: 'docx', contentType: `${office}.wordprocessingml.document` },
  xlsx: { extension: 'xlsx', contentType: `${office}.spreadsheetml.sheet` },
} as const
const otherKinds = {
  pptx: { extension: 'pptx', contentType: `${office}.presentationml.presentation` },
  zip: { extension: 'zip', contentType: 'application/zip' },
} as const
export type GuideFileKind = (typeof kinds)[keyof typeof kinds]
export type TextFileKind = GuideFileKind | (typeof otherKinds)[keyof typeof otherKinds]

/** The same for files in texts, which can be presentations and archives too. */
export function textFileKind(bytes: Uint8Array): TextFileKind | null {
  const known = guideFileKind(bytes)
  if (known) return known
  const parts = zipEntries(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!parts || [...parts.keys()].some((part) => /vbaProject\.bin$/i.test(part))) return null
  if (parts.has('ppt/presentation.xml')) return otherKinds.pptx
  return parts.has('[Content_Types].xml') ? null : otherKinds.zip
}

/**
 * Detects PDF, Word and Excel files by their bytes, without unpacking. Null for anything else, including documents with
 * macros.
 */
export function guideFileKind(bytes: Uint8Array): GuideFileKind | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.subarray(0, 5).toString('latin1') === '%PDF-') return kinds.pdf
  const parts = zipEntries(file)
  if (!parts?.has('[Content_Types].xml') || [...parts.keys()].some((part) => /vbaProject\.bin$/i.test(part)))
    return null
  if (parts.has('word/document.xml')) return kinds.docx
  return parts.has('xl/workbook.xml') ? kinds.xlsx : null
}

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endRecord = 0x06054b50
const endBytes = 22
const maxCommentBytes = 0xffff

export type ZipEntry = { method: number; start: number; end: number }

/** Entries in the central directory of a ZIP archive, by name; null if it isn't one. */
export function zipEntries(file: Buffer): ReadonlyMap<string, ZipEntry> | null {
  if (file.length < endBytes || file.readUInt32LE(0) !== localHeader) return null
  let end = file.length - endBytes
  const earliest = Math.max(0, end - maxCommentBytes)
  while (end >= earliest && file.readUInt32LE(end) !== endRecord) end -= 1
  if (end < earliest) return null
  const entries = new Map<string, ZipEntry>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== centralHeader) return null
    const nameBytes = file.readUInt16LE(at + 28)
    const start = startOfData(file, file.readUInt32LE(at + 42))
    entries.set(file.subarray(at + 46, at + 46 + nameBytes).toString('utf8'), {
      method: file.readUInt16LE(at + 10),
      start,
      end: start + file.readUInt32LE(at + 20),
    })
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

/** Behind the local header, whose name and extra field have lengths of their own. */
const startOfData = (file: Buffer, header: number): number =>
  header + 30 <= file.length
    ? header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28)
    : file.length
