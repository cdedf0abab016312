import { inflateRawSync } from 'node:zlib'
import { type GuideFileKind, guideFileKind, type ZipEntry, zipEntries } from './guide-file-kind.ts'

/** Limit for all parts of a file together: far more than search needs. A file that unpacks to more is an attack. */
const maxUnpackedBytes = 20_000_000

/** Plain text of a PDF, Word or Excel file, a line per paragraph, cell or page. Throws for files that it can't read. */
export async function readFileText(bytes: Uint8Array): Promise<string> {
  const kind = guideFileKind(bytes)
  return (kind?.extension === 'pdf' ? await readPdf(bytes) : readOffice(bytes, kind))
    .replaceAll(/\n\s*\n/g, '\n')
    .trim()
}

function readOffice(bytes: Uint8Array, kind: GuideFileKind | null): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = zipEntries(file) ?? new Map<string, ZipEntry>()
  let leftBytes = maxUnpackedBytes
  const xmlOf = (name: string) => {
    const entry = entries.get(name)
    if (!entry) return ''
    const unpacked = unpack(file, entry, leftBytes)
    leftBytes -= unpacked.length
    return unpacked.toString('utf8')
  }
  if (kind?.extension === 'docx') return textOfXml(xmlOf('word/document.xml'), 'w:t', 'w:p')
  const sheets = [...entries.keys()].filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name))
  return [
    textOfXml(xmlOf('xl/sharedStrings.xml'), 't', 'si'),
    ...sheets.map((name) => textOfXml(xmlOf(name), 't', 'is')),
  ].join('\n')
}

async function readPdf(bytes: Uint8Array): Promise<string> {
  // Two megabytes of code that only uploads need.
  const { extractText } = await import('unpdf')
  const { text } = await extractText(Uint8Array.from(bytes), { mergePages: false })
  return text.join('\n')
}

/** @throws RangeError if it has more than `maxBytes` */
function unpack(file: Buffer, { method, start, end }: ZipEntry, maxBytes: number): Buffer {
  const data = file.subarray(start, end)
  // The smallest limit that zlib accepts is 1.
  const unpacked = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(maxBytes, 1) })
  if (unpacked.length > maxBytes) throw new RangeError('The file unpacks to too much')
  return unpacked
}

/** The content of the text elements, with a line break after each paragraph element. */
function textOfXml(xml: string, textTag: string, paragraphTag: string): string {
  const pattern = new RegExp(`<${textTag}(?:\\s[^>]*)?>([^<]*)</${textTag}>|</${paragraphTag}>`, 'g')
  let text = ''
  for (const [, content] of xml.matchAll(pattern)) text += content === undefined ? '\n' : decodeEntities(content)
  return text
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (written, decimal, hexadecimal, name) => {
    if (name) return entities[name] ?? written
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
