import { and, asc, eq, gt } from 'drizzle-orm'
import { nextTurn } from '#server/db/batch-writes.ts'
import type { Db } from '#server/db/database.ts'
import { memberImportChunks, memberImports } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy } from '#server/features/identity/auth/security/editor.ts'
import { readUsedFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { readQuestions } from '#server/features/reader/preferences/question-store.ts'
import { foldWord, mailStatusOf } from '#shared/domain/email-permission.ts'
import { detectImportSource, suggestImportMapping } from '#shared/domain/import-fields.ts'
import { AppError } from '#shared/errors.ts'
import { createEncodingDetector, decodeText, type FileEncoding, isArchive } from './file-encoding.ts'
import { detectDelimiter, readCsv } from './read-csv.ts'

/** The embedded database answers nobody else while it stores one. */
const chunkBytes = 128 * 1024
const maxSamples = 4
/** Lines of the start of the file in which words of a status are looked for. */
const maxScanned = 1_000
const maxKept = 20
const maxCellLength = 200
const maxColumns = 200
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type FileDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Stores a file piece by piece, so that no more than one piece is in memory, and recognizes its source.
 * @throws AppError validation_failed in one sentence if it isn't a list of members
 */
export async function storeImportFile(
  { database: { db }, clock }: FileDeps,
  who: Actor,
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<string> {
  const now = clock()
  const id = crypto.randomUUID()
  await db
    .insert(memberImports)
    .values({ id, fileName: name, status: 'uploading', createdAt: now, updatedAt: now, ...createdBy(who) })
  try {
    const { byteSize, encoding } = await storeChunks(db, id, bytes)
    const { delimiter, header, samples } = await readStart(db, id, encoding)
    const source = detectImportSource(header)
    const publication = { questions: await readQuestions(db) }
    const mapping = suggestImportMapping(header, source, await readUsedFields(db), publication, samples)
    await db.transaction(async (tx) => {
      await tx
        .update(memberImports)
        .set({
          byteSize,
          encoding,
          delimiter,
          header,
          samples,
          source,
          mapping,
          status: 'uploaded',
          updatedAt: clock(),
        })
        .where(eq(memberImports.id, id))
      await recordAdminEvent(tx, who, { event: 'member_file_uploaded', note: name, now: clock() })
    })
    return id
  } catch (error) {
    await db.delete(memberImports).where(eq(memberImports.id, id))
    throw error
  }
}

async function storeChunks(db: Db, importId: string, bytes: AsyncIterable<Uint8Array>) {
  const detector = createEncodingDetector()
  let pieces: Uint8Array[] = []
  let pending = 0
  let position = 0
  let byteSize = 0
  const flush = async () => {
    if (pending === 0) return
    const chunk = Uint8Array.from(Buffer.concat(pieces))
    if (position === 0 && isArchive(chunk)) {
      throw refusal(
        'This is an archive or an Excel workbook. Unpack it, or save the sheet as CSV, and choose that file.',
      )
    }
    detector.read(chunk)
    await db.insert(memberImportChunks).values({ importId, position, bytes: chunk })
    position += 1
    byteSize += pending
    pieces = []
    pending = 0
    await nextTurn()
  }
  for await (const piece of bytes) {
    pieces.push(piece)
    pending += piece.byteLength
    if (pending >= chunkBytes) await flush()
  }
  await flush()
  return { byteSize, encoding: detector.end() }
}

/** The header line and some of the lines after it. */
async function readStart(db: Db, importId: string, encoding: FileEncoding) {
  const first = async function* () {
    for await (const text of readImportText(db, importId, encoding)) {
      yield text
      return
    }
  }
  const delimiter = detectDelimiter((await first().next()).value ?? '')
  const records: string[][] = []
  let broken: number | null = null
  for await (const { line, values } of readCsv(first(), delimiter)) {
    if (values)
      records.push(
        values.slice(0, maxColumns).map((cell) => cell.replaceAll('\u0000', '').slice(0, maxCellLength).toWellFormed()),
      )
    else broken ??= line
    if (records.length > maxScanned) break
  }
  const [header = [], ...lines] = records
  const samples = chooseSamples(lines)
  if (broken !== null && (samples.length === 0 || broken === 1)) {
    throw refusal(`Line ${broken} is far too long, or a quotation mark in it isn’t closed. Correct it in the file.`)
  }
  if (header.every((cell) => cell.trim() === '')) throw refusal('The file is empty.')
  if (header.some((cell) => address.test(cell.trim()))) {
    throw refusal(
      'The first line has an email address, so it’s a member. Add a line above it with the names of the columns.',
    )
  }
  if (samples.length === 0) throw refusal('The file has a header line and no members.')
  return { delimiter, header, samples }
}

/** The first lines, and those with another status, so that the columns that say who gets email show. */
function chooseSamples(lines: readonly string[][]): string[][] {
  const seen = new Set<string>()
  return lines
    .filter((line, index) => {
      const words = line.flatMap((cell, column) =>
        mailStatusOf(cell) === undefined ? [] : [`${column} ${foldWord(cell)}`],
      )
      const isNew = words.some((word) => !seen.has(word))
      for (const word of words) seen.add(word)
      return index < maxSamples || isNew
    })
    .slice(0, maxKept)
}

const refusal = (message: string) => new AppError('validation_failed', { message })

/** The stored file as text, one piece at a time. */
export const readImportText = (db: Db, importId: string, encoding: FileEncoding) =>
  decodeText(readChunks(db, importId), encoding)

async function* readChunks(db: Db, importId: string): AsyncGenerator<Uint8Array> {
  for (let position = -1; ; position += 1) {
    const [chunk] = await db
      .select({ bytes: memberImportChunks.bytes })
      .from(memberImportChunks)
      .where(and(eq(memberImportChunks.importId, importId), gt(memberImportChunks.position, position)))
      .orderBy(asc(memberImportChunks.position))
      .limit(1)
    if (!chunk) return
    yield chunk.bytes
    await nextTurn()
  }
}
