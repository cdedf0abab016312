import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { textFile } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { guideKey } from '#server/media/object-key.ts'
import { type AudioFormat, readAudio } from '#server/media/read-audio.ts'
import type { TextFile } from '#shared/contracts/publishing/publishing-library.ts'
import type { TextFileKind } from '#shared/domain/text-files.ts'
import { AppError } from '#shared/errors.ts'
import { textFileKind } from './guide-file-kind.ts'
import { safeName } from './guide-files.ts'

const audioTypes: Record<AudioFormat, string> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav' }

/** Detects what a file is by its content, whatever its name says. @throws AppError unsupported_file */
async function checkFile(file: Uint8Array, kind: TextFileKind) {
  if (kind === 'audio') {
    const all = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
    const { format, seconds } = await readAudio(async (from, length) => all.subarray(from, from + length), all.length)
    return { extension: format, contentType: audioTypes[format], seconds: Math.max(1, Math.round(seconds)) }
  }
  const found = textFileKind(file)
  if (found) return { ...found, seconds: null }
  const message = 'A file can be a PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx) or ZIP file, without macros'
  throw new AppError('unsupported_file', { message })
}

/**
 * Saves a file or sound for texts, beside the files of guides. Uploading the same file again returns the existing one.
 * @throws AppError unsupported_file, file_store_unavailable
 */
export async function saveTextFile(
  { database, store, clock }: Pick<Deps, 'database' | 'store' | 'clock'>,
  editor: Editor,
  { name, kind, file }: { name: string; kind: TextFileKind; file: Uint8Array },
): Promise<TextFile> {
  const { extension, contentType, seconds } = await checkFile(file, kind)
  const hash = createHash('sha256').update(file).digest('hex')
  // The file first: no row may point to a missing file.
  await store.put(guideKey(hash), file, contentType)
  const now = clock()
  const row = { hash, name: safeName(name, { extension }, kind), contentType, bytes: file.byteLength, seconds }
  return database.db.transaction(async (tx) => {
    const [saved] = await tx
      .insert(textFile)
      .values({ ...row, createdAt: now, ...createdBy(editor) })
      .onConflictDoUpdate({ target: textFile.hash, set: { name: sql`${textFile.name}` } })
      .returning()
    if (!saved) throw new Error('The file was not saved')
    const object = { kind: 'file', id: hash, name: saved.name } as const
    await recordAdminEvent(tx, editor, { event: 'text_file_uploaded', object, now })
    const format = extension.toUpperCase()
    return { path: `/files/${hash}.${extension}`, name: saved.name, format, bytes: saved.bytes, seconds: saved.seconds }
  })
}
